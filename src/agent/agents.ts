// The list of every agent pawl knows, one row each.
import type { AgentName } from '../agent-name.ts';
import type { Config } from '../config/schema.ts';
import { Failure } from '../failure.ts';
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

export function adapterOf(name: AgentName): Adapter {
  return adapters[name];
}

/** Variables that any agent sets for programs it starts: pawl passes none of them on. */
export const outerVariables: readonly string[] = Object.values(adapters).flatMap(
  ({ outerVariables: own = [] }) => own,
);

/** Whether a variable holds a login or a setting of some agent. */
export function isAgentVariable(name: string): boolean {
  return Object.values(adapters).some(({ variables }) => variables?.test(name));
}

export const filesAgentsObey: readonly ObeyedFiles[] = Object.values(adapters).flatMap(
  ({ obeys }) => obeys ?? [],
);

/** The program that starts the configured agent; empty for a script without one. */
export function programOf({ agent }: Pick<Config, 'agent'>): string {
  return agent[agent.name].command ?? '';
}

/** The command that installs an agent's shipped program; undefined for a script, which is the user's own. */
export function installerOf(name: AgentName): string | undefined {
  const { npmPackage } = adapters[name];
  return npmPackage && `npm install --global ${npmPackage}`;
}

/**
 * The agent with that name, by default the configured one. `where` it is going to work; absent: it only parses recorded
 * output. `script`: a script agent's program, by default the configured one. An unknown name, or a script without a
 * program, throws Failure('config').
 */
export function shippedAgent(
  config: Pick<Config, 'agent' | 'clocks'>,
  where: Whereabouts | undefined,
  name: string = config.agent.name,
  script?: string,
): Agent {
  const names = Object.keys(adapters) as AgentName[];
  const known = names.find((each) => each === name);
  if (known) return adapters[known].make(config, { where, script });
  const all = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  throw new Failure('config', `there is no agent ${name}`, { hint: `There are ${all}.` });
}
