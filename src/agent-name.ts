// The names of agents that settings, stages and options may use. agent/ knows what each one is.

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

export function commandKey(name: AgentName): string {
  const isProgram = acpNames.some((each) => each === name);
  return `${isProgram ? 'agents' : 'agent'}.${name}.command`;
}
