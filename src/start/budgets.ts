// Caps at a start: the default if nobody set any, and agents that cannot be held to those that are set.
import type { Agent } from '../agent/agent.ts';
import type { Stage } from '../config/stages.ts';
import type { Caps } from '../event/caps.ts';
import { Failure } from '../failure.ts';
import type { OpenRequest } from '../phase/open/open-request.ts';
import type { Task } from '../plan/plan.ts';
import { findBlind } from '../work/budget/blind.ts';
import { defaultMaxSessions } from '../work/budget/budget.ts';

/** The caps, with a default number of sessions for that many tasks and those review stages if nobody set one. */
export function withDefault(
  { settings, asked }: Caps,
  { tasks, stages }: Readonly<{ tasks: number; stages: readonly Stage[] }>,
): Caps {
  if (settings.some(({ budget }) => budget === 'sessions')) return { settings, asked };
  const cap = defaultMaxSessions(tasks, stages);
  return { settings: [...settings, { budget: 'sessions', cap, from: 'default' }], asked };
}

/** Like `refuseBlind`, for reviewers. An optional stage is skipped when its turn comes. */
export function refuseBlindReviewers(
  { agentNamed }: Pick<OpenRequest['base'], 'agentNamed'>,
  stages: readonly Stage[],
  caps: Caps,
): void {
  for (const { name, agent, script, optional } of stages) {
    if (optional) continue;
    const one = script === undefined ? agentNamed(agent) : agentNamed('script', script);
    refuseBlind(one, { id: name }, caps);
  }
}

/** Like `refuseBlind`, for fallbacks. */
export function refuseBlindFallbacks(
  { agentNamed, config: { agent } }: Pick<OpenRequest['base'], 'agentNamed' | 'config'>,
  caps: Caps,
): void {
  for (const name of agent.fallback) refuseBlind(agentNamed(name), { id: 'agent.fallback' }, caps);
}

/** Throws if a task's agent does not report what a budget counts: it could be exceeded unnoticed. */
export function refuseBlind(
  agent: Agent,
  task: Pick<Task, 'id'> & Partial<Pick<Task, 'budget'>>,
  { settings, asked }: Caps,
): void {
  const blind = findBlind(agent, { settings, asked });
  const own = !agent.can.cost && task.budget !== undefined;
  if (!blind && !own) return;
  const ofTask = `the budget of task ${task.id} cannot be enforced: the agent ${agent.name} does not report its cost`;
  throw new Failure('config', blind?.reason ?? ofTask, {
    hint: [
      'Use a cap that pawl counts itself (--max-sessions or --max-time), or remove this one;',
      'for a script that prints stream-json with cost and tokens, set agent.script.reportsCost.',
    ].join('\n'),
  });
}
