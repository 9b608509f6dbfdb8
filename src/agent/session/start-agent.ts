// Starts an agent's process.
import { defined } from '../../defined.ts';
import { childEnvironment } from '../../process/environment.ts';
import type { Spawned } from '../../process/spawn.ts';
import type { AgentCommand, Conversation } from '../agent.ts';
import type { SessionDeps, SessionPlan } from './session-plan.ts';

export type StartedAgent = Readonly<{ spawned: Spawned; command: AgentCommand; conversation: Conversation }>;

/** If it could not be started, the fact has process id 0. */
export function startAgent(deps: SessionDeps, plan: SessionPlan): StartedAgent {
  const command = plan.agent.command(plan.request);
  const spawned = deps.spawn({
    file: command.file,
    args: command.args,
    cwd: plan.cwd,
    env: childEnvironment(plan.env, { set: command.env, mark: plan.mark }),
    input: 'pipe',
  });
  try {
    deps.emit({
      type: 'session-started',
      session: plan.number,
      role: plan.role,
      ...defined({ task: plan.task, attempt: plan.attempt, model: plan.request.model }),
      ...defined({ reviewer: plan.reviewer }),
      ...defined({ maxCostUsd: plan.request.maxCostUsd }),
      cwd: plan.cwd,
      agent: plan.agent.name,
      ...defined({ uses: plan.agent.uses, insteadOf: plan.insteadOf }),
      pid: spawned.pid ?? 0,
      mark: plan.mark.slice(plan.mark.indexOf('=') + 1),
      configKeptOut: !plan.request.trusted,
      ...(plan.notes?.length ? { notes: [...plan.notes] } : {}),
      ...defined({ continues: plan.continues?.session }),
    });
  } catch (error) {
    // Without the fact nobody would know about it.
    spawned.signal('SIGKILL');
    throw error;
  }
  return { spawned, command, conversation: plan.agent.open({ request: plan.request, cwd: plan.cwd }) };
}
