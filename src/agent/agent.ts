// The contract of a coding CLI: what it can do, how it is started, and the conversation with one process. Nothing
// outside this room knows which CLI it talks to.
import type { AgentEvent } from '../event/activity.ts';

export type AgentRequest = Readonly<{
  model?: string;
  /** The CLI's own level, e.g. `high`; absent: its default. */
  effort?: string;
  tools?: readonly string[];
  /** US dollars left for the session; absent: no cap. */
  maxCostUsd?: number;
  /** Whether the repository's own agent config (hooks, MCP servers, settings) may be loaded. */
  trusted: boolean;
  promptFile: string;
  schema?: Readonly<Record<string, unknown>>;
  /** Tools that edit files are withheld if the CLI supports that. Default false. */
  readOnly?: boolean;
  /** The agent's id of a conversation to continue; only for agents that can resume. */
  resume?: string;
}>;

/** `env` is merged over the child's environment; `undefined` removes a variable. */
export type AgentCommand = Readonly<{
  file: string;
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** What it must report that the agent may do without asking; absent: anything. */
  permissions?: string;
}>;

export type AgentMessage =
  | Readonly<{ type: 'prompt' | 'correction' | 'steer'; text: string }>
  | Readonly<{ type: 'interrupt' }>
  /** `id` comes back in the `reply` event. */
  | Readonly<{ type: 'cost'; id: string }>;

export type LineReading = Readonly<{
  events: readonly AgentEvent[];
  /** Lines to send at once, with their line endings. */
  answer?: string | undefined;
}>;

/**
 * The state of one process's protocol. It sends nothing itself, but returns what to send; so a handshake may return its
 * first request for the prompt, and keep the text.
 */
export interface Conversation {
  /** One line of stdout, without its line ending. Never throws; an unknown line yields no event. */
  read(line: string): LineReading;
  /** Lines with their endings. Empty: sent with a later answer; undefined: this agent cannot. */
  write(message: AgentMessage): string | undefined;
}

export type ConversationOpening = Readonly<{
  request: AgentRequest;
  cwd: string;
}>;

export interface Agent {
  readonly name: string;
  /** The shipped agent that it is another login of. */
  readonly uses?: string;
  /** pawl does without the rest, or refuses before anything is started. */
  readonly can: Readonly<{
    usage: boolean;
    cost: boolean;
    schema: boolean;
    /** Its stdin stays open after the prompt, for corrections. */
    followUp: boolean;
    /** Output in no format of its own is its answer, complete when it exits. */
    plainAnswer: boolean;
    resume: boolean;
  }>;
  /**
   * Beginnings of lines with a piece of a reply that later follows whole. They are only signs of life, neither parsed
   * nor kept: there may be hundreds of thousands.
   */
  readonly pieces?: readonly string[];
  /** At a usage limit it may be silent for hours. */
  readonly silentAtLimit?: boolean;
  /** What to try if it prints nothing after the first message, as a sentence. */
  readonly firstEventHint?: string;
  /**
   * For an agent that does not report commands its own sandbox refused: what to try if a reviewer has run none, and so
   * read nothing.
   */
  readonly blindHint?: string;
  command(request: AgentRequest): AgentCommand;
  /** Without an opening, it only parses an earlier record. */
  open(opening?: ConversationOpening): Conversation;
}
