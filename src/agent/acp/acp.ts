// An agent that speaks the Agent Client Protocol on stdio: how it is started. What is said either way is conversation.ts;
// what differs between such agents is entries.ts.

import type { AcpName } from '../../config/agent-name.ts';
import { defined } from '../../defined.ts';
import type { Agent, AgentCommand, AgentRequest } from '../agent.ts';
import { AcpConversation } from './conversation.ts';
import { type AcpEntry, acpEntries } from './entries.ts';

/** The settings of one such agent. */
export type AcpSettings = Readonly<{
  /** Program name or path. */
  command: string;
  /** Put before pawl's own arguments. */
  args: readonly string[];
  /** Variables that it gets besides. */
  env: Readonly<Record<string, string>>;
  /** Mode of the agent that is set at the start; absent: the one of full access. */
  mode?: string | undefined;
  /** Default model; a request's own wins. */
  model?: string | undefined;
}>;

/** Makes the agent of that name. */
export function acpAgent(name: AcpName, settings: AcpSettings): Agent {
  const entry = acpEntries[name];
  return {
    name,
    can: {
      usage: entry.counting !== 'unknown',
      // Some tell a cost, by prices that may not be set: a budget could not rely on it.
      cost: false,
      limits: false,
      budget: false,
      schema: false,
      followUp: true,
      idle: true,
      plainAnswer: false,
      resume: entry.resume !== undefined,
    },
    silentAtLimit: entry.silentAtLimit,
    firstEventHint: 'see whether the program speaks ACP on stdio, and needs other arguments for that',
    command: (request) => command(entry, settings, request),
    open: (opening) =>
      new AcpConversation(opening, {
        counting: entry.counting,
        resume: entry.resume,
        mode: settings.mode ?? entry.mode,
        model: entry.modelFlag === undefined ? (opening?.request.model ?? settings.model) : undefined,
      }),
  };
}

function command(entry: AcpEntry, settings: AcpSettings, request: AgentRequest): AgentCommand {
  const model = request.model ?? settings.model;
  const named = entry.modelFlag !== undefined && model !== undefined ? [entry.modelFlag, model] : [];
  return {
    file: settings.command,
    args: [...settings.args, ...entry.args, ...named],
    env: defined({ ...entry.env, ...settings.env }),
    input: 'conversation',
  };
}
