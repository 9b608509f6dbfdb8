// The folders of a repository's submodules, according to its `.gitmodules`.
import { parseConfig } from '../git/protect/config-text.ts';
import { readInside } from '../plan/read-inside.ts';

/** Relative to the root; none if the file is missing or cannot be parsed. */
export function readSubmodules(root: string): readonly string[] {
  const settings = parseConfig(readInside(root, '.gitmodules') ?? '') ?? [];
  return settings.flatMap(({ key, value }) => (/^submodule\..*\.path$/s.test(key) ? value : []));
}
