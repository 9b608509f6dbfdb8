// `pawl fleet`: what a fleet does, and how old that is.
import { Failure } from '../failure.ts';
import { type FleetJob, formatFleet, formatJob } from '../report/status/format-fleet.ts';
import { takeRun } from '../start/carry/take.ts';
import type { SubmitOptions, TakeOptions, WorkerOptions } from '../start/command-options.ts';
import { type CliContext, print, printLines } from '../start/context.ts';
import { runEntered } from '../start/drive-run.ts';
import { submitPlan } from '../start/fleet/submit.ts';
import { askJob, openFleet, readFleet, readFleetConfig, readJob } from '../start/fleet/view.ts';
import { runWorker } from '../start/fleet/worker.ts';
import type { Command } from './command.ts';
import { wishes } from './steer.ts';

/** A word before a job takes it out of the queue (`cancel`), or asks something of its run. */
export const showFleet: Command<Readonly<{ json?: boolean }>> = async (
  context,
  [word, named, ...words],
  { json },
) => {
  const wish = word !== undefined && Object.hasOwn(wishes, word) ? wishes[word] : undefined;
  if (wish && named !== undefined) {
    print(context, await askJob(context, named, wish(words, {})));
    return 0;
  }
  if (word !== undefined) {
    const job = await jobOf(context, word, named);
    if (json) print(context, JSON.stringify(job, null, 2));
    else printLines(context, formatJob(job));
    return 0;
  }
  await using queue = await openFleet(readFleetConfig(context));
  const view = await readFleet(queue);
  if (json) print(context, JSON.stringify(view, null, 2));
  else printLines(context, formatFleet(view));
  return 0;
};

async function jobOf(context: CliContext, word: string, named: string | undefined): Promise<FleetJob> {
  const cancels = word === 'cancel';
  if (cancels === (named !== undefined)) return readJob(context, named ?? word, cancels);
  throw new Failure('usage', named === undefined ? 'no job is named' : `pawl fleet cannot ${word} a job`, {
    hint: 'pawl fleet cancel, answer, steer, pause, continue, stop, skip, retry or budget <job>; `pawl fleet` lists them.',
  });
}

export const takeCarried: Command<TakeOptions> = async (context, [wish = ''], options) => {
  const entered = await takeRun(context, wish, options);
  return entered ? (await runEntered(context, entered)).exit : 0;
};

export const submit: Command<SubmitOptions> = (context, [plan = ''], options) =>
  submitPlan(context, plan, options);

export const work: Command<WorkerOptions> = (context, _args, options) => runWorker(context, options);
