// What a finalizing session may do to the run's commits: replace them, as long as the files and the base stay the same. The
// result is journaled at once, so that it is never mistaken for lost history.

import { headNow } from '../../event/rewritten.ts';
import { readHeadCommit, type Snapshot } from '../../git/protect/snapshot.ts';
import { judgeRewrite, saveRewritten } from '../../git/restore/rewritten-history.ts';
import type { RestoreOptions } from '../../git/restore/violation.ts';
import { descends } from '../../git/run/ancestry.ts';
import type { Place } from '../../place/place.ts';

/** Accepts a HEAD with the same files on the run's own base. */
export function finalizeRule(place: Place): Pick<RestoreOptions, 'mayStay'> {
  return { mayStay: (to) => acceptRewrite(place, to) };
}

async function acceptRewrite(place: Place, to: string): Promise<true | string> {
  const { finalizing, fixes, started } = place.run.state();
  const task = finalizing?.started.task ?? '';
  const first = fixes.get(task)?.start?.commit;
  if (first === undefined) return 'the history was rewritten before the finalizing began';
  const rewrite = { base: started.base, from: headNow(place.run.state(), first), to };
  const judged = await judgeRewrite(place.repo, rewrite);
  if (judged !== 'same') return reds[judged];
  const { kept, commits } = await saveRewritten(place.repo, { ...rewrite, run: place.run.id });
  place.run.emit({ type: 'history-finalized', task, from: rewrite.from, to, kept, commits: [...commits] });
  return true;
}

const reds = {
  'other-files':
    'the history was rewritten, and its files are not the same: put other commits in the place of these, and leave changes of files uncommitted',
  'other-base': 'the history was rewritten and is no longer based on the commit at which the run began',
} as const;

/** The snapshot, updated for a session that has since rewritten the history: its result is what must be there. */
export function asFinalized(place: Pick<Place, 'run'>, before: Snapshot): Snapshot {
  const head = headNow(place.run.state(), before.head);
  if (head === before.head) return before;
  const { branch } = place.run.state().started;
  return { ...before, head, refs: new Map(before.refs).set(`refs/heads/${branch}`, head) };
}

/** Commits that a finalizing replaced, while their replacements are in the branch. */
export async function listFinalized(place: Place): Promise<ReadonlySet<string>> {
  const { rewrites } = place.run.state();
  const last = rewrites.at(-1);
  if (!last) return new Set();
  if (!(await descends(place.repo, last.to, await readHeadCommit(place.repo)))) return new Set();
  return new Set(rewrites.flatMap(({ commits }) => commits.map(({ old }) => old)));
}
