// The names of agents that settings, stages and options may use. agent/ knows what each one is.

/** Names of all that are shipped. */
export const agentNames = ['claude', 'codex', 'script'] as const;

/** One of them. */
export type AgentName = (typeof agentNames)[number];
