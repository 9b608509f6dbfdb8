// The names of agents that settings, stages and options may use.
import { Failure } from './failure.ts';

/** They speak the Agent Client Protocol; `acp` is any other such program. */
export const acpNames = ['opencode', 'gemini', 'qwen', 'kimi', 'copilot', 'acp'] as const;

export type AcpName = (typeof acpNames)[number];

export const agentNames = ['claude', 'codex', ...acpNames, 'script'] as const;

export type AgentName = (typeof agentNames)[number];

/** Another login of a shipped agent, as an agent of its own. `env`: its sessions' variables. */
export type Login = Readonly<{ use: AgentName; env: Readonly<Record<string, string>> }>;

export type AgentSettings = Readonly<{
  agent: Readonly<{ name: string; logins: Readonly<Record<string, Login>> }>;
}>;

export function agentNamesOf({ agent }: AgentSettings): readonly string[] {
  return [...agentNames, ...Object.keys(agent.logins)];
}

/** Also for a login's name; an unknown name throws Failure('config'). */
export function shippedNameOf(config: AgentSettings, name = config.agent.name): AgentName {
  const found = agentNames.find((each) => each === name) ?? config.agent.logins[name]?.use;
  if (found) return found;
  const names = agentNamesOf(config);
  throw new Failure('config', `there is no agent ${name}`, {
    hint: `There are ${names.slice(0, -1).join(', ')} and ${names.at(-1)}.`,
  });
}

export function commandKey(name: AgentName): string {
  const isProgram = acpNames.some((each) => each === name);
  return `${isProgram ? 'agents' : 'agent'}.${name}.command`;
}
