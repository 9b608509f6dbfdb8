// What the end of a session's raw record tells of a process that was cut off before it could say so itself.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { LineSplitter } from '../../line-splitter.ts';
import type { Agent } from '../agent.ts';

/** How much of its end is looked at. */
const tailBytes = 1024 * 1024;

/** Tokens in the context as last told; undefined where nothing tells it. */
export function readContextTokens(agent: Pick<Agent, 'open'>, rawFile: string): number | undefined {
  let tokens: number | undefined;
  const conversation = agent.open();
  const lines = new LineSplitter((line) => {
    for (const event of conversation.read(line).events) if (event.type === 'context') tokens = event.tokens;
  });
  lines.push(readTail(rawFile));
  return tokens;
}

function readTail(file: string): Buffer {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    return Buffer.alloc(0);
  }
  try {
    const from = Math.max(0, fstatSync(fd).size - tailBytes);
    const bytes = Buffer.alloc(tailBytes);
    return bytes.subarray(0, readSync(fd, bytes, 0, tailBytes, from));
  } finally {
    closeSync(fd);
  }
}
