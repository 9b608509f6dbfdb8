// `pawl pause`, `continue`, `stop`, `steer`, `skip`, `retry` and `set`: turns words into a command and sends it to the run.

import type { ControlCommand } from '../control/request.ts';
import { defined } from '../defined.ts';
import { Failure } from '../failure.ts';
import { ask } from './ask-run.ts';
import type { Command } from './command.ts';

/** Options of the commands that steer; absent if not given. */
export type SteerOptions = Readonly<{ plan?: string; now?: boolean; task?: string }>;

type Steer = Command<SteerOptions>;

/** `pawl pause [plan] [--now]` */
export const pauseRun: Steer = askingRun(({ now = false }) => ({ do: 'pause', now }));

/** `pawl continue [plan]` */
export const continueRun: Steer = askingRun(() => ({ do: 'continue' }));

/** `pawl stop [plan]` */
export const stopRun: Steer = askingRun(() => ({ do: 'stop' }));

/** `pawl steer <text…> [--task N] [--now]` */
export const steerRun: Steer = asking((words, { task, now = false }) => ({
  do: 'steer',
  text: words.join(' '),
  now,
  ...defined({ task }),
}));

/** `pawl skip [task]` */
export const skipTask: Steer = asking(([task]) => ({ do: 'skip', ...defined({ task }) }));

/** `pawl retry [task]` */
export const retryTask: Steer = asking(([task]) => ({
  do: 'retry',
  ...defined({ task }),
}));

/** `pawl set budget <dollars>` */
export const setForRun: Steer = asking(([, value = '']) => ({
  do: 'set-budget',
  maxCostUsd: readDollars(value),
}));

function asking(command: (words: readonly string[], options: SteerOptions) => ControlCommand): Steer {
  return async (context, words, options) => ask(context, options.plan, command(words, options));
}

/** For commands about a run as a whole, whose only word is its plan. */
function askingRun(command: (options: SteerOptions) => ControlCommand): Steer {
  return async (context, [plan], options) => ask(context, plan ?? options.plan, command(options));
}

export function readDollars(text: string): number {
  const dollars = /^\$?(\d+(?:\.\d+)?)$/.exec(text.trim())?.[1];
  if (dollars !== undefined) return Number(dollars);
  throw new Failure('usage', `“${text}” is not a number of US dollars`, { hint: 'pawl set budget 20' });
}
