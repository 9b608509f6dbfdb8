// Closed tasks that the branch lost. A person may have rebased, squashed or amended: the close key, or else
// the changes, must be in HEAD.
import { listCloseKeys } from '../git/commit/history.ts';
import { changedNames } from '../git/tree/changes.ts';
import type { TaskState } from '../journal/state.ts';
import type { Place } from '../place/place.ts';

export async function findLost(place: Place, closed: readonly TaskState[]): Promise<readonly TaskState[]> {
  const keys = await listCloseKeys(place.repo, place.run.state().started.base);
  const isThere = ({ closed: close }: TaskState): boolean => close === undefined || keys.has(close.key);
  if (closed.every(isThere)) return [];
  const lost: TaskState[] = [];
  // Newest first: what a later task changed again is not missed.
  const changedSince = new Set<string>();
  for (const task of [...closed].reverse()) {
    const files = await filesOf(place, task);
    const own = files?.filter((file) => !changedSince.has(file));
    for (const file of files ?? []) changedSince.add(file);
    if (isThere(task) || (own && (await hasSameFiles(place, task.closed?.oid ?? '', own)))) continue;
    lost.push(task);
  }
  return lost.reverse();
}

export async function filesOf(
  { repo, plan }: Place,
  { closed }: Pick<TaskState, 'closed'>,
): Promise<readonly string[] | undefined> {
  const { oid = '' } = closed ?? {};
  const found = await repo.git(['cat-file', '-t', oid], { okCodes: [0, 128] });
  if (found.trim() !== 'commit') return undefined;
  return (await changedNames(repo, `${oid}^`, oid)).filter((file) => file !== plan.name);
}

export async function hasSameFiles({ repo }: Place, oid: string, files: readonly string[]): Promise<boolean> {
  if (files.length === 0) return true;
  const specs = files.map((file) => `:(top,literal)${file}`);
  return (await repo.git(['diff', '--name-only', oid, 'HEAD', '--', ...specs])).trim() === '';
}
