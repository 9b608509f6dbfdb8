// What agents obey in a repository they are started in: settings, programs and instructions, which a person consents to
// first.
import { isAtOrBelow } from '../below.ts';
import type { ConsentClass } from '../config/form.ts';

/** Top-level keys of a JSON settings file: how much each asks for, and in words. */
export type SettingsKeys = Readonly<Record<string, readonly [ConsentClass, string]>>;

/** What a file is: settings, shown key by key, or a text for the whole. */
export type Described = Readonly<{ keys: SettingsKeys } | { text: string; means?: ConsentClass }>;

/** One agent's. Paths are relative to the repository's root, with slashes. */
export type ObeyedFiles = Readonly<{
  /** Files and folders at the root. */
  names: readonly string[];
  /** Parts of these folders that are not included. */
  skips?: readonly string[];
  /** Names it also looks for in folders of this name anywhere below the root. */
  nested?: Readonly<{ folder: string; names: readonly string[] }>;
  /** Its instructions, which an untrusted session is given as text instead of reading them. */
  guides?: readonly string[];
  /** What one of the files is; undefined if nothing is known about it. */
  describe(file: string): Described | undefined;
}>;

export function settingsAt(names: readonly string[], skips: readonly string[] = []): ObeyedFiles {
  const isOwn = (file: string) => names.some((name) => isAtOrBelow(file, name));
  const text = 'settings of an agent: it may run programs by them';
  return { names, skips, describe: (file) => (isOwn(file) ? { text, means: 'runs' } : undefined) };
}
