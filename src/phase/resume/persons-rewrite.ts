// Accepts a squash or rebase that a person made while the run was stopped, if it contains everything the run has closed.
// The old commits are kept in a ref.
import { commitNow, headNow } from '../../event/rewritten.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { holdsKeys, judgeRewrite, saveRewritten } from '../../git/restore/rewritten-history.ts';
import { descends } from '../../git/run/ancestry.ts';
import type { Place } from '../../place/place.ts';

/**
 * Accepts it and returns the message to emit, if there was one. A history without the run's work is left to the resume
 * table.
 */
export async function acceptPersonsRewrite(place: Place): Promise<string | undefined> {
  const state = place.run.state();
  const { lastHead = state.started.base, ownHead = state.started.base } = state;
  const to = await readHeadCommit(place.repo);
  // A run with lanes may have stopped at a history that a person had rewritten meanwhile.
  for (const from of [place.run.options.leftHead ?? headNow(state, lastHead), commitNow(state, ownHead)]) {
    if (to === from || !(await isThere(place, from)) || (await descends(place.repo, from, to))) continue;
    return (await acceptRewrite(place, { from, to, byKeys: true })) ? toldRewrite : undefined;
  }
  return undefined;
}

/** What a person did, in words. */
export const toldRewrite = 'the commits were put into others by hand';

/**
 * Accepts the new history if it has the same files on the run's base or, with `byKeys`, everything that was closed; returns
 * true if it does.
 */
export async function acceptRewrite(
  place: Place,
  { from, to, byKeys }: Readonly<{ from: string; to: string; byKeys: boolean }>,
): Promise<boolean> {
  const { started, rewrites } = place.run.state();
  // A start may have been refused since.
  if (rewrites.some((known) => known.from === from && known.to === to)) return true;
  const rewrite = { base: started.base, from, to };
  const judged = await judgeRewrite(place.repo, rewrite);
  if (judged === 'other-base') return false;
  if (judged === 'other-files' && !(byKeys && (await holdsKeys(place.repo, rewrite)))) return false;
  const { kept, commits } = await saveRewritten(place.repo, { ...rewrite, run: place.run.id });
  if (commits.length === 0) return false;
  place.run.emit({ type: 'history-finalized', from, to, kept, commits: [...commits] });
  return true;
}

/** After a kill a commit survives only through a ref that nobody moved, or git's grace period for unreachable objects. */
async function isThere({ repo }: Place, oid: string): Promise<boolean> {
  return (await repo.git(['cat-file', '-t', oid], { okCodes: [0, 128] })).trim() === 'commit';
}
