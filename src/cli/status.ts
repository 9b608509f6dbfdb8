// `pawl status`: where the newest run stands, from its journal and the lock. It changes nothing and may be asked any time.

import { listRuns, type RunFolder } from '../journal/folder.ts';
import { spentBy } from '../journal/ledger.ts';
import { judgeQueue } from '../phase/queue.ts';
import { judgeStanding, type PutOff, type Standing } from '../report/standing.ts';
import { wordPutOff, wordStanding, wordStandingShort } from '../report/wording-standing.ts';
import type { Command } from './command.ts';
import { print, printLines } from './context.ts';
import { findRunHolder, findRuns, findStarts, needPlace, readRun } from './find-run.ts';
import type { Place } from './place.ts';

/** `all`: every run that is kept, newest first. `json`: one `Standing` or `PutOff`, or a list of them; `null` where there is no run. */
export type StatusOptions = Readonly<{ json?: boolean; all?: boolean }>;

/** Shows where a run stands. */
export const showStatus: Command<StatusOptions> = async (context, [plan], { json, all }) => {
  const place = needPlace(context);
  const putOff = findStarts(context, place, plan).map(putOffOf);
  const found = findRuns(context, place, { plan });
  // In a queue an older run may be the one that is worked on.
  const live = all ? undefined : found.find(({ run }) => findRunHolder(place, run));
  const runs = live ? [live, ...found] : found;
  const standings = (all ? runs : runs.slice(0, 1)).flatMap((run) =>
    all
      ? standingOf(place, run, true)
      : standingOf(place, run, false).map((one) => withQueue(place, one, run)),
  );
  if (json) {
    const shown = [...putOff, ...standings];
    print(context, JSON.stringify(all ? shown : (shown[0] ?? null), null, 2));
    return 0;
  }
  const options = { nowMs: context.now().getTime() };
  const [newest] = standings;
  for (const one of putOff) printLines(context, wordPutOff(one, options));
  if (!newest && putOff.length > 0) return 0;
  if (!newest) {
    print(
      context,
      plan === undefined ? 'There is no run in this repository yet.' : `There is no run of ${plan} here yet.`,
    );
    return 0;
  }
  const lines = all
    ? standings.map((each) => wordStandingShort(each, options))
    : wordStanding(newest, options);
  printLines(context, lines);
  return 0;
};

function putOffOf({ holder, start }: ReturnType<typeof findStarts>[number]): PutOff {
  const { pid, host, since } = holder;
  return { state: 'put off', plans: start.plans, startsAt: start.at, holder: { pid, host, since } };
}

/** One run's standing; with many to list, one whose journal cannot be read is passed over. */
function standingOf(place: Place, run: RunFolder, isOneOfMany: boolean): readonly Standing[] {
  try {
    const state = readRun(run);
    return [
      judgeStanding(state, {
        folder: run.folder,
        holder: findRunHolder(place, run.run),
        spent: spentBy(state),
      }),
    ];
  } catch (error) {
    if (isOneOfMany) return [];
    throw error;
  }
}

/** The standing with the plans of the run's queue, as far as their runs can be read. */
function withQueue(place: Place, standing: Standing, run: RunFolder): Standing {
  const { queue } = readRun(run);
  if (!queue) return standing;
  const runs = listRuns(place.commonDir).filter(({ started }) => queue.plans.includes(started.plan));
  const known = new Map(
    runs.flatMap((each) => standingOf(place, each, true).map((one) => [each.run, one] as const)),
  );
  const states = runs.flatMap((each) => {
    const state = known.has(each.run) ? readRun(each) : undefined;
    return state ? [{ run: each.run, plan: each.started.plan, state }] : [];
  });
  return {
    ...standing,
    queue: judgeQueue(queue, states).map(({ plan, run: of }) => {
      const state = of && known.get(of.run)?.state;
      return of && state ? { plan, state, run: of.run } : { plan, state: 'to come' };
    }),
  };
}
