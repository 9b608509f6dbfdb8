// One reply of the scripted model in the Messages API's own form: content blocks from steps, sent as server-sent
// events or as one JSON body. It decides nothing about scripts.
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fillIn } from '../fixtures/agents/scripted/choose-turn.ts';
import type { Step, Usage } from '../fixtures/agents/scripted/script.ts';

/** A piece of a reply: a content block, a pause, or the way it breaks off. */
export type Piece =
  | Readonly<{ block: Readonly<Record<string, unknown>> }>
  | Readonly<{ pauseMs: number }>
  /** Thought that comes in pieces. */
  | Readonly<{ ponderMs: number }>
  | Readonly<{ reason: string }>
  | Readonly<{ stop: 'cut' | 'silence' }>;

/** What turns steps into pieces. */
export type ReplyContext = Readonly<{
  nonce: string | undefined;
  /** Tools the request offers, by name, with the names of their parameters. */
  tools: ReadonlyMap<string, readonly string[]>;
}>;

/** The pieces of one reply; failures and usage are handled before. */
export function toPieces(steps: readonly Step[], context: ReplyContext): readonly Piece[] {
  return steps.flatMap((step) => toPiece(step, context));
}

function toPiece(step: Step, context: ReplyContext): readonly Piece[] {
  const { nonce, tools } = context;
  if ('say' in step) return [{ block: { type: 'text', text: fillIn(step.say, nonce) } }];
  if ('think' in step) return [{ pauseMs: step.think }];
  if ('ponder' in step) return [{ ponderMs: step.ponder }];
  if ('stop' in step) return [{ reason: step.stop }];
  if ('hang' in step || 'silence' in step) return [{ stop: 'silence' }];
  if ('cut' in step) return [{ stop: 'cut' }];
  if ('bash' in step) {
    const background = step.background ? { run_in_background: true } : {};
    return [toolUse('Bash', { command: fillIn(step.bash, nonce), ...background })];
  }
  if ('write' in step) {
    const { file, isNew } = step.write;
    const content = fillIn(step.write.content, nonce);
    // The CLI writes over no file that it has not read.
    if (isNew) return [toolUse('Write', { file_path: file, content })];
    return [toolUse('Bash', { command: writeCommand(file, content) })];
  }
  if ('kill' in step) {
    return [toolUse('Bash', { command: `kill -s ${step.kill.replace(/^SIG/, '')} "$CLAUDE_PID"` })];
  }
  if ('subagent' in step) {
    const part = typeof step.subagent === 'string' ? [{ say: step.subagent }] : step.subagent;
    const input = { description: 'Scripted part', prompt: `${playThis}${JSON.stringify(part)}` };
    const background = tools.get('Agent')?.includes('run_in_background') ? { run_in_background: false } : {};
    return [toolUse('Agent', { ...input, subagent_type: 'general-purpose', ...background })];
  }
  if ('answer' in step) {
    const canAnswer = tools.has('StructuredOutput');
    if (canAnswer) return [toolUse('StructuredOutput', step.answer as Record<string, unknown>)];
    return [{ block: { type: 'text', text: JSON.stringify(step.answer) } }];
  }
  return [];
}

const playThis = 'Play this: ';

/** What a sub-agent plays, by its prompt. */
export function partAsked(prompt: string): readonly Step[] | undefined {
  const [, part] = prompt.split(playThis);
  return part === undefined ? undefined : (JSON.parse(part.split('\n')[0] ?? '') as readonly Step[]);
}

function toolUse(name: string, input: Record<string, unknown>): Piece {
  return { block: { type: 'tool_use', id: `toolu_${randomBytes(11).toString('hex')}`, name, input } };
}

function writeCommand(file: string, content: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
  const folder = path.posix.dirname(file);
  const make = folder === '.' ? '' : `mkdir -p ${quoted(folder)} && `;
  return `${make}printf '%s' ${quoted(content)} > ${quoted(file)}`;
}

/** Head and numbers of a reply. */
export type ReplyHead = Readonly<{ model: string; usage: Required<Usage> }>;

/** Sends a reply as server-sent events. Ends early, without an error, when the client goes away. */
export async function streamReply(
  response: ServerResponse,
  pieces: readonly Piece[],
  head: ReplyHead,
): Promise<void> {
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send('message_start', { message: { ...emptyMessage(head), usage: usageFields(head.usage, 1) } });
  let index = 0;
  for (const piece of pieces) {
    if ('pauseMs' in piece) await wait(piece.pauseMs);
    else if ('ponderMs' in piece) {
      await sendThought(send, index, piece.ponderMs);
      index += 1;
    } else if ('stop' in piece) {
      if (piece.stop === 'silence') return;
      const begun = { type: 'text', text: '' };
      send('content_block_start', { index, content_block: begun });
      send('content_block_delta', { index, delta: { type: 'text_delta', text: 'This sentence breaks' } });
      await new Promise((resolve) => setImmediate(resolve));
      response.destroy();
      return;
    } else if ('block' in piece) {
      sendBlock(send, index, piece.block);
      index += 1;
    }
    if (response.destroyed) return;
  }
  const delta = { stop_reason: stopReason(pieces), stop_sequence: null };
  send('message_delta', { delta, usage: usageFields(head.usage, head.usage.output) });
  send('message_stop', {});
  response.end();
}

/** A block of thought, five pieces a second. */
async function sendThought(
  send: (type: string, data: object) => void,
  index: number,
  ms: number,
): Promise<void> {
  send('content_block_start', { index, content_block: { type: 'thinking', thinking: '', signature: '' } });
  for (let leftMs = ms; leftMs > 0; leftMs -= 200) {
    send('content_block_delta', { index, delta: { type: 'thinking_delta', thinking: 'Well, ' } });
    await wait(Math.min(200, leftMs));
  }
  send('content_block_delta', { index, delta: { type: 'signature_delta', signature: 'scripted' } });
  send('content_block_stop', { index });
}

function sendBlock(
  send: (type: string, data: object) => void,
  index: number,
  block: Readonly<Record<string, unknown>>,
): void {
  const isText = block['type'] === 'text';
  const empty = isText ? { ...block, text: '' } : { ...block, input: {} };
  const delta = isText
    ? { type: 'text_delta', text: block['text'] }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block['input']) };
  send('content_block_start', { index, content_block: empty });
  send('content_block_delta', { index, delta });
  send('content_block_stop', { index });
}

/** Sends a reply as one JSON body, for a request that does not stream. */
export async function sendReply(
  response: ServerResponse,
  pieces: readonly Piece[],
  head: ReplyHead,
): Promise<void> {
  const content: object[] = [];
  for (const piece of pieces) {
    if ('pauseMs' in piece) await wait(piece.pauseMs);
    else if ('ponderMs' in piece) await wait(piece.ponderMs);
    else if ('block' in piece) content.push(piece.block);
    else if ('stop' in piece) {
      if (piece.stop === 'cut') response.destroy();
      return;
    }
  }
  const usage = usageFields(head.usage, head.usage.output);
  const message = { ...emptyMessage(head), content, stop_reason: stopReason(pieces), usage };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(message));
}

function stopReason(pieces: readonly Piece[]): string {
  const named = pieces.find((piece) => 'reason' in piece)?.reason;
  if (named !== undefined) return named;
  const isCall = pieces.some((piece) => 'block' in piece && piece.block['type'] === 'tool_use');
  return isCall ? 'tool_use' : 'end_turn';
}

function emptyMessage(head: ReplyHead): object {
  const id = `msg_${randomBytes(11).toString('hex')}`;
  const message = { id, type: 'message', role: 'assistant', model: head.model };
  return { ...message, content: [], stop_reason: null, stop_sequence: null };
}

function usageFields(usage: Required<Usage>, output: number): object {
  return {
    input_tokens: usage.input,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    output_tokens: output,
  };
}
