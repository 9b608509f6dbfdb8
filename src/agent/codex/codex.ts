// OpenAI's codex as an agent: one prompt on stdin, and an answer that follows a schema if one is given. Flags as of codex
// 0.169.0; read-line.ts reads its output.
import type { Agent, AgentCommand, AgentRequest } from '../agent.ts';
import { readCodex } from './read-line.ts';

/** The settings under `agent.codex`. */
export type CodexSettings = Readonly<{
  /** Program name or path. */
  command: string;
  /** Put before pawl's own arguments. */
  args: readonly string[];
  /** Default model; a request's own wins. */
  model?: string | undefined;
  /** Default effort word; a request's own wins. */
  effort?: string | undefined;
  /** codex's own sandbox for sessions that may write. `none`: it may do everything, as claude's bypass. */
  sandbox: 'none' | 'workspace-write';
}>;

/** Makes the agent `codex`. */
export function codexAgent(settings: CodexSettings): Agent {
  return {
    name: 'codex',
    can: {
      usage: true,
      cost: false,
      limits: false,
      budget: false,
      schema: true,
      followUp: false,
      idle: false,
      plainAnswer: false,
      resume: false,
    },
    blindHint:
      'see whether `codex sandbox -- true` works by hand; bubblewrap before 0.9 needs a CODEX_HOME outside temporary folders',
    firstEventHint: 'see whether `codex exec --json` works by hand',
    command: (request) => command(settings, request),
    open: () => ({
      read: (line) => ({ events: readCodex(line) }),
      write: (message) => (message.type === 'prompt' ? `${message.text}\n` : undefined),
    }),
  };
}

function command(settings: CodexSettings, request: AgentRequest): AgentCommand {
  const model = request.model ?? settings.model;
  const effort = request.effort ?? settings.effort;
  return {
    file: settings.command,
    args: [
      ...settings.args,
      'exec',
      '--json',
      ...sandboxOf(settings, request),
      ...(model === undefined ? [] : ['--model', model]),
      ...(effort === undefined ? [] : ['-c', `model_reasoning_effort=${JSON.stringify(effort)}`]),
      ...(request.schemaFile === undefined ? [] : ['--output-schema', request.schemaFile]),
      // AGENTS.md of a repository that nobody consented to stays unread.
      ...(request.trusted ? [] : ['-c', 'project_doc_max_bytes=0']),
      '-',
    ],
    env: {},
    input: 'prompt',
  };
}

function sandboxOf({ sandbox }: CodexSettings, { readOnly }: AgentRequest): readonly string[] {
  if (readOnly) return ['--sandbox', 'read-only'];
  return sandbox === 'none'
    ? ['--dangerously-bypass-approvals-and-sandbox']
    : ['--sandbox', 'workspace-write'];
}
