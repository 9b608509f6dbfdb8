// Pure. Reads a repository's files by name, and finds where a name leads.
import path from 'node:path';
import { parseJson } from '../parse-json.ts';

export type ReadFile = (file: string) => string | undefined;

/** Relative to the root; undefined if it leaves the root or needs an expansion. */
export function placeOf(folder: string, name: string): string | undefined {
  if (name === '' || /[$*?`~]|^-/.test(name)) return undefined;
  const placed = path.posix.normalize(path.posix.join(path.posix.isAbsolute(name) ? '' : folder, name));
  const trimmed = placed.length > 1 ? placed.replace(/\/$/, '') : placed;
  return trimmed === '..' || trimmed.startsWith('../') ? undefined : trimmed;
}

export function findUpward(
  folder: string,
  names: readonly string[],
  read: ReadFile,
): Readonly<{ file: string; folder: string; text: string }> | undefined {
  for (let at = folder; ; at = path.posix.dirname(at)) {
    for (const name of names) {
      const file = path.posix.join(at, name);
      const text = read(file);
      if (text !== undefined) return { file, folder: at, text };
    }
    if (at === '.' || at === '/') return undefined;
  }
}

/** `//` comment lines are allowed; undefined for other text. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const whole = text.replace(/^\uFEFF/, '');
  const value = parseJson(whole) ?? parseJson(whole.replace(/^[ \t]*\/\/.*$/gm, ''));
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
