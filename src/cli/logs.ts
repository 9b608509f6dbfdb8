// `pawl logs`: replays a run from its journal and raw streams; polls a live one.
import { setTimeout as wait } from 'node:timers/promises';
import { parseDuration } from '../duration.ts';
import type { Event, Stamped } from '../event.ts';
import type { RunFolder } from '../journal/folder.ts';
import { replayRun } from '../journal/replay.ts';
import type { RunListener, RunState } from '../journal/state.ts';
import { readerOf } from '../start/agent-start.ts';
import type { SeeOptions } from '../start/command-options.ts';
import { type CliContext, print, printNote } from '../start/context.ts';
import { findRunHolder, needPlace, needRun, readRun } from '../start/find-run.ts';
import type { Place } from '../start/locate.ts';
import { maskKnown } from '../start/messages.ts';
import { noSuchTask } from '../start/read-diff.ts';
import { createScreen } from '../start/reporters.ts';
import type { Command } from './command.ts';

/** `json`: NDJSON. */
type LogsOptions = SeeOptions['logs'];

/** Between two looks, milliseconds. */
const lookMs = 250;
/** After so many without news it checks whether anybody still works. */
const looksBeforeAsking = 8;

export const showLogs: Command<LogsOptions> = async (context, [word], options) => {
  const place = needPlace(context);
  const found = needRun(context, place, word);
  // A follower may wait for a task to come.
  if (!options.follow && options.task !== undefined) refuseUnknownTask(found, options.task);
  const mask = await maskKnown(context);
  const show = shower(context, place, options);
  const replay = replayRun(found, { readerOf, mask, show });
  const signal = AbortSignal.any([context.signal, context.outputClosed]);
  let quiet = 0;
  for (;;) {
    const news = replay.look();
    quiet = news ? 0 : quiet + 1;
    if (!options.follow || replay.isOver()) return 0;
    if (quiet > 0 && quiet % looksBeforeAsking === 0 && !findRunHolder(place, found.run)) {
      printNote(context, 'No pawl is working on this run any more.');
      return 0;
    }
    if (!(await wait(lookMs, true, { signal }).catch(() => false))) return 0;
  }
};

/** One since removed from the plan may have been worked on. */
function refuseUnknownTask(found: RunFolder, task: string): void {
  const state = readRun(found);
  const isWorkedOn = [...state.sessions.values()].some(({ started }) => started.task === task);
  if (!isWorkedOn && !state.tasks.has(task) && !state.fixes.has(task)) throw noSuchTask(state, task);
}

function shower(context: CliContext, { commonDir }: Place, options: LogsOptions): RunListener {
  const spanMs = parseDuration(options.since ?? '');
  const since = spanMs === undefined ? undefined : context.now().getTime() - spanMs;
  const wanted = { task: options.task, since };
  if (options.json)
    return (event, state) => {
      if (isWanted(event, state, wanted) && (event.type !== 'activity' || options.verbose))
        print(context, JSON.stringify(event));
    };
  const replayed = { isTty: false, times: true, isReplay: true };
  const terminal = createScreen(context, { ...options, commonDir }, replayed);
  return (event, ...states) =>
    isWanted(event, states[0], wanted)
      ? terminal.report(event, ...states)
      : terminal.recall(event, states[0]);
}

/** Of one task, or since a time, epoch milliseconds. */
function isWanted(
  event: Stamped<Event>,
  { sessions }: RunState,
  { task, since }: Readonly<{ task: string | undefined; since: number | undefined }>,
): boolean {
  const of = { task: undefined, session: undefined, ...event };
  const its = of.task ?? sessions.get(of.session ?? 0)?.started.task;
  return (task === undefined || its === task) && (since === undefined || Date.parse(event.at) >= since);
}
