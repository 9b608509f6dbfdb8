// Carries the end of a finished run whose remote was not told.
import { fixed } from '../../config/fixed.ts';
import { defined } from '../../defined.ts';
import { asFailure, needFailure } from '../../failure.ts';
import { refuseUnknownRemote, withOneClock } from '../../git/carry/remote.ts';
import { readRef } from '../../git/run/head.ts';
import type { Repo } from '../../git/run/repo.ts';
import type { RunFolder } from '../../journal/folder.ts';
import { Journal } from '../../journal/journal.ts';
import { acquireLock } from '../../journal/lock.ts';
import type { RunState } from '../../journal/state.ts';
import type { Carry } from '../../journal/state-parts.ts';
import { headOf, readContent } from '../../phase/carry/content.ts';
import { carriedRefs, readRun } from '../../phase/carry/owner.ts';
import { carryRun } from '../../phase/carry/push-run.ts';
import { sleep } from '../../process/clock.ts';
import { type CliContext, printNote } from '../context.ts';
import { placeOfRun } from '../find-run.ts';
import type { Place } from '../locate.ts';
import { maskKnown } from '../messages.ts';
import { type OpenPlace, openPlace } from '../open-place.ts';
import { formatUncarried, machineOf, remoteNamed } from './prepare-carry.ts';

/** An exit code to combine with the run's. */
export async function carryEnd(
  context: CliContext,
  place: Place,
  ended: Readonly<{ run: RunFolder; state: RunState }>,
): Promise<number> {
  const { carry } = ended.state;
  if (!carry || carry.fenced) return 0;
  const { repo, config } = await openPlace(context, place);
  const last = await readRef(repo, carriedRefs(ended.run.run).pushed);
  // With `branch`, the end was carried, but not its branch.
  if (carry.failed?.what !== 'branch' && (await isEnd(repo, last))) return 0;
  const own = { ...carry, ...defined({ oid: last ?? carry.oid }) };
  let wrong: string | undefined;
  for (let tried = 1; tried <= fixed.carryTries; tried += 1) {
    if (tried > 1 && !(await sleep(fixed.carryAgainMs, context.signal))) break;
    try {
      await refuseUnknownRemote(repo, carry.remote);
      wrong = await carryOnce(context, { repo, config, place }, { ...ended, carry: own });
      break;
    } catch (error) {
      wrong = formatUncarried(ended.state, needFailure(error).message);
    }
  }
  printNote(context, wrong ?? `${carry.remote} has all of the run now.`);
  return wrong === undefined ? 0 : 8;
}

/** Returns why not all of it is there, and what to do. */
async function carryOnce(
  context: CliContext,
  { repo, config, place }: OpenPlace & Readonly<{ place: Place }>,
  { run, state, carry }: Readonly<{ run: RunFolder; state: RunState; carry: Carry }>,
): Promise<string | undefined> {
  const head = headOf(state);
  const mask = await maskKnown(context);
  const { now: oid, end } = await carryRun(repo, withOneClock(remoteNamed(carry.remote)), {
    state,
    head,
    files: readContent(run.folder, mask),
    tree: state.course.ended?.tree,
    withBranch: true,
    by: { host: machineOf(config), pawl: context.version, at: context.now().toISOString() },
    carry,
  });
  if (end.kind === 'fenced')
    return `Not all of the run is on ${carry.remote}: ${end.by.host} has taken it up`;
  if (end.branch !== undefined) return formatUncarried(state, end.branch);
  if (!carry.failed) return undefined;
  using _lock = acquireLock(placeOfRun(place, run).gitDir, run.run, context.now());
  using journal = new Journal(run.folder, mask);
  journal.append({ type: 'carry', state: 'done', oid, head, caughtUp: true }, context.now());
  return undefined;
}

async function isEnd(repo: Repo, last: string | undefined): Promise<boolean> {
  try {
    return last !== undefined && (await readRun(repo, last)).ended;
  } catch (error) {
    if (asFailure(error)) return false;
    throw error;
  }
}
