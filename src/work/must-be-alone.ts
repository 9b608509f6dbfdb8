// Tasks that must not be worked on beside others although the plan does not say so: they may change what the checks of all
// tasks are made of, and with that what being done means for every one.
import { findDeclared } from '../check/definition.ts';
import { matchesAny } from '../git/tree/glob.ts';
import type { Plan, Task } from '../plan/plan.ts';
import { placeSharedChecks, readDefinitions } from './work.ts';

/** Finds the file for which a task of the plan must be alone, by what its checks name below the root now. */
export function findAloneFor(
  root: string,
  plan: Plan,
  { checks }: Readonly<{ checks: readonly string[] }>,
): (task: Task) => string | undefined {
  const definitions = readDefinitions({ repo: { root } }, placeSharedChecks(plan, checks));
  return ({ files }) => findDeclared(definitions, { globs: files, matches: matchesAny });
}
