// Reads a session's raw record afterwards: the final words of a process that was killed, and the files its tools touched.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { LineSplitter } from '../../line-splitter.ts';
import { orElse } from '../../or-else.ts';
import type { Agent } from '../agent.ts';

/** How much of its end is examined. */
const tailBytes = 1024 * 1024;

/** Tokens in the context as last reported; undefined if nothing reports them. */
export function readContextTokens(agent: Pick<Agent, 'open'>, rawFile: string): number | undefined {
  let tokens: number | undefined;
  const conversation = agent.open();
  const lines = new LineSplitter((line) => {
    for (const event of conversation.read(line).events) if (event.type === 'context') tokens = event.tokens;
  });
  lines.push(readTail(rawFile));
  return tokens;
}

/** What a session's tools reached for outside its own workplace. */
export type Reach = Readonly<{
  /** A command named one of the paths. */
  commands: boolean;
  /** Files that its tools wrote, as the agent named them. */
  writes: readonly string[];
}>;

/**
 * What the tool calls in a whole record reached for. `names`: the ways a command may write the place; lines without any of
 * them are not parsed.
 */
export function readReach(agent: Pick<Agent, 'open'>, rawFile: string, names: readonly string[]): Reach {
  const conversation = agent.open();
  const written = new Set<string>();
  let commands = false;
  const take = (line: string): void => {
    if (!names.some((name) => isNamed(line, inJson(name)))) return;
    for (const event of conversation.read(line).events) {
      if (event.type === 'tool-started' && event.runs) commands = true;
      if ('writes' in event) for (const file of event.writes ?? []) written.add(file);
    }
  };
  const lines = new LineSplitter(take);
  readPieces(rawFile, (bytes) => lines.push(bytes));
  lines.end();
  return { commands, writes: [...written] };
}

/** Whether a text names a folder; a longer name is another folder's. */
export function isNamed(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1))
    if (!/[\w-]/.test(line[at + name.length] ?? '')) return true;
  return false;
}

function inJson(name: string): string {
  return JSON.stringify(name).slice(1, -1);
}

function readPieces(file: string, take: (bytes: Buffer) => void): void {
  const fd = orElse(() => openSync(file, 'r'), undefined);
  if (fd === undefined) return;
  try {
    for (;;) {
      const bytes = Buffer.alloc(tailBytes);
      const length = readSync(fd, bytes, 0, tailBytes, null);
      if (length === 0) return;
      take(bytes.subarray(0, length));
    }
  } finally {
    closeSync(fd);
  }
}

function readTail(file: string): Buffer {
  const fd = orElse(() => openSync(file, 'r'), undefined);
  if (fd === undefined) return Buffer.alloc(0);
  try {
    const from = Math.max(0, fstatSync(fd).size - tailBytes);
    const bytes = Buffer.alloc(tailBytes);
    return bytes.subarray(0, readSync(fd, bytes, 0, tailBytes, from));
  } finally {
    closeSync(fd);
  }
}
