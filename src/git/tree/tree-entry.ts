// What a tree or an index holds under a name, as git lists it.
import { defined } from '../../defined.ts';
import { named, type RawName, splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';

/** As git prints them: `100644`, an object's id. */
export type TreeEntry = Readonly<{ mode: string; oid: string }>;

export const submoduleMode = '160000';

/** `number`: in an index the stage, in a long listing of a tree the size; else 0. */
export type ListedEntry = RawName & TreeEntry & Readonly<{ kind: string | undefined; number: number }>;

/** Of `ls-files -s -z`, or of `ls-tree -z`, which tells the kind too. */
export function parseEntries(output: Uint8Array): readonly ListedEntry[] {
  return splitNul(output).flatMap((line) => {
    const [, mode, kind, oid, number, raw] =
      /^(\d+) (?:(blob|tree|commit) )?([0-9a-f]+)(?: +(\d+|-))?\t(.*)$/s.exec(line) ?? [];
    if (mode === undefined || oid === undefined || raw === undefined) return [];
    return { ...named(raw), mode, kind, oid, number: Number(number) || 0 };
  });
}

/** Of one with conflicts, each stage. `specs`: default everything. */
export async function listIndex(
  repo: Repo,
  index: string | undefined,
  specs: readonly string[] = [],
): Promise<readonly ListedEntry[]> {
  return parseEntries(await repo.bytes(['ls-files', '-s', '-z', '--', ...specs], defined({ index })));
}

export function isSameInTree(a: TreeEntry | undefined, b: TreeEntry | undefined): boolean {
  return a?.mode === b?.mode && a?.oid === b?.oid;
}

/** What `putEntries` takes for a name that is to have nothing. `like`: another object's id. */
export function nothingIn(like: string): TreeEntry {
  return { mode: '0', oid: '0'.repeat(like.length) };
}
