// What a start judges a plan by if several tasks are wanted at once: what checks are made of, and how long they took
// before.
import type { Config } from '../config/schema.ts';
import type { Plan } from '../plan/plan.ts';
import type { WidthLint } from '../plan/width/lint-width.ts';
import { findAloneFor } from '../work/must-be-alone.ts';
import { readCheckTimes } from './read-history.ts';

/** Reads files and journals only if more than one task is wanted. */
export function judgeWidth(
  plan: Plan,
  { jobs, checks }: Pick<Config, 'jobs' | 'checks'>,
  place: Readonly<{ root: string; commonDir?: string }>,
): WidthLint {
  if (jobs < 2) return { jobs };
  const took = place.commonDir === undefined ? {} : { took: readCheckTimes(place.commonDir) };
  return { jobs, aloneFor: findAloneFor(place.root, plan, { checks }), ...took };
}
