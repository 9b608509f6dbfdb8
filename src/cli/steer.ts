// `pawl pause`, `continue`, `stop`, `steer`, `skip`, `retry` and `set`: sends a command to the run.

import type { ControlCommand, ControlReply } from '../control/request.ts';
import { defined } from '../defined.ts';
import { Failure } from '../failure.ts';
import type { Holder } from '../journal/holder.ts';
import type { RunState } from '../journal/state.ts';
import { line } from '../report/text/line.ts';
import { type CliContext, print, printLines } from '../start/context.ts';
import { findLiveRuns, findRunHolder, findRuns, needPlace, needRun, readRun } from '../start/find-run.ts';
import { type AskedRun, sendCommand } from '../start/send-command.ts';
import type { Command } from './command.ts';

export type SteerOptions = Readonly<{ plan?: string; now?: boolean; task?: string }>;

type Steer = Command<SteerOptions>;

export const pauseRun: Steer = askingRun(({ now = false }) => ({ do: 'pause', now }));

export const continueRun: Steer = askingRun(() => ({ do: 'continue' }));

export const stopRun: Steer = askingRun(() => ({ do: 'stop' }));

export const steerRun: Steer = asking((words, { task, now = false }) => ({
  do: 'steer',
  text: words.join(' '),
  now,
  ...defined({ task }),
}));

export const skipTask: Steer = asking(([task]) => ({ do: 'skip', ...defined({ task }) }));

export const retryTask: Steer = asking(([task]) => ({
  do: 'retry',
  ...defined({ task }),
}));

export const setForRun: Steer = asking(([, value = '']) => ({
  do: 'set-budget',
  maxCostUsd: readDollars(value),
}));

function asking(command: (words: readonly string[], options: SteerOptions) => ControlCommand): Steer {
  return async (context, words, options) => ask(context, options.plan, command(words, options));
}

function askingRun(command: (options: SteerOptions) => ControlCommand): Steer {
  return async (context, [plan], options) => ask(context, plan, command(options));
}

export function readDollars(text: string): number {
  const dollars = /^\$?(\d+(?:\.\d+)?)$/.exec(text.trim())?.[1];
  if (dollars !== undefined) return Number(dollars);
  throw new Failure('usage', `“${text}” is not a number of US dollars`, { hint: 'pawl set budget 20' });
}

export type AnswerOptions = Readonly<{ plan?: string }>;

export const answerTask: Command<AnswerOptions> = async (context, [task, ...words], { plan }) => {
  if (task !== undefined && words.length === 0)
    throw new Failure('usage', `what is the answer to task ${task}?`, {
      hint: `pawl answer ${task} "…"; pawl answer alone shows the questions`,
    });
  const command = task === undefined ? undefined : ({ do: 'answer', task, answer: words.join(' ') } as const);
  const asked = findAskedRun(context, plan);
  if (command) return askRun(context, asked, command);
  printQuestions(context, readRun(asked.run));
  return 0;
};

function printQuestions(context: CliContext, { tasks }: RunState): void {
  const parked = [...tasks.values()].filter(({ standing }) => standing === 'parked');
  printLines(
    context,
    parked.map(({ id, title, question = '' }) => line('plain', `Task ${id} (${title}) asks: ${question}`)),
  );
  if (parked.length === 0) print(context, 'No task waits for an answer.');
}

/** Without a plan, a live run (of this working tree before others), else the one last worked on. */
function findAskedRun(context: CliContext, plan: string | undefined): AskedRun {
  const place = needPlace(context);
  const live = plan === undefined ? findLiveRuns(place) : [];
  const own = live.find(({ gitDir }) => gitDir === place.gitDir) ?? (live.length === 1 ? live[0] : undefined);
  if (!own && live.length > 1) throw severalRuns(live);
  const run = own ? findRuns(context, place, own.holder.run)[0] : needRun(context, place, plan);
  if (!run) throw new Failure('locked', 'a pawl is just starting here', { hint: 'Ask again in a moment.' });
  return { place, run, holder: findRunHolder(place, run.run) };
}

async function ask(context: CliContext, plan: string | undefined, command: ControlCommand): Promise<number> {
  return askRun(context, findAskedRun(context, plan), command);
}

/** A command that does not apply throws a Failure that says why. */
async function askRun(context: CliContext, asked: AskedRun, command: ControlCommand): Promise<number> {
  return printReply(context, await sendCommand(context, asked, command));
}

function printReply(context: CliContext, reply: ControlReply): number {
  if (!reply.ok) throw new Failure('usage', reply.error, defined({ hint: reply.hint }));
  print(context, reply.text);
  return 0;
}

function severalRuns(live: readonly Readonly<{ holder: Holder }>[]): Failure {
  const runs = live.map(({ holder }) => `${holder.run} (process ${holder.pid})`).join(', ');
  return new Failure('usage', `pawl works on several runs here: ${runs}`, {
    hint: 'Ask from the working tree of the one you mean, or name its plan.',
  });
}
