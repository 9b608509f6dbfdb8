// One `git status` of an index and the work tree, with HEAD. Never enters a nested repository.
import { defined } from '../../defined.ts';
import { named, nameOf, type RawName, splitNul } from '../run/names.ts';
import type { Repo } from '../run/repo.ts';

/** Of `git status --porcelain=v2`. */
export type StatusEntry = RawName &
  Readonly<{
    kind: 'tracked' | 'unmerged' | 'untracked' | 'ignored';
    /** Index against HEAD: `.`, `A`, `M`, `D`, `T`; `.` if untracked. */
    staged: string;
    /** Work tree against index, likewise. */
    work: string;
    gitlink: boolean;
  }>;

/** `branch`: undefined if detached; `commit`: undefined if there is none. */
export type HeadAt = Readonly<{ branch: string | undefined; commit: string | undefined }>;

export type Status = Readonly<{ head: HeadAt; entries: readonly StatusEntry[] }>;

/** Untracked files one by one; a nested repository is one entry with a trailing slash. */
export async function readStatus(
  repo: Repo,
  options: Readonly<{ index?: string; untracked?: boolean; ignored?: boolean }> = {},
): Promise<Status> {
  const args = ['status', '--porcelain=v2', '--branch', '--no-ahead-behind', '-z', '--no-renames'];
  args.push(`--untracked-files=${options.untracked === false ? 'no' : 'all'}`);
  // `dirty` still shows a moved submodule, by its HEAD file; looking for changes would run git there.
  args.push('--ignore-submodules=dirty', ...(options.ignored ? ['--ignored=matching'] : []));
  const output = await repo.bytes(args, defined({ index: options.index }));
  return { head: parseHeadAt(output), entries: parseStatus(output) };
}

/** Also if it is not committed at all; false for an ignored one. */
export async function isFileChanged(repo: Repo, file: string): Promise<boolean> {
  return (await readStatus(repo)).entries.some((entry) => entry.file === file);
}

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

export function parseHeadAt(output: Uint8Array): HeadAt {
  const lines = splitNul(output).filter((record) => record.startsWith('# branch.'));
  const after = (key: string) => lines.find((line) => line.startsWith(key))?.slice(key.length);
  const [oid, branch] = [after('# branch.oid '), after('# branch.head ')];
  return {
    branch: branch === undefined || branch === '(detached)' ? undefined : nameOf(branch),
    commit: oid === '(initial)' ? undefined : oid,
  };
}

const kinds: Readonly<Record<string, StatusEntry['kind']>> = {
  '1': 'tracked',
  u: 'unmerged',
  '?': 'untracked',
  '!': 'ignored',
};
