// Tasks that must be worked on alone although the plan does not say so: they may change what all tasks' checks are made of,
// and so what "done" means for each of them.
import { findDeclared } from '../check/definition.ts';
import { matchesAny } from '../git/tree/glob.ts';
import type { Plan, Task } from '../plan/plan.ts';
import { placeSharedChecks, readDefinitions } from './work.ts';

/** Finds the file because of which a task must be alone, going by what the plan's checks now name below the root. */
export function findAloneFor(
  root: string,
  plan: Plan,
  { checks }: Readonly<{ checks: readonly string[] }>,
): (task: Task) => string | undefined {
  const definitions = readDefinitions({ repo: { root } }, placeSharedChecks(plan, checks));
  return ({ files }) => findDeclared(definitions, { globs: files, matches: matchesAny });
}
