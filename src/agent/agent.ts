// The contract of a coding CLI. Nothing outside this room knows which CLI it talks to.
import type { AgentEvent } from '../event/activity.ts';

export type AgentRequest = Readonly<{
  model?: string;
  /** The CLI's own level, e.g. `high`; absent: its default. */
  effort?: string;
  tools?: readonly string[];
  /** US dollars left; absent: no cap. */
  maxCostUsd?: number;
  /** Whether the repository's agent config may be loaded. */
  trusted: boolean;
  promptFile: string;
  schema?: Readonly<Record<string, unknown>>;
  /** Withholds tools that edit files, if the CLI can. Default false. */
  readOnly?: boolean;
  /** The agent's id of a conversation to continue. */
  resume?: string;
}>;

/** `env` is merged over the child's; `undefined` removes a variable. */
export type AgentCommand = Readonly<{
  file: string;
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** What it must report that the agent may do unasked; absent: anything. */
  permissions?: string;
}>;

export type AgentMessage =
  | Readonly<{ type: 'prompt' | 'correction' | 'steer'; text: string }>
  | Readonly<{ type: 'interrupt' }>
  /** `id` comes back in the `reply` event. */
  | Readonly<{ type: 'cost'; id: string }>;

export type LineReading = Readonly<{
  events: readonly AgentEvent[];
  /** Lines to send at once, with their endings. */
  answer?: string | undefined;
}>;

/**
 * Sends nothing itself, but returns what to send: a handshake may return its first request for the prompt, and keep the
 * text until the agent has answered.
 */
export interface Conversation {
  /** A line of stdout without its ending. Never throws; an unknown line yields no event. */
  read(line: string): LineReading;
  /** Lines with endings. Empty: sent with a later answer; undefined: this agent cannot. */
  write(message: AgentMessage): string | undefined;
}

export type ConversationOpening = Readonly<{
  request: AgentRequest;
  cwd: string;
}>;

export interface Agent {
  readonly name: string;
  /** The shipped agent it is another login of. */
  readonly uses?: string;
  /** pawl does without the rest, or refuses before a start. */
  readonly can: Readonly<{
    usage: boolean;
    cost: boolean;
    schema: boolean;
    /** Takes corrections: its stdin stays open. */
    followUp: boolean;
    /** Output in no format of its own is its answer, complete when it exits. */
    plainAnswer: boolean;
    resume: boolean;
  }>;
  /**
   * How lines begin with a piece of a reply that follows whole. They are only signs of life, not parsed or kept: there
   * may be hundreds of thousands.
   */
  readonly pieces?: readonly string[];
  /** At a usage limit it may be silent for hours instead of reporting it. */
  readonly silentAtLimit?: boolean;
  /** A sentence: what to try if it prints nothing after the first message. */
  readonly firstEventHint?: string;
  /**
   * What to try if a reviewer has run no command, and so read nothing: for agents that hide what their own sandbox
   * refused.
   */
  readonly blindHint?: string;
  command(request: AgentRequest): AgentCommand;
  /** Without an opening, it only parses a record. */
  open(opening?: ConversationOpening): Conversation;
}
