// What the contract of an agent must bear beside those that are shipped: a protocol with a handshake before the first prompt,
// ids, requests of the agent's that wait for an answer, several turns, an interrupt, and an earlier conversation gone on
// with. The agent and its program are of this test alone.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Agent, Conversation, Opening, Reading } from '../../../src/agent/agent.ts';
import { type JsonRecord, parseRecord, record, text } from '../../../src/agent/json-value.ts';
import type { AgentEvent } from '../../../src/event/activity.ts';
import { nonce, startSession } from './session-setup.ts';

/** A program that speaks JSON-RPC on stdio, and logs what it is asked to stderr. */
const program = `
const send = (value) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...value }) + '\\n');
let prompt;
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result } = JSON.parse(line);
  console.error(method ?? 'answer ' + JSON.stringify(result));
  if (method === 'initialize') send({ id, result: { protocolVersion: 1 } });
  if (method === 'session/new') send({ id, result: { sessionId: 's1' } });
  if (method === 'session/load') send({ id, result: {} });
  if (method === 'session/prompt') {
    prompt = { id, text: params.prompt[0].text };
    if (!prompt.text.includes('hang')) send({ id: 'ask', method: 'session/request_permission', params: {} });
    else send({ method: 'session/update', params: { update: { sessionUpdate: 'tool_call', toolCallId: 't' } } });
  }
  if (id === 'ask' && result?.outcome === 'allow_once') {
    for (const text of ['I did ', 'it.\\n', '<<<PAWL:TASK_DONE ${nonce}>>> ' + params_of(prompt.text)])
      send({ method: 'session/update', params: { update: { sessionUpdate: 'agent_message_chunk', text } } });
    send({ id: prompt.id, result: { stopReason: 'end_turn' } });
  }
  if (method === 'session/cancel') send({ id: prompt.id, result: { stopReason: 'cancelled' } });
});
function params_of(text) { return text.startsWith('Again') ? 'again' : 'first'; }
`;

/** One process: the text waits until the handshake is through. */
class RpcConversation implements Conversation {
  readonly #opening: Opening | undefined;
  readonly #methods = new Map<number, string>();
  #next = 0;
  #session: string | undefined;
  #waiting: string | undefined;
  #said = '';

  constructor(opening: Opening | undefined) {
    this.#opening = opening;
  }

  write(message: Parameters<Conversation['write']>[0]): string | undefined {
    if (message.type === 'cost') return undefined;
    if (message.type === 'interrupt') return this.#line({ method: 'session/cancel' });
    if (this.#session !== undefined) return this.#prompt(message.text);
    this.#waiting = message.text;
    return this.#request('initialize', { protocolVersion: 1 });
  }

  read(line: string): Reading {
    const value = parseRecord(line) ?? {};
    const result = record(value['result']);
    if (typeof value['id'] === 'number' && result) return this.#onResult(value['id'], result);
    if (value['method'] === 'session/request_permission')
      return { events: [], answer: this.#line({ id: value['id'], result: { outcome: 'allow_once' } }) };
    const update = record(record(value['params'])?.['update']);
    return { events: update ? this.#onUpdate(update) : [] };
  }

  #onResult(id: number, result: JsonRecord): Reading {
    switch (this.#methods.get(id)) {
      case 'initialize': {
        const { request: { resume } = {}, cwd } = this.#opening ?? {};
        const open = resume === undefined ? 'session/new' : 'session/load';
        return { events: [], answer: this.#request(open, { cwd, sessionId: resume }) };
      }
      case 'session/new':
      case 'session/load': {
        this.#session = text(result['sessionId']) ?? this.#opening?.request.resume ?? '';
        const started = { type: 'started', agentSession: this.#session, model: '', version: '1' } as const;
        return { events: [started], answer: this.#prompt(this.#waiting ?? '') };
      }
      default: {
        const end = { type: 'result', text: this.#said, isError: false } as const;
        const reason = result['stopReason'] === 'cancelled' ? 'aborted_streaming' : 'completed';
        return { events: [{ ...end, reason }, { type: 'idle' }] };
      }
    }
  }

  #onUpdate(update: JsonRecord): readonly AgentEvent[] {
    if (update['sessionUpdate'] === 'tool_call')
      return [
        { type: 'tool-started', id: text(update['toolCallId']) ?? '', tool: 'Bash', detail: '', main: true },
      ];
    this.#said += text(update['text']) ?? '';
    return [{ type: 'thought', main: true }];
  }

  #prompt(said: string): string {
    this.#said = '';
    return this.#request('session/prompt', {
      sessionId: this.#session,
      prompt: [{ type: 'text', text: said }],
    });
  }

  #request(method: string, params: object): string {
    this.#next += 1;
    this.#methods.set(this.#next, method);
    return this.#line({ id: this.#next, method, params });
  }

  #line(value: object): string {
    return `${JSON.stringify({ jsonrpc: '2.0', ...value })}\n`;
  }
}

const no = {
  usage: false,
  cost: false,
  limits: false,
  budget: false,
  schema: false,
  plainAnswer: false,
} as const;
const agent: Agent = {
  name: 'rpc',
  can: { ...no, followUp: true, idle: true, resume: true },
  command: () => ({ file: process.execPath, args: ['-e', program], env: {}, input: 'conversation' }),
  open: (opening) => new RpcConversation(opening),
};

const asked = async (folder: string): Promise<readonly string[]> =>
  (await readFile(`${folder}/001.stderr`, 'utf8')).trim().split('\n');

describe('an agent that speaks JSON-RPC', () => {
  test('shakes hands before the first prompt, is answered, and takes a correction', async () => {
    await using started = await startSession({ agent });
    const { session } = started;
    expect((await session.firstTurn()).outcome).toEqual({ kind: 'done', reason: 'first' });
    await session.hold();
    const again = await session.correct('Again, please.');
    expect([again.outcome, again.canCorrect]).toEqual([{ kind: 'done', reason: 'again' }, true]);
    expect(again.text).toBe(`I did it.\n<<<PAWL:TASK_DONE ${nonce}>>> again`);
    await session.close();
    const answer = 'answer {"outcome":"allow_once"}';
    expect(await asked(started.folder)).toEqual([
      ...['initialize', 'session/new', 'session/prompt', answer],
      ...['session/prompt', answer],
    ]);
  });

  test('is interrupted in its own words', async () => {
    await using started = await startSession({ agent, prompt: 'hang' });
    const { session } = started;
    await expect.poll(() => asked(started.folder)).toContain('session/prompt');
    await session.stop('a person stopped it');
    expect((await session.firstTurn()).outcome).toEqual({
      kind: 'interrupted',
      reason: 'a person stopped it',
    });
    await session.close();
    expect((await asked(started.folder)).at(-1)).toBe('session/cancel');
  });

  test('goes on with an earlier conversation', async () => {
    await using started = await startSession({ agent, request: { resume: 's0' } });
    await started.session.firstTurn();
    await started.session.close();
    expect(await asked(started.folder)).toContain('session/load');
  });
});
