// Caps before a start: the one that holds when nobody set any, and agents that could not be held to those that are set.
import type { Agent } from '../agent/agent.ts';
import type { BudgetName, Cap, Caps } from '../event/budget.ts';
import { Failure } from '../failure.ts';
import { defaultMaxSessions } from '../phase/budget.ts';
import type { Plan, Task } from '../plan/plan.ts';

/** The caps with the sessions a plan of that size may take when nobody says how many. */
export function withDefault({ settings, asked }: Caps, plan: Plan): Caps {
  if (settings.some(({ budget }) => budget === 'sessions')) return { settings, asked };
  const cap = defaultMaxSessions(plan.tasks.length);
  return { settings: [...settings, { budget: 'sessions', cap, from: 'default' }], asked };
}

/** Throws when a task's agent does not report what a budget is counted in: nobody would know that it is spent. */
export function refuseBlind({ name, can }: Agent, task: Task, { settings, asked }: Caps): void {
  const needs = [...settings, ...asked].find((cap) => isBlindTo(can, cap));
  const own = !can.cost && task.budget !== undefined;
  if (!needs && !own) return;
  const what = needs ? `${keyOf[needs.budget]} (${needs.from})` : `the budget of task ${task.id}`;
  const unit = needs?.budget === 'tokens' ? 'how many tokens it uses' : 'what it costs';
  throw new Failure('config', `${what} cannot be held: the agent ${name} does not report ${unit}`, {
    hint: [
      'Cap what pawl counts itself, --max-sessions or --max-time, or take this cap away;',
      'a script that prints stream-json with cost and tokens says so with agent.script.reportsCost.',
    ].join('\n'),
  });
}

const keyOf: Readonly<Record<BudgetName, string>> = {
  cost: 'budgets.maxCost',
  day: 'budgets.day',
  tokens: 'budgets.maxTokens',
  time: 'budgets.maxTime',
  sessions: 'budgets.maxSessions',
};

function isBlindTo(can: Agent['can'], { budget }: Cap): boolean {
  switch (budget) {
    case 'cost':
    case 'day':
      return !can.cost;
    case 'tokens':
      return !can.usage;
    case 'time':
    case 'sessions':
      return false;
  }
}
