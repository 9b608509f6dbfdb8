// OpenAI's codex as an agent (0.169.0): a conversation with its app server; or `codex exec`, one prompt and one answer, for
// sessions that only read and where the settings ask for it.
import type { Agent, AgentCommand, AgentRequest, Conversation, ConversationOpening } from '../agent.ts';
import { AppServer } from './app-server.ts';
import { readExec } from './read-exec.ts';
import { recordReader } from './read-notice.ts';

/** The settings under `agent.codex`. */
export type CodexSettings = Readonly<{
  /** Program name or path. */
  command: string;
  /** Come before pawl's own arguments. */
  args: readonly string[];
  /** Default model; a request's own takes precedence. */
  model?: string | undefined;
  /** Default effort level; a request's own takes precedence. */
  effort?: string | undefined;
}>;

/** Makes the agent `codex`. */
export function codexAgent(settings: CodexSettings): Agent {
  return {
    name: 'codex',
    can: {
      usage: true,
      cost: false,
      limits: true,
      budget: false,
      schema: true,
      followUp: true,
      idle: true,
      plainAnswer: false,
      resume: true,
    },
    pieces,
    blindHint:
      'see whether `codex sandbox -- true` works by hand; bubblewrap before 0.9 needs a CODEX_HOME outside temporary folders',
    firstEventHint: 'see whether `codex app-server` starts by hand; a version without it is too old',
    command: (request) => command(settings, request),
    open: (opening) => open(settings, opening),
  };
}

/** The server prints `method` first; a line in another order is parsed like any other. */
const pieces = [
  '{"method":"item/agentMessage/delta"',
  '{"method":"item/reasoning/',
  '{"method":"item/commandExecution/outputDelta"',
];

function open(settings: CodexSettings, opening: ConversationOpening | undefined): Conversation {
  // A session that only reads gives one answer to one prompt.
  if (opening && !opening.request.readOnly)
    return new AppServer(opening, {
      model: opening.request.model ?? settings.model,
      effort: opening.request.effort ?? settings.effort,
    });
  // A record may contain either; their lines differ in the first word.
  const readServer = recordReader();
  const read = opening
    ? readExec
    : (line: string) => (line.startsWith('{"type"') ? readExec(line) : readServer(line));
  return {
    read: (line) => ({ events: read(line) }),
    write: (message) => (message.type === 'prompt' ? `${message.text}\n` : undefined),
  };
}

function command(settings: CodexSettings, request: AgentRequest): AgentCommand {
  // AGENTS.md of a repository that nobody consented to is not read.
  const docs = request.trusted ? [] : ['-c', 'project_doc_max_bytes=0'];
  const { command: file, args } = settings;
  if (!request.readOnly)
    return { file, args: [...args, 'app-server', ...docs], env: {}, input: 'conversation' };
  const model = request.model ?? settings.model;
  const effort = request.effort ?? settings.effort;
  return {
    file,
    args: [
      ...args,
      'exec',
      '--json',
      ...['--sandbox', 'read-only'],
      ...(model === undefined ? [] : ['--model', model]),
      ...(effort === undefined ? [] : ['-c', `model_reasoning_effort=${JSON.stringify(effort)}`]),
      ...(request.schemaFile === undefined ? [] : ['--output-schema', request.schemaFile]),
      ...docs,
      '-',
    ],
    env: {},
    input: 'prompt',
    // On TERM it would leave its command running.
    endedBy: 'SIGINT',
  };
}
