// Output that is about bytes, not about meaning: raw lines, floods of events and very long lines, written no faster
// than the reader takes them.
import { setTimeout as wait } from 'node:timers/promises';
import { fillIn } from './choose-turn.ts';
import type { Step } from './script.ts';
import type { Session } from './session.ts';
import * as stream from './stream.ts';

/** What bulk output needs of a stage. */
type Outlet = Readonly<{
  session: Session;
  signal: AbortSignal;
  nonce: string | undefined;
  write(text: string): Promise<void>;
}>;

const chunkBytes = 1 << 20;

/** Writes a line as it stands, in as many writes as it has parts. */
export async function printRaw(outlet: Outlet, step: Extract<Step, { raw: unknown }>): Promise<void> {
  const parts = typeof step.raw === 'string' ? [step.raw] : step.raw;
  for (const [at, part] of parts.entries()) {
    if (at > 0) await wait(step.pauseMs ?? 20, undefined, { signal: outlet.signal }).catch(() => {});
    await outlet.write(fillIn(part, outlet.nonce));
  }
  if (step.end !== false) await outlet.write('\n');
}

/** Writes many events of one size: text deltas, as partial messages are streamed. */
export async function printFlood(outlet: Outlet, flood: { events: number; bytes: number }): Promise<void> {
  const line = padded(flood.bytes, (text) => ({
    type: 'stream_event',
    event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    session_id: outlet.session.id,
    parent_tool_use_id: null,
    uuid: crypto.randomUUID(),
  }));
  const perChunk = Math.max(1, Math.floor(chunkBytes / flood.bytes));
  for (let left = flood.events; left > 0 && !outlet.signal.aborted; left -= perChunk) {
    await outlet.write(line.repeat(Math.min(left, perChunk)));
  }
}

/** Writes one tool result of so many bytes, as a file of that size would make it. */
export async function printLongLine(outlet: Outlet, bytes: number): Promise<void> {
  const shape = (text: string) =>
    stream.toolResultLine(outlet.session, 'toolu_long', { content: 'long', result: { text } }, undefined);
  const [head, end] = `${JSON.stringify(shape('\u0000'))}\n`.split('\\u0000') as [string, string];
  let left = Math.max(0, bytes - head.length - end.length);
  await outlet.write(head);
  for (; left > 0 && !outlet.signal.aborted; left -= chunkBytes) {
    await outlet.write('x'.repeat(Math.min(left, chunkBytes)));
  }
  await outlet.write(end);
}

function padded(bytes: number, shape: (text: string) => object): string {
  const empty = JSON.stringify(shape('')).length + 1;
  return `${JSON.stringify(shape('x'.repeat(Math.max(0, bytes - empty))))}\n`;
}
