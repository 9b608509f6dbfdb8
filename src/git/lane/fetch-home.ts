// Fetches what a ground or lane holds into the repository, so that its folder may be removed.
import { leadsTo } from '../run/ancestry.ts';
import { listRefs } from '../run/head.ts';
import { earlierName, isPassing, pawlRef } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';

export type LaneOf = Readonly<{ run: string; lane: number; branch: string }>;

const ofLane = ['tree*', 'absorbed/*', 'kept/*', 'lost/*', 'rescue*'];

/** Into `refs/pawl/<run>/lanes/<lane>/`. */
export function fetchHome(repo: Repo, lane: Repo, of: LaneOf): Promise<void> {
  return fetchOwn(repo, lane, { ...of, folder: `lanes/${of.lane}/`, tails: ofLane });
}

type OwnRefs = Readonly<{ run: string; branch: string; folder: string; tails: readonly string[] }>;

/** pawl's own refs, into a folder of the run's, and the branch as its `head`. */
export async function fetchOwn(repo: Repo, from: Repo, of: OwnRefs): Promise<void> {
  const { run, branch, folder, tails } = of;
  const [there, here] = [pawlRef(run, ''), pawlRef(run, folder)];
  await keepReplaced(repo, from, of);
  const specs = tails.map((tail) => `+${there}${tail}:${here}${tail}`);
  await fetchRefs(repo, from, [...specs, `+refs/heads/${branch}:${here}head`]);
}

/** A session may have removed refs: what does not lead up to what replaces it stays below `earlier/`. */
async function keepReplaced(
  repo: Repo,
  from: Repo,
  { run, folder }: Pick<OwnRefs, 'run' | 'folder'>,
): Promise<void> {
  const [there, here] = [pawlRef(run, ''), pawlRef(run, folder)];
  const [now, known] = await Promise.all([listRefs(from, [there]), listRefs(repo, [here])]);
  for (const [ref, old] of known) {
    const next = now.get(there + ref.slice(here.length));
    if (next === undefined || next === old || isPassing(ref) || (await leadsTo(from, old, next))) continue;
    await repo.write('keep what is replaced', ['update-ref', earlierName(ref, old), old]);
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
