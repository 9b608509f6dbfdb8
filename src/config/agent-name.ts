// The agents that settings, stages and options may name. What each of them is, is the agent room's.

/** Names of all that are shipped. */
export const agentNames = ['claude', 'codex', 'script'] as const;

/** One of them. */
export type AgentName = (typeof agentNames)[number];
