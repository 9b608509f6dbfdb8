// Tells of commits that a person made on the branch while tasks are worked on in lanes: they are caught up with like a landing.
import { describeCommits } from '../../git/run/ancestry.ts';
import { readLog } from '../../git/run/log.ts';
import type { Place } from '../../place/place.ts';
import { headOf } from './catch-up.ts';

/** Journals those since the run last spoke of the branch's head, once. */
export async function noteOthersCommits(trunk: Place): Promise<void> {
  const { lastHead, started } = trunk.run.state();
  const head = await headOf(trunk);
  if (lastHead === undefined || lastHead === head) return;
  const commits = await readLog(trunk.repo, [`${lastHead}..${head}`, '--']);
  const theirs = commits.filter(({ message }) => !message.includes(`\nPawl-Run: ${trunk.run.id}`));
  if (theirs.length === 0) return;
  const [newest] = theirs;
  const words = await describeCommits(trunk.repo, { start: lastHead, head, branch: started.branch });
  const text = `${words} by hand meanwhile, up to ${newest?.oid.slice(0, 12)}`;
  if (trunk.run.state().interventions.some((known) => known.text === text)) return;
  trunk.run.emit({ type: 'intervention', kind: 'hand-edit', text });
}
