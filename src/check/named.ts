// The types all finders of a check's definitions share: a definition, what a finder returns, and paths within the
// repository.

import path from 'node:path';
import { defined } from '../defined.ts';
import { digestText } from './digest.ts';
import { boundText } from './evidence.ts';

/** A part of a file that decides what a check does. */
export type Definition = Readonly<{
  /** Relative to the repository's root, with forward slashes. */
  file: string;
  /** The part of the file, e.g. `scripts.test` or `target test`; absent for the whole file. */
  key?: string;
  /** SHA-256 of the part's text, in hex. */
  digest: string;
  /** The part's text, bounded to about 4 KiB. */
  text: string;
  /** The program that reads it without being told to: a new one may have turned a check green. */
  readBy?: string;
  /** Ordinary work may change it: it is asked about, not refused. */
  mayChange?: true;
  /** What is wrong if it is new, as a sentence; default: that it is new. */
  complaint?: string;
}>;

/**
 * Reads a file by its path relative to the repository's root, or below `~`; undefined if it cannot be read. `touched`:
 * files that a session added, changed or deleted, for runners that read a name in any folder below theirs.
 */
export type ReadFile = ((file: string) => string | undefined) & Readonly<{ touched?: readonly string[] }>;

/** Whether a name leads out of the repository: `../../.npmrc` is above its root, `~/.npmrc` in the home folder. */
export function isOutside(file: string): boolean {
  return /^(?:~|\.\.)\//.test(file);
}

/** Shell text that a definition runs, and the folder it runs in. */
export type ShellText = Readonly<{ text: string; folder: string }>;

/** What one command names: definitions, and shell texts that may name more. */
export type Found = Readonly<{ definitions: readonly Definition[]; runs: readonly ShellText[] }>;

/** Nothing is named. */
export const nothing: Found = { definitions: [], runs: [] };

/** A definition from its text. */
export function define(file: string, key: string | undefined, text: string): Definition {
  // The text of what may hold secrets is not kept.
  const isSecret = isOutside(file) || /(?:^|\/)\.env(?:\.[^/]*)?$/.test(file);
  const shown = boundText(isSecret ? '' : text, {
    headLines: 60,
    headBytes: 3072,
    tailLines: 20,
    tailBytes: 1024,
  });
  return { file, ...defined({ key }), digest: digestText(text), text: shown };
}

/** All findings as one. */
export function join(found: readonly Found[]): Found {
  return {
    definitions: found.flatMap(({ definitions }) => definitions),
    runs: found.flatMap(({ runs }) => runs),
  };
}

/** A path named in `folder`, relative to the root; undefined if it leaves the root or depends on an expansion. */
export function placeOf(folder: string, name: string): string | undefined {
  if (name === '' || /[$*?`~]|^-/.test(name)) return undefined;
  const placed = path.posix.normalize(path.posix.join(path.posix.isAbsolute(name) ? '' : folder, name));
  const trimmed = placed.length > 1 ? placed.replace(/\/$/, '') : placed;
  return trimmed === '..' || trimmed.startsWith('../') ? undefined : trimmed;
}

/** The paths among words, resolved by `placeOf`. */
export function placesOf(words: readonly string[], folder: string): readonly string[] {
  return words.flatMap((word) => placeOf(folder, word) ?? []);
}

/** The folder and those above it up to the root, nearest first. */
export function foldersUpward(folder: string): readonly string[] {
  const folders = [folder];
  for (let at = folder; at !== '.' && at !== '/'; ) {
    at = path.posix.dirname(at);
    folders.push(at);
  }
  return folders;
}

/** The same, and then those above the root, as far as any program reads. */
export function foldersAbove(folder: string): readonly string[] {
  return [...foldersUpward(folder), ...outside];
}

const outside = Array.from({ length: 8 }, (_, at) =>
  Array(at + 1)
    .fill('..')
    .join('/'),
);

/** The nearest file with one of the names, in the folder or above it. */
export function findUpward(
  folder: string,
  names: readonly string[],
  read: ReadFile,
): Readonly<{ file: string; folder: string; text: string }> | undefined {
  for (const at of foldersUpward(folder)) {
    for (const name of names) {
      const file = path.posix.join(at, name);
      const text = read(file);
      if (text !== undefined) return { file, folder: at, text };
    }
  }
  return undefined;
}
