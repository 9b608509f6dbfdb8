// `pawl diff`: what a run, or one of its tasks, has changed since it began.
import { needPlace, needRun } from '../start/find-run.ts';
import { readDiff } from '../start/read-diff.ts';
import type { Command } from './command.ts';

export type DiffOptions = Readonly<{ plan?: string; stat?: boolean }>;

/** Prints the diff; exits with 0 even if it is empty. */
export const showDiff: Command<DiffOptions> = async (context, [task], { plan, stat }) => {
  const place = needPlace(context);
  const run = needRun(context, place, { plan });
  const look = [...(stat ? ['--stat'] : []), ...(context.colour ? ['--color=always'] : [])];
  context.stdout.write(await readDiff(context, { place, run, task, look }));
  return 0;
};
