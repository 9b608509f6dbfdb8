// Carries the end of a finished run whose remote was not told.
import { defined } from '../../defined.ts';
import { asFailure, needFailure } from '../../failure.ts';
import { refuseUnknownRemote, withOneClock } from '../../git/carry/remote.ts';
import { readRef } from '../../git/run/head.ts';
import type { Repo } from '../../git/run/repo.ts';
import type { RunFolder } from '../../journal/folder.ts';
import { Journal } from '../../journal/journal.ts';
import { acquireLock } from '../../journal/lock.ts';
import type { RunState } from '../../journal/state.ts';
import { differing, headOf, readContent } from '../../phase/carry/content.ts';
import { carriedRefs, readRun } from '../../phase/carry/owner.ts';
import { branchAt, carryRun } from '../../phase/carry/push-run.ts';
import { type CliContext, printNote } from '../context.ts';
import { placeOfRun } from '../find-run.ts';
import type { Place } from '../locate.ts';
import { maskKnown } from '../messages.ts';
import { openPlace } from '../open-place.ts';
import { machineOf, remoteOf } from './prepare-carry.ts';

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
  if (carry.failed?.what !== 'branch' && (await isEnd(repo, last))) return 0;
  const say = (why: string) => {
    printNote(context, `Not all of the run is on ${carry.remote}: ${why}`);
    return 8;
  };
  try {
    await refuseUnknownRemote(repo, carry.remote);
    const head = headOf(state);
    const files = readContent(run.folder, await maskKnown(context));
    const work = state.ended?.tree && (await differing(repo, head, state.ended.tree));
    const { now: oid, end } = await carryRun(repo, withOneClock(remoteOf(config, carry.remote)), {
      state,
      head,
      files,
      work,
      branch: await branchAt(repo, state, head),
      by: { host: machineOf(config), pawl: context.version, at: context.now().toISOString() },
      carry: { ...carry, ...defined({ oid: last ?? carry.oid }) },
    });
    if (end.kind === 'fenced') return say(`${end.by.host} has taken the run up`);
    if (end.branch !== undefined) return say(end.branch);
    if (carry.failed) await tellCarried(context, place, run, { oid, head });
    printNote(context, `${carry.remote} has all of the run now.`);
    return 0;
  } catch (error) {
    const failure = needFailure(error);
    return say(failure.message);
  }
}

async function tellCarried(
  context: CliContext,
  place: Place,
  run: RunFolder,
  what: Readonly<{ oid: string; head: string }>,
): Promise<void> {
  using _lock = acquireLock(placeOfRun(place, run).gitDir, run.run, context.now());
  using journal = new Journal(run.folder, await maskKnown(context));
  journal.append({ type: 'carry', state: 'done', ...what, caughtUp: true }, context.now());
}

async function isEnd(repo: Repo, last: string | undefined): Promise<boolean> {
  try {
    return last !== undefined && (await readRun(repo, last)).ended;
  } catch (error) {
    if (asFailure(error)) return false;
    throw error;
  }
}
