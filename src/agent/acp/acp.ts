// How an agent that speaks ACP on stdio is started.

import type { AcpName } from '../../agent-name.ts';
import { defined } from '../../defined.ts';
import type { Agent, AgentCommand, AgentRequest } from '../agent.ts';
import { AcpConversation } from './conversation.ts';
import { type AcpEntry, acpEntries } from './entries.ts';

export type AcpSettings = Readonly<{
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Absent: the one with full access. */
  mode?: string | undefined;
  model?: string | undefined;
}>;

export function acpAgent(name: AcpName, settings: AcpSettings): Agent {
  const entry = acpEntries[name];
  return {
    name,
    can: {
      usage: entry.counts ?? false,
      // Some compute it from prices that may be missing: no budget could rely on it.
      cost: false,
      schema: false,
      followUp: true,
      plainAnswer: false,
      resume: entry.resume !== undefined,
    },
    silentAtLimit: entry.silentAtLimit,
    firstEventHint: 'see whether the program speaks ACP on stdio, and needs other arguments for that',
    command: (request) => command(entry, settings, request),
    open: (opening) =>
      new AcpConversation(opening, {
        counts: entry.counts ?? false,
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
  };
}
