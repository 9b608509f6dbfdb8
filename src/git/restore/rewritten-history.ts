// Compares a rewritten history with the run's own commits: the same files on the same base, which commit replaces which,
// and a ref that keeps the old history. Moves no branch.

import { readRefs } from '../protect/snapshot.ts';
import { descends } from '../run/ancestry.ts';
import { changeRefs } from '../run/head.ts';
import { type LoggedCommit, readLog } from '../run/log.ts';
import { nextRefs, pawlRef } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';

/** A history and its replacement; both descend from `base`. */
export type Rewrite = Readonly<{ base: string; from: string; to: string }>;

/** A commit that is no longer in the branch, and the one that has its work now. */
export type Moved = Readonly<{ old: string; now: string }>;

/** Whether one history can replace the other. */
export async function judgeRewrite(
  repo: Repo,
  { base, from, to }: Rewrite,
): Promise<'same' | 'other-files' | 'other-base'> {
  if (!(await descends(repo, base, to))) return 'other-base';
  const [before, after] = (await repo.git(['rev-parse', `${from}^{tree}`, `${to}^{tree}`]))
    .trim()
    .split('\n');
  return before === after ? 'same' : 'other-files';
}

/** Whether every close key in the one history is also in the other: what a rebase leaves. */
export async function holdsKeys(repo: Repo, { base, from, to }: Rewrite): Promise<boolean> {
  const [old, now] = await Promise.all(
    [from, to].map(async (head) =>
      (await readLog(repo, [`${base}..${head}`, '--'])).map(({ message }) => message),
    ),
  );
  const keys = new Set(now?.flatMap(keysOf));
  return old?.flatMap(keysOf).every((key) => keys.has(key)) ?? false;
}

/** Keeps the old history in a ref, and returns where the work of its commits is now. */
export async function saveRewritten(
  repo: Repo,
  rewrite: Rewrite & Readonly<{ run: string }>,
): Promise<Readonly<{ kept: string; commits: readonly Moved[] }>> {
  const { run, base, from, to } = rewrite;
  const [old, now] = await Promise.all(
    [from, to].map((head) => readLog(repo, ['--first-parent', `${base}..${head}`, '--'])),
  );
  const { own } = await readRefs(repo);
  // A kill may have come after an earlier look.
  const known = [...own].find(([ref, oid]) => oid === from && ref.startsWith(pawlRef(run, 'finalized/')));
  const kept = known?.[0] ?? nextRefs(own, run, 'finalized')();
  if (!known) await changeRefs(repo, 'keep the history', [{ ref: kept, now: from, old: undefined }]);
  return { kept, commits: matchCommits(old ?? [], now ?? [], to) };
}

/**
 * Where the work of each old commit is: at the commit with its close key, else with the same files, else where the next
 * later one's work is. Both lists newest first; `head`: the last of the new ones.
 */
export function matchCommits(
  old: readonly Pick<LoggedCommit, 'oid' | 'tree' | 'message'>[],
  now: readonly Pick<LoggedCommit, 'oid' | 'tree' | 'message'>[],
  head: string,
): readonly Moved[] {
  const byKey = new Map(now.flatMap(({ oid, message }) => keysOf(message).map((key) => [key, oid] as const)));
  const byTree = new Map([...now].reverse().map(({ oid, tree }) => [tree, oid] as const));
  const known = new Set(now.map(({ oid }) => oid));
  let last = head;
  const moved = old.map(({ oid, tree, message }) => {
    const [key = ''] = keysOf(message);
    last = known.has(oid) ? oid : (byKey.get(key) ?? byTree.get(tree) ?? last);
    return { old: oid, now: last };
  });
  return moved.filter((one) => one.old !== one.now);
}

function keysOf(message: string): readonly string[] {
  return [...message.matchAll(/^[ \t]*Pawl-Close: *(\S+)[ \t\r]*$/gm)].map(([, key = '']) => key);
}
