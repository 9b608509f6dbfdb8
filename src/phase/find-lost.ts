// Closed tasks that the branch lost. As a person may rebase, squash or amend, HEAD must have the close key or changes.
import { listCloseKeys } from '../git/commit/history.ts';
import { changesOfCommits, namesIn } from '../git/tree/changes.ts';
import type { ChangedFile } from '../git/tree/raw-diff.ts';
import type { ClosedTask } from '../journal/task-state.ts';
import type { Place } from '../place/place.ts';

/** `closed`: in order. */
export async function findLost(place: Place, closed: readonly ClosedTask[]): Promise<readonly ClosedTask[]> {
  const keys = await listCloseKeys(place.repo, place.run.state().started.base);
  if (closed.every(({ close }) => keys.has(close.key))) return [];
  const changes = await changesOf(place, closed);
  const lost: ClosedTask[] = [];
  // Newest first: what a later task changed again is not missed.
  const changedSince = new Set<string>();
  for (const one of closed.toReversed()) {
    const { oid, key } = one.close;
    const files = filesIn(place, changes.get(oid));
    const own = files?.filter((file) => !changedSince.has(file));
    for (const file of files ?? []) changedSince.add(file);
    if (keys.has(key) || (own && (await hasSameFiles(place, oid, own)))) continue;
    lost.push(one);
  }
  return lost.reverse();
}

/** By the commit that closed it. */
export function changesOf(
  { repo }: Place,
  closed: readonly ClosedTask[],
): ReturnType<typeof changesOfCommits> {
  return changesOfCommits(repo, [...new Set(closed.map(({ close }) => close.oid))]);
}

/** Without the plan; undefined if the commit no longer exists. */
export function filesIn(
  { plan }: Place,
  changes: readonly ChangedFile[] | undefined,
): readonly string[] | undefined {
  return changes && namesIn(changes).filter((file) => file !== plan.name);
}

export async function hasSameFiles({ repo }: Place, oid: string, files: readonly string[]): Promise<boolean> {
  if (files.length === 0) return true;
  const specs = files.map((file) => `:(top,literal)${file}`);
  return (await repo.git(['diff', '--name-only', oid, 'HEAD', '--', ...specs])).trim() === '';
}
