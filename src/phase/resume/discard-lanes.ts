// The lanes of a run that is given up: what they hold is shown and saved with the rest, then they go.
import { existsSync } from 'node:fs';
import { defined } from '../../defined.ts';
import { type SavedLane, saveLane } from '../../git/lane/save-lane.ts';
import type { Repo } from '../../git/run/repo.ts';
import type { StillRun } from './undo.ts';

/** One lane. Without `saved` git cannot read it: its folder stays. */
export type DiscardedLane = Readonly<{ lane: number; folder: string; saved?: SavedLane }>;

/** Saves what is in those that are there. */
export async function saveLanes({
  repo,
  run,
  rescue,
}: Readonly<{ repo: Repo; run: StillRun; rescue: Readonly<{ include: readonly string[] }> }>): Promise<
  readonly DiscardedLane[]
> {
  const { lanes, started } = run.state;
  const { include } = rescue;
  const found: DiscardedLane[] = [];
  for (const [lane, { folder }] of lanes) {
    if (!existsSync(folder)) continue;
    const saved = await saveLane(repo, { folder, run: run.id, lane, branch: started.branch, include });
    found.push({ lane, folder, ...defined({ saved }) });
  }
  return found;
}
