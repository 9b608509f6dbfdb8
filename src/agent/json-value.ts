// Reads JSON that another program wrote: a value of the wrong type counts as absent.

import { orElse } from '../or-else.ts';
export type JsonRecord = Readonly<Record<string, unknown>>;

/** The object in a line; undefined for anything else. */
export function parseRecord(line: string): JsonRecord | undefined {
  if (!looksLikeObject(line)) return undefined;
  return orElse(() => record(JSON.parse(line)), undefined);
}

export function record(value: unknown): JsonRecord | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonRecord)
    : undefined;
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The objects in an array; empty for anything else. */
export function records(value: unknown): readonly JsonRecord[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is JsonRecord => record(item) !== undefined);
}

/** Looks another program's word up in a table, ignoring inherited properties such as `constructor`. */
export function wordIn<T>(table: Readonly<Record<string, T>>, word: string | undefined): T | undefined {
  return word !== undefined && Object.hasOwn(table, word) ? table[word] : undefined;
}

/** A short digest, practically unique; not meant to protect secrets. */
export function digestOf(value: string): string {
  let [one, two] = [0xdeadbeef, 0x41c6ce57];
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    one = Math.imul(one ^ code, 0x9e3779b1);
    two = Math.imul(two ^ code, 0x5f356495);
  }
  return `${value.length.toString(36)}-${(one >>> 0).toString(36)}${(two >>> 0).toString(36)}`;
}

/** One line of at most `limit` characters: no control characters, no half character at the cut, `…` where it was cut. */
export function oneLine(value: string, limit: number): string {
  const head = value.length > limit * 4 ? value.slice(0, limit * 4) : value;
  const flat = head.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (flat.length <= limit && head.length === value.length) return flat;
  const cut = flat.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '');
  // In V8 a slice keeps the whole parent string alive; a copy does not.
  return Buffer.from(`${cut}…`, 'utf8').toString('utf8');
}

function looksLikeObject(line: string): boolean {
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (code === 0x7b) return true;
    if (code !== 0x20 && code !== 0x09 && code !== 0xfeff) return false;
  }
  return false;
}
