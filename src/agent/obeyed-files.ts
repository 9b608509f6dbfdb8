// What agents obey of a repository they are started in: settings, programs and instructions, which a person consents to first.
import { isAtOrBelow } from '../below.ts';
import type { ConsentClass } from '../config/form.ts';

/** Top-level keys of a settings file in JSON: how much each asks for, and in words. */
export type SettingsKeys = Readonly<Record<string, readonly [ConsentClass, string]>>;

/** What a file is: settings, shown key by key, or a text for the whole. */
export type Described = Readonly<{ keys: SettingsKeys } | { text: string; means?: ConsentClass }>;

/** One agent's. Paths are relative to the repository's root, with slashes. */
export type ObeyedFiles = Readonly<{
  /** Files and folders at the root. */
  names: readonly string[];
  /** What of these folders is none of it. */
  skips?: readonly string[];
  /** What it also finds in folders of this name anywhere below the root. */
  nested?: Readonly<{ folder: string; names: readonly string[] }>;
  /** Its instructions, which an untrusted session is told instead of reading them. */
  guides?: readonly string[];
  /** What one of the files is; undefined: nothing is known of it. */
  describe(file: string): Described | undefined;
}>;

/** Settings in a format that pawl does not read. */
export function settingsAt(names: readonly string[], skips: readonly string[] = []): ObeyedFiles {
  const isOwn = (file: string) => names.some((name) => isAtOrBelow(file, name));
  const text = 'settings of an agent: it may run programs by them';
  return { names, skips, describe: (file) => (isOwn(file) ? { text, means: 'runs' } : undefined) };
}
