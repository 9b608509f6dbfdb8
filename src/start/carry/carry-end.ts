// Carries the end of a finished run whose remote was not told.
import { needFailure } from '../../failure.ts';
import { refuseUnknownRemote, withOneClock } from '../../git/carry/remote.ts';
import { readRef } from '../../git/run/head.ts';
import type { RunFolder } from '../../journal/folder.ts';
import { Journal } from '../../journal/journal.ts';
import { acquireLock } from '../../journal/lock.ts';
import type { RunState } from '../../journal/state.ts';
import { headOf, readContent } from '../../phase/carry/content.ts';
import { carriedRefs, readRun } from '../../phase/carry/owner.ts';
import { carryRun } from '../../phase/carry/push-run.ts';
import { type CliContext, printNote } from '../context.ts';
import { placeOfRun } from '../find-run.ts';
import type { Place } from '../locate.ts';
import { maskKnown } from '../messages.ts';
import { openPlace } from '../open-place.ts';
import { formatUncarried, machineOf, remoteNamed } from './prepare-carry.ts';

/** An exit code to combine with the run's. */
export async function carryEnd(
  context: CliContext,
  place: Place,
  { run, state }: Readonly<{ run: RunFolder; state: RunState }>,
): Promise<number> {
  const { carry } = state;
  if (!carry || carry.fenced) return 0;
  const { repo, config } = await openPlace(context, place);
  const last = await readRef(repo, carriedRefs(run.run).pushed);
  // With `branch`, the end was carried, but not its branch.
  const isAll = carry.failed?.what !== 'branch' && last !== undefined;
  if (isAll && (await readRun(repo, last, 'owner.json')).ended) return 0;
  let wrong: string | undefined;
  try {
    await refuseUnknownRemote(repo, carry.remote);
    const head = headOf(state);
    const mask = await maskKnown(context);
    const { now, parted, fenced } = await carryRun(repo, withOneClock(remoteNamed(carry.remote)), {
      ...{ state, carry, head, files: readContent(run.folder, mask), tree: state.course.ended?.tree },
      withBranch: true,
      by: { host: machineOf(config), pawl: context.version, at: context.now().toISOString() },
    });
    if (fenced) wrong = `Not all of the run is on ${carry.remote}: ${fenced.host} has taken it up.`;
    else if (parted !== undefined) wrong = formatUncarried(state, parted);
    else if (carry.failed) {
      using _lock = acquireLock(placeOfRun(place, run).gitDir, run.run, context.now());
      using journal = new Journal(run.folder, mask);
      journal.append({ type: 'carry', state: 'done', oid: now, head, caughtUp: true }, context.now());
    }
  } catch (error) {
    wrong = formatUncarried(state, needFailure(error).message);
  }
  printNote(context, wrong ?? `${carry.remote} has all of the run now.`);
  return wrong === undefined ? 0 : 8;
}
