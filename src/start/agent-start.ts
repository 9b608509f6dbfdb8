// Whether the agent can be started at all, judged before a run changes anything.
import { adapterOf, installerOf, programOf } from '../agent/agents.ts';
import { agentNames } from '../config/agent-name.ts';
import type { Config } from '../config/schema.ts';
import { Failure } from '../failure.ts';
import type { Plan } from '../plan/plan.ts';
import { findStartError } from '../process/program.ts';
import { agentLocationOf } from './agent-location.ts';
import type { CliContext } from './context.ts';

/** What keeps the configured agent from starting; undefined when nothing does. */
export function judgeAgentStart(context: CliContext, config: Config): Failure | undefined {
  const { agent } = config;
  const command = programOf(config);
  if (findStartError(command, context.cwd, context.env['PATH']) !== undefined) {
    const install = installerOf(agent.name);
    const first = install === undefined ? '' : `${install}, or `;
    return new Failure('agent-refused', `the agent’s program ${command} was not found`, {
      hint: `${first}name another: agent.${agent.name}.command`,
    });
  }
  const found = adapterOf(agent.name).examinePermissions?.(config, agentLocationOf(context, config));
  if (found?.state !== 'fail') return undefined;
  return new Failure('preflight', found.says, found.remedy === undefined ? {} : { hint: found.remedy });
}

/** The same for an agent that an open task names; undefined where all can start. */
export function judgeTaskAgents(
  context: CliContext,
  config: Config,
  { tasks }: Pick<Plan, 'tasks'>,
): Failure | undefined {
  const isOpen = ({ steps }: Plan['tasks'][number]) => steps.some(({ ticked }) => !ticked);
  const named = new Set(tasks.filter(isOpen).map(({ agent }) => agent));
  const others = agentNames.filter((name) => name !== config.agent.name && named.has(name));
  for (const name of others) {
    const failure = judgeAgentStart(context, { ...config, agent: { ...config.agent, name } });
    if (failure) return failure;
  }
  return undefined;
}
