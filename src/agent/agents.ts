// Every agent pawl knows, one row each.
import { type AgentName, shippedNameOf } from '../agent-name.ts';
import type { Config } from '../config/schema.ts';
import { acpAdapters } from './acp/adapter.ts';
import type { Adapter, ObeyedFiles, Whereabouts } from './adapter.ts';
import type { Agent } from './agent.ts';
import { claudeAdapter } from './claude/adapter.ts';
import { codexAdapter } from './codex/adapter.ts';
import { scriptAdapter } from './script/adapter.ts';

const adapters: Readonly<Record<AgentName, Adapter>> = {
  claude: claudeAdapter,
  codex: codexAdapter,
  ...acpAdapters,
  script: scriptAdapter,
};

/** By default the configured one's. */
export function adapterOf(config: Pick<Config, 'agent'>, name?: string): Adapter {
  return adapters[shippedNameOf(config, name)];
}

/** pawl passes none of them on. */
export const outerVariables: readonly string[] = Object.values(adapters).flatMap(
  ({ outerVariables: own = [] }) => own,
);

export function isAgentVariable(name: string): boolean {
  return Object.values(adapters).some(({ variables }) => variables?.test(name));
}

/** Whether it is an agent's variable that this one has a use for; a script may have for each. */
export function usesVariable(
  config: Pick<Config, 'agent'>,
  agent: string,
  { name, env }: Readonly<{ name: string; env: Whereabouts['env'] }>,
): boolean {
  const { variables, uses } = adapterOf(config, agent);
  return isAgentVariable(name) && (uses?.(name, env) ?? variables?.test(name) ?? true);
}

export const filesAgentsObey: readonly ObeyedFiles[] = Object.values(adapters).flatMap(
  ({ obeys }) => obeys ?? [],
);

/** Empty for a script without one. */
export function programOf(config: Pick<Config, 'agent'>): string {
  return config.agent[shippedNameOf(config)].command ?? '';
}

export function packageOf(name: AgentName): string | undefined {
  return adapters[name].npmPackage;
}

/** Undefined for a script, which is the user's own. */
export function installerOf(config: Pick<Config, 'agent'>): string | undefined {
  const npmPackage = packageOf(shippedNameOf(config));
  return npmPackage && `npm install --global ${npmPackage}`;
}

/**
 * By default the configured agent; without `where` it only parses recorded output. An unknown name, or a script without
 * a program, throws Failure('config').
 */
export function shippedAgent(
  config: Pick<Config, 'agent' | 'clocks'>,
  where: Whereabouts | undefined,
  name: string = config.agent.name,
  script?: string,
): Agent {
  const shipped = adapterOf(config, name).make(config, { where, script });
  const login = config.agent.logins[name];
  if (!login) return shipped;
  const command: Agent['command'] = (request) => {
    const given = shipped.command(request);
    return { ...given, env: { ...given.env, ...login.env } };
  };
  return { ...shipped, name, uses: login.use, command };
}
