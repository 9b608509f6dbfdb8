// Which agents a run could start, and whether each can, judged before anything changes.

import type { Whereabouts } from '../agent/adapter.ts';
import { adapterOf, installerOf, isAgentVariable, programOf } from '../agent/agents.ts';
import { agentNamesOf, commandKey, shippedNameOf } from '../agent-name.ts';
import type { Config } from '../config/schema.ts';
import type { Stage } from '../config/stages.ts';
import { defined } from '../defined.ts';
import { Failure } from '../failure.ts';
import type { Plan } from '../plan/plan.ts';
import { findStartError } from '../process/find-program.ts';
import { passthroughEnvironment } from '../sandbox/env-passthrough.ts';
import type { CliContext } from './context.ts';

/** The configured one, then fallbacks, those of open tasks and of stages. An optional stage without one is skipped. */
export function agentsInUse(
  config: Pick<Config, 'agent'>,
  { tasks = [], stages = [] }: Readonly<{ tasks?: Plan['tasks']; stages?: readonly Stage[] }>,
): readonly string[] {
  const { agent } = config;
  const isOpen = ({ steps }: Plan['tasks'][number]) => steps.some(({ ticked }) => !ticked);
  const named = new Set<string | undefined>([
    ...agent.fallback,
    ...tasks.filter(isOpen).map((task) => task.agent),
    ...stages.filter(({ optional }) => !optional).map((stage) => stage.agent),
  ]);
  return [agent.name, ...agentNamesOf(config).filter((name) => name !== agent.name && named.has(name))];
}

export function withAgent<T extends Pick<Config, 'agent'>>(config: T, name: string): T {
  return { ...config, agent: { ...config.agent, name } };
}

export function judgeAgentStarts(
  context: CliContext,
  config: Config,
  names: readonly string[],
): Failure | undefined {
  for (const name of names) {
    const failure = judgeAgentStart(context, withAgent(config, name));
    if (failure) return failure;
  }
  return undefined;
}

function judgeAgentStart(context: CliContext, config: Config): Failure | undefined {
  const command = programOf(config);
  if (findStartError(command, context.cwd, context.env['PATH']) !== undefined)
    return missingProgram(config, 'was not found');
  const found = adapterOf(config).examinePermissions?.(config, agentLocationOf(context, config));
  if (found?.state !== 'fail') return undefined;
  return new Failure('preflight', found.says, defined({ hint: found.remedy }));
}

export function missingProgram(config: Pick<Config, 'agent'>, where: string, remedy?: string): Failure {
  const { name, fallback } = config.agent;
  const install = installerOf(config);
  const other = `name another: ${commandKey(shippedNameOf(config))}`;
  const first = remedy ?? (install === undefined ? other : `${install}, or ${other}`);
  return new Failure('agent-refused', `the agent’s program ${programOf(config)} ${where}`, {
    hint: fallback.includes(name) ? `${first}\nOr take ${name} out of agent.fallback.` : first,
  });
}

/** Of agents other than the configured one, which are needed when nobody is watching. */
export function findLoginDoubts(
  context: CliContext,
  config: Config,
  names: readonly string[],
): readonly string[] {
  return names.flatMap((name) => {
    const given = withAgent(config, name);
    const found = adapterOf(given).examineLogin?.(given, agentLocationOf(context, given));
    if (!found || found.state === 'ok') return [];
    return [`${name}: ${found.says}${found.remedy === undefined ? '' : `; ${found.remedy}`}`];
  });
}

/** In a sandbox an agent sees only the variables passed in, and no home. */
export function agentLocationOf(
  { env, folders, platform, uid }: Pick<CliContext, 'env' | 'folders' | 'platform' | 'uid'>,
  { agent, sandbox }: Pick<Config, 'agent' | 'sandbox'>,
): Whereabouts {
  const own = agent.logins[agent.name]?.env;
  if (sandbox.kind === 'none')
    return { env: { ...env, ...own }, home: folders.home, platform, uid, isInside: false };
  const crossing = passthroughEnvironment(env, sandbox.env, isAgentVariable);
  return { env: { ...crossing, ...own }, home: '/nonexistent', platform: 'linux', uid, isInside: true };
}
