// Parses the raw lines of an agent's sessions by its name.
import { shippedAgent } from '../agent/agents.ts';
import { configSchema } from '../config/schema.ts';
import type { AgentEvent } from '../event/activity.ts';

/** Nothing of an agent that this pawl does not know. */
export function readerOf(name: string): (line: string) => readonly AgentEvent[] {
  const config = configSchema.safeParse({ agent: { name, script: { command: 'none' } } });
  if (!config.success) return () => [];
  const agent = shippedAgent(config.data, undefined);
  const conversation = agent.open();
  return (line) => conversation.read(line).events;
}
