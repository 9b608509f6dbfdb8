// `pawl fleet`: the queue, the workers and the runs of a fleet, with the age of what it shows.
import { Failure } from '../failure.ts';
import type { FleetJob } from '../report/status/fleet-view.ts';
import { formatFleet, formatJob } from '../report/status/format-fleet.ts';
import { type CliContext, print, printLines } from '../start/context.ts';
import { askJob } from '../start/fleet/ask-job.ts';
import { openFleet, readFleetConfig } from '../start/fleet/settings.ts';
import { changeJob, readFleet, readJob } from '../start/fleet/view.ts';
import type { Command } from './command.ts';
import { readWish } from './fleet-wish.ts';

/**
 * Shows everything, or one job; with a word before a job: takes it out of the queue (`cancel`), lets it begin although the
 * job it comes after is not done (`release`), or asks something of its run.
 */
export const showFleet: Command<Readonly<{ json?: boolean }>> = async (
  context,
  [word, named, ...words],
  { json },
) => {
  const wish = word === undefined || named === undefined ? undefined : readWish(word, words);
  if (wish && named !== undefined) {
    print(context, await askJob(context, named, wish));
    return 0;
  }
  if (word !== undefined) {
    const job = await jobOf(context, word, named);
    if (json) print(context, JSON.stringify(job, null, 2));
    else printLines(context, formatJob(job));
    return 0;
  }
  await using fleet = await openFleet(readFleetConfig(context));
  const view = await readFleet(fleet);
  if (json) print(context, JSON.stringify(view, null, 2));
  else printLines(context, formatFleet(view));
  return 0;
};

async function jobOf(context: CliContext, word: string, named: string | undefined): Promise<FleetJob> {
  const isAct = word === 'cancel' || word === 'release';
  if (isAct && named !== undefined) return changeJob(context, word, named);
  if (!isAct && named === undefined) return readJob(context, word);
  throw new Failure('usage', named === undefined ? 'no job is named' : `pawl fleet cannot ${word} a job`, {
    hint: 'pawl fleet cancel, release, answer, steer, pause, continue, stop, skip, retry or budget <job>; `pawl fleet` lists them.',
  });
}
