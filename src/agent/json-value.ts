// Reads JSON of another program: a value of the wrong type counts as absent.
import type { AgentEvent } from '../event/activity.ts';
import { orElse } from '../or-else.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

export function parseRecord(line: string): JsonRecord | undefined {
  // For most lines of plain text an error is dearer than a look.
  if (!/^[ \t\uFEFF]*\{/.test(line)) return undefined;
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

export function records(value: unknown): readonly JsonRecord[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is JsonRecord => record(item) !== undefined);
}

/** Ignores inherited properties such as `constructor`. */
export function wordIn<T>(table: Readonly<Record<string, T>>, word: string | undefined): T | undefined {
  return word !== undefined && Object.hasOwn(table, word) ? table[word] : undefined;
}

/** At most `limit` characters, no control characters, no half character at the cut, which is `…`. */
export function oneLine(value: string, limit: number): string {
  const head = value.length > limit * 4 ? value.slice(0, limit * 4) : value;
  const flat = head.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  if (flat.length <= limit && head.length === value.length) return flat;
  const cut = flat.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/, '');
  // In V8 a slice keeps the whole parent string alive; a copy does not.
  return Buffer.from(`${cut}…`, 'utf8').toString('utf8');
}

const noiseLimit = 2_000;

export function noiseOf(line: string): readonly AgentEvent[] {
  const said = oneLine(line, noiseLimit);
  return said === '' ? [] : [{ type: 'noise', text: said }];
}
