// Whether a planner may be asked now. Pure.
import { fixed } from '../../config/fixed.ts';
import type { Config } from '../../config/schema.ts';
import type { ReplanWhy } from '../../event/replan.ts';
import type { RunState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import { isClosed, type Plan } from '../../plan/plan.ts';

const steps = ['never', 'on-failure', 'on-request', 'after-each-task'] as const;
const needed = { failure: 'on-failure', request: 'on-request', 'after-task': 'after-each-task' } as const;

export function mayAskReplan(
  { run: { config, state } }: Pick<Place, 'run'>,
  { plan }: Readonly<{ plan: Plan }>,
): boolean {
  return mayReplan({ config, replans: state().replans }, 'request', plan);
}

/** Another tool's list is never changed. */
export function mayReplan(
  { config, replans }: Readonly<{ config: Pick<Config, 'replan'> }> & Pick<RunState, 'replans'>,
  why: ReplanWhy,
  plan: Plan,
): boolean {
  if (plan.format !== 'tasks' || plan.tasks.every(isClosed)) return false;
  if (steps.indexOf(config.replan) < steps.indexOf(needed[why])) return false;
  // A re-plan that changed nothing cost no more than a look.
  const counted = replans.filter(({ ended }) => ended !== undefined && ended.result !== 'unchanged');
  return counted.length < fixed.replans;
}
