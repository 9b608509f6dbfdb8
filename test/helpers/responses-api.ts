// The scripted model as codex talks to it: an HTTP server on loopback that speaks the Responses API and gives one reply
// after another, the last one again and again. It knows no conversation.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One reply: words, a shell command, an HTTP failure, or none at all. */
export type ResponsesReply =
  | Readonly<{ say: string }>
  | Readonly<{ run: string }>
  | Readonly<{ status: number }>
  | 'hang';

/** A running scripted model; closes itself at the end of its scope. `requests`: the bodies it got, as JSON text. */
export type ResponsesModel = AsyncDisposable & Readonly<{ url: string; requests: readonly string[] }>;

/** Starts it on a free port of 127.0.0.1. */
export async function startResponses(replies: readonly ResponsesReply[]): Promise<ResponsesModel> {
  const requests: string[] = [];
  const server = createServer(async (incoming, response) => {
    response.on('error', () => {});
    const body = await text(incoming);
    if (incoming.url !== '/v1/responses') return void response.writeHead(404).end('{}');
    requests.push(body);
    const reply = replies[Math.min(requests.length, replies.length) - 1];
    if (reply !== undefined && reply !== 'hang') answer(response, reply, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function answer(response: ServerResponse, reply: Exclude<ResponsesReply, 'hang'>, number: number): void {
  if ('status' in reply) {
    const error = { message: `scripted HTTP ${reply.status}`, type: 'scripted' };
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error }));
    return;
  }
  const usage = {
    ...{ input_tokens: 100, input_tokens_details: { cached_tokens: 10 } },
    ...{ output_tokens: 20, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 120 },
  };
  const id = `response-${number}`;
  const events = [
    { type: 'response.created', response: { id } },
    { type: 'response.output_item.done', item: itemOf(reply, number) },
    { type: 'response.completed', response: { id, usage } },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
}

function itemOf(reply: Readonly<{ say: string }> | Readonly<{ run: string }>, number: number): object {
  if ('say' in reply)
    return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: reply.say }] };
  const args = JSON.stringify({ cmd: reply.run });
  return { type: 'function_call', call_id: `call-${number}`, name: 'exec_command', arguments: args };
}
