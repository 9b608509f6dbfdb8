// Tasks to be worked on alone, though the plan does not say so: they may change all tasks' checks.
import { classify } from '../check/classes.ts';
import { declaresFile } from '../check/names-file.ts';
import type { Plan, Task } from '../plan/plan.ts';
import type { WidthLint } from '../plan/width/lint-width.ts';
import { callsOf, placeSharedChecks } from './work.ts';

/** Reads files only for more than one at once. */
export function judgeWidth(
  root: string,
  plan: Plan,
  { jobs, checks }: Readonly<{ jobs: number; checks: readonly string[] }>,
): WidthLint {
  if (jobs < 2) return { jobs };
  const shared = placeSharedChecks(plan, checks);
  const { files, recipes } = callsOf({ repo: { root } }, shared);
  const called = [...files, ...recipes];
  const isConfig = (glob: string) => !/[*?[{]|sh$/.test(glob) && classify(glob) === 'config';
  const aloneFor = (task: Task) =>
    called.find((file) => task.files.some((glob) => declaresFile(glob, file))) ??
    (shared.length === 0 ? undefined : task.files.find(isConfig));
  return { jobs, aloneFor };
}
