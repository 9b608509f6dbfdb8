// The names of agents that settings, stages and options may use. agent/ knows what each shipped one is.

import { Failure } from './failure.ts';

/** Those that speak the Agent Client Protocol; `acp` is any other program that does. */
export const acpNames = [
  ...(['opencode', 'gemini', 'qwen', 'kimi', 'copilot'] as const),
  ...(['codex-acp', 'claude-acp', 'acp'] as const),
] as const;

/** The name of an agent that speaks ACP. */
export type AcpName = (typeof acpNames)[number];

/** Names of all shipped agents. */
export const agentNames = ['claude', 'codex', ...acpNames, 'script'] as const;

/** The name of a shipped agent. */
export type AgentName = (typeof agentNames)[number];

/** Another login of a shipped agent, which is an agent of its own. `env`: variables of its sessions. */
export type Login = Readonly<{ use: AgentName; env: Readonly<Record<string, string>> }>;

/** The part of the settings that says which agents there are. */
export type AgentSettings = Readonly<{
  agent: Readonly<{ name: string; logins: Readonly<Record<string, Login>> }>;
}>;

/** Every agent that settings, tasks and stages may name. */
export function agentNamesOf({ agent }: AgentSettings): readonly string[] {
  return [...agentNames, ...Object.keys(agent.logins)];
}

/** The shipped agent with that name, or that the login uses; an unknown name throws Failure('config'). */
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
