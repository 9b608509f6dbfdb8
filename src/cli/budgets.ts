// Caps before a start: the one that holds when nobody set any, and agents that could not be held to those that are set.
import type { Agent } from '../agent/agent.ts';
import type { Caps } from '../event/budget.ts';
import { Failure } from '../failure.ts';
import { findBlind } from '../phase/blind.ts';
import { defaultMaxSessions } from '../phase/budget.ts';
import type { Plan, Task } from '../plan/plan.ts';

/** The caps with the sessions a plan of that size may take when nobody says how many. */
export function withDefault({ settings, asked }: Caps, plan: Plan): Caps {
  if (settings.some(({ budget }) => budget === 'sessions')) return { settings, asked };
  const cap = defaultMaxSessions(plan.tasks.length);
  return { settings: [...settings, { budget: 'sessions', cap, from: 'default' }], asked };
}

/** Throws when a task's agent does not report what a budget is counted in: nobody would know that it is spent. */
export function refuseBlind(
  agent: Agent,
  task: Pick<Task, 'id' | 'budget'>,
  { settings, asked }: Caps,
): void {
  const blind = findBlind(agent, { settings, asked });
  const own = !agent.can.cost && task.budget !== undefined;
  if (!blind && !own) return;
  const ofTask = `the budget of task ${task.id} cannot be held: the agent ${agent.name} does not report what it costs`;
  throw new Failure('config', blind?.reason ?? ofTask, {
    hint: [
      'Cap what pawl counts itself, --max-sessions or --max-time, or take this cap away;',
      'a script that prints stream-json with cost and tokens says so with agent.script.reportsCost.',
    ].join('\n'),
  });
}
