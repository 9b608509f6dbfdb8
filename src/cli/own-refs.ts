// Lists pawl's own refs by run, and those `pawl clean` removes because their run's folder is gone. Deletes nothing itself.
import path from 'node:path';
import { pawlRef } from '../git/run/refs.ts';
import { listRunFolders } from '../journal/folder.ts';
import type { Place } from '../start/locate.ts';

/** For how many days after its end what a finished run left is kept. */
export const keptDays = 30;

/** The git arguments that list them, for `readOwnRefs`. */
export const listOwnRefs = ['for-each-ref', '--format=%(refname) %(committerdate:unix)', 'refs/pawl/'];

/** Their count and newest time per run, in epoch milliseconds, by the run's name in them. */
export type OwnRefs = ReadonlyMap<string, Readonly<{ count: number; newest: number }>>;

/** Refs of a run whose folder is gone: removed by hand, or as one of many finished ones. */
export type Orphan = Readonly<{ run: string; endedAt: number; refs: number }>;

export function readOwnRefs(listed: string): OwnRefs {
  const runs = new Map<string, { count: number; newest: number }>();
  for (const line of listed.split('\n')) {
    const [ref = '', seconds = ''] = line.split(' ');
    const name = ref.split('/')[2];
    if (name === undefined) continue;
    const { count, newest } = runs.get(name) ?? { count: 0, newest: 0 };
    // An object that is not a commit has no date.
    runs.set(name, { count: count + 1, newest: Math.max(newest, Number(seconds) * 1000) });
  }
  // Without any date they count as brand new.
  return new Map(
    [...runs].map(([name, { count, newest }]) => [
      name,
      { count, newest: newest || Number.POSITIVE_INFINITY },
    ]),
  );
}

/**
 * Those whose newest ref is older than an instant. A folder counts whatever its journal says: an unreadable one may be
 * repaired.
 */
export function findOrphans({ commonDir }: Place, refs: OwnRefs, before: number): readonly Orphan[] {
  const known = new Set(listRunFolders(commonDir).map((folder) => nameInRefs(path.basename(folder))));
  return [...refs].flatMap(([run, { count, newest }]) =>
    known.has(run) || newest >= before ? [] : [{ run, endedAt: newest, refs: count }],
  );
}

export function nameInRefs(run: string): string {
  return pawlRef(run, '').split('/')[2] ?? '';
}
