// OpenAI's codex (0.169.0) as an agent, in its own read-only sandbox for a session that only reads.
import type { Agent } from '../agent.ts';
import { AppServer } from './app-server.ts';
import { recordReader } from './read-notice.ts';

export type CodexSettings = Readonly<{
  command: string;
  args: readonly string[];
  model?: string | undefined;
  effort?: string | undefined;
}>;

export function codexAgent(settings: CodexSettings): Agent {
  return {
    name: 'codex',
    can: {
      usage: true,
      cost: false,
      schema: true,
      followUp: true,
      plainAnswer: false,
      resume: true,
    },
    pieces,
    blindHint:
      'see whether `codex sandbox -- true` works by hand; bubblewrap before 0.9 needs a CODEX_HOME outside temporary folders',
    firstEventHint: 'see whether `codex app-server` starts by hand; a version without it is too old',
    command: ({ trusted }) => ({
      file: settings.command,
      // Without consent AGENTS.md is not read.
      args: [...settings.args, 'app-server', ...(trusted ? [] : ['-c', 'project_doc_max_bytes=0'])],
      env: {},
    }),
    open: (opening) =>
      opening
        ? new AppServer(opening, {
            model: opening.request.model ?? settings.model,
            effort: opening.request.effort ?? settings.effort,
          })
        : recordReader(),
  };
}

/** The server prints `method` first; another order is parsed like any line. */
const pieces = [
  '{"method":"item/agentMessage/delta"',
  '{"method":"item/reasoning/',
  '{"method":"item/commandExecution/outputDelta"',
];
