// Brings what a lane holds home into the repository: its branch, and all that pawl keeps there. From then on the lane's folder
// may go.
import { pawlRef } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';

/** Whose lane it is. */
export type LaneOf = Readonly<{ run: string; lane: number; branch: string }>;

/** Fetches the lane's branch and pawl's own refs in it, all below `refs/pawl/<run>/lanes/<lane>/`. */
export async function fetchHome(repo: Repo, lane: Repo, of: LaneOf): Promise<void> {
  const own = pawlRef(of.run, '*');
  await repo.write('fetch from lane', [
    ...['-c', 'protocol.file.allow=always', '-c', 'fetch.fsckObjects=false'],
    ...[
      'fetch',
      '-q',
      '--no-tags',
      '--no-write-fetch-head',
      '--no-recurse-submodules',
      '--no-auto-maintenance',
    ],
    lane.gitDir,
    `+${own}:${pawlRef(of.run, `lanes/${of.lane}/*`)}`,
    `+refs/heads/${of.branch}:${homeRef(of)}`,
  ]);
}

/** The ref that keeps the lane's branch in the repository. */
export function homeRef({ run, lane }: Pick<LaneOf, 'run' | 'lane'>): string {
  return pawlRef(run, `lanes/${lane}/head`);
}
