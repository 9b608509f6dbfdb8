// Fetches everything a lane holds into the repository, so that its folder may be removed.
import { readRef } from '../run/head.ts';
import { pawlRef } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';

export type LaneOf = Readonly<{ run: string; lane: number; branch: string }>;

const asTheyAre = ['tree*', 'absorbed/*', 'kept/*', 'lost/*'];

/** Into `refs/pawl/<run>/lanes/<lane>/`. Rescue points that the lane no longer has stay. */
export async function fetchHome(repo: Repo, lane: Repo, of: LaneOf): Promise<void> {
  const home = (tail: string) => pawlRef(of.run, `lanes/${of.lane}/${tail}`);
  const specOf = (tail: string) => `${pawlRef(of.run, tail)}:${home(tail)}`;
  const forced = asTheyAre.map((tail) => `+${specOf(tail)}`);
  const head = `+refs/heads/${of.branch}:${homeRef(of)}`;
  try {
    await fetchRefs(repo, lane, [...forced, head, specOf('rescue*')]);
  } catch (error) {
    // Each point's parent is the one before: another chain was begun.
    const old = await readRef(repo, home('rescue'));
    if (old === undefined) throw error;
    await repo.write('keep rescue points', ['update-ref', home(`earlier/${old}`), old]);
    await fetchRefs(repo, lane, [...forced, head, `+${specOf('rescue*')}`]);
  }
}

export async function fetchRefs(repo: Repo, lane: Repo, specs: readonly string[]): Promise<void> {
  await repo.write('fetch from lane', [
    ...['-c', 'protocol.file.allow=always', '-c', 'fetch.fsckObjects=false'],
    ...['fetch', '-q', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'],
    ...['--no-auto-maintenance', lane.gitDir, ...specs],
  ]);
}

export function homeRef({ run, lane }: Pick<LaneOf, 'run' | 'lane'>): string {
  return pawlRef(run, `lanes/${lane}/head`);
}

/** A lane's ref, as the repository names it. */
export function homeOf({ run, lane }: Pick<LaneOf, 'run' | 'lane'>, ref: string): string {
  const own = pawlRef(run, '');
  return ref.startsWith(own) ? `${own}lanes/${lane}/${ref.slice(own.length)}` : ref;
}
