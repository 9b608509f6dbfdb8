// The differences between an index and the work tree, from one `git status`. It never enters a nested repository.
import { type Named, named, splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';

/** One line of `git status --porcelain=v2`. */
export type StatusEntry = Named &
  Readonly<{
    kind: 'tracked' | 'unmerged' | 'untracked' | 'ignored';
    /** Index against HEAD: `.`, `A`, `M`, `D`, `T`; `.` for what is not tracked. */
    staged: string;
    /** Work tree against index, as above. */
    work: string;
    /** A submodule's entry. */
    gitlink: boolean;
  }>;

/** Differences of the work tree, untracked files one by one; an untracked repository is one entry ending in a slash. */
export async function readStatus(
  repo: Repo,
  options: Readonly<{ index?: string; untracked?: boolean; ignored?: boolean }> = {},
): Promise<readonly StatusEntry[]> {
  const output = await repo.bytes(
    [
      'status',
      '--porcelain=v2',
      '-z',
      `--untracked-files=${options.untracked === false ? 'no' : 'all'}`,
      // `dirty` still shows a moved submodule, read from its HEAD file; only looking for its changes would run git there.
      '--ignore-submodules=dirty',
      '--no-renames',
      ...(options.ignored ? ['--ignored=matching'] : []),
    ],
    options.index === undefined ? {} : { index: options.index },
  );
  return parseStatus(output);
}

/** Whether a file differs from what is committed, or is not committed at all; false for an ignored one. */
export async function isFileChanged(repo: Repo, file: string): Promise<boolean> {
  return (await readStatus(repo)).some((entry) => entry.file === file);
}

/** Reads the output of `git status --porcelain=v2 -z --no-renames`. */
export function parseStatus(output: Uint8Array): readonly StatusEntry[] {
  return splitNul(output).flatMap((record): readonly StatusEntry[] => {
    const kind = kinds[record[0] ?? ''];
    if (kind === undefined) return [];
    if (kind === 'untracked' || kind === 'ignored')
      return [{ ...named(record.slice(2)), kind, staged: '.', work: '.', gitlink: false }];
    const fields = record.split(' ');
    const skip = kind === 'unmerged' ? 10 : 8;
    const [, xy = '..', submodule = 'N'] = fields;
    return [
      {
        ...named(fields.slice(skip).join(' ')),
        kind,
        staged: xy[0] ?? '.',
        work: xy[1] ?? '.',
        gitlink: submodule.startsWith('S'),
      },
    ];
  });
}

const kinds: Readonly<Record<string, StatusEntry['kind']>> = {
  '1': 'tracked',
  u: 'unmerged',
  '?': 'untracked',
  '!': 'ignored',
};
