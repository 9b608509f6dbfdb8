// `pawl fleet take`: continues here a run that is carried on a remote.
import { Failure } from '../failure.ts';
import { type TakeOptions, takeRun } from '../start/carry/take.ts';
import { runEntered } from '../start/run-one.ts';
import type { Command } from './command.ts';

/** Takes a run up, and works on it to its end. */
export const takeCarried: Command<TakeOptions> = async (context, [wish], options) => {
  if (wish === undefined)
    throw new Failure('usage', 'pawl fleet take needs the run, or its branch', {
      hint: '`pawl status --remote` lists the runs that are carried.',
    });
  const entered = await takeRun(context, wish, options);
  return entered ? (await runEntered(context, entered)).exit : 0;
};
