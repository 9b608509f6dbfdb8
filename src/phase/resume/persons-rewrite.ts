// Accepts a squash or rebase that a person made while the run stood still, if it holds everything the run has closed. The old
// commits are kept as a ref.
import { commitNow, headNow } from '../../event/rewritten.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { holdsKeys, judgeRewrite, saveRewritten } from '../../git/restore/rewritten-history.ts';
import { descends } from '../../git/run/ancestry.ts';
import type { Place } from '../../place/place.ts';

/** Takes them; what is to be told of it, where there are any. What does not hold the run's work is left to the resume table. */
export async function acceptPersonsRewrite(place: Place): Promise<string | undefined> {
  const state = place.run.state();
  const { lastHead = state.started.base, ownHead = state.started.base } = state;
  const to = await readHeadCommit(place.repo);
  // A run with lanes may have stopped with what a person had rewritten meanwhile.
  for (const from of [place.run.options.leftHead ?? headNow(state, lastHead), commitNow(state, ownHead)]) {
    if (to === from || !(await isThere(place, from)) || (await descends(place.repo, from, to))) continue;
    return (await acceptRewrite(place, { from, to, byKeys: true })) ? toldRewrite : undefined;
  }
  return undefined;
}

/** What a person did, in words. */
export const toldRewrite = 'the commits were put into others by hand';

/** Takes one history for the other where it holds the same files on the run's base, or `byKeys` all that was closed; true when it does. */
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

/** After a kill only a ref that nobody moved, or the time that git gives what it has lost, keeps a commit. */
async function isThere({ repo }: Place, oid: string): Promise<boolean> {
  return (await repo.git(['cat-file', '-t', oid], { okCodes: [0, 128] })).trim() === 'commit';
}
