// What the scripted agent remembers of a conversation beyond its process, as Claude Code 2.1.330 does: that there was one
// from its first message on, which turns of the script it has had, and what it cost, if its process ended in order.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Tokens } from './session.ts';

/** One conversation as remembered. */
export type Memory = Readonly<{ total: Tokens; taken: readonly number[] }>;

/** The conversation of that id; undefined: there is none. Without a script file nothing is ever remembered. */
export function recall(scriptFile: string | undefined, id: string): Memory | undefined {
  if (scriptFile === undefined) return undefined;
  try {
    return JSON.parse(readFileSync(fileOf(scriptFile, id), 'utf8')) as Memory;
  } catch {
    return undefined;
  }
}

/** Remembers a conversation beside the script. */
export function remember(scriptFile: string | undefined, id: string, memory: Memory): void {
  if (scriptFile === undefined) return;
  mkdirSync(path.dirname(fileOf(scriptFile, id)), { recursive: true });
  writeFileSync(fileOf(scriptFile, id), JSON.stringify(memory));
}

function fileOf(scriptFile: string, id: string): string {
  return path.join(`${scriptFile}.sessions`, `${id}.json`);
}
