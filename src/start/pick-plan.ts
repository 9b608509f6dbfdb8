// Asks the person at the terminal which of several plans is meant, each with its title and progress.
import path from 'node:path';
import { Failure } from '../failure.ts';
import { readPlanFile } from '../plan/file.ts';
import { parsePlan } from '../plan/parse.ts';
import { isClosed } from '../plan/plan.ts';
import type { CliContext } from './context.ts';

/** The plan that was picked, of paths from the current folder; undefined: none. */
export async function pickPlan(
  { cwd, stdin, stderr, signal }: CliContext,
  plans: readonly string[],
): Promise<string | undefined> {
  const { isCancel, select } = await import('@clack/prompts');
  const options = plans.map((value) => ({ value, label: value, hint: describe(path.resolve(cwd, value)) }));
  const picked = await select({ message: 'Which plan?', options, input: stdin, output: stderr, signal });
  return isCancel(picked) ? undefined : picked;
}

/** A plan that cannot be read may be picked all the same: its command says what is wrong with it. */
function describe(file: string): string {
  try {
    const { title, tasks } = parsePlan(readPlanFile(file).text, file);
    const open = tasks.filter((task) => !isClosed(task)).length;
    return `${title}: ${open} of ${tasks.length} tasks open`;
  } catch (error) {
    if (error instanceof Failure) return 'not there, or not readable';
    throw error;
  }
}
