// The contract of a coding CLI: what it can do, how it is started, and the conversation with one of its processes. One
// runner (session/session.ts) serves every agent; nothing outside this room knows which CLI it talks to.
import type { AgentEvent } from '../event/activity.ts';

export type AgentRequest = Readonly<{
  model?: string;
  /** The CLI's own effort level, e.g. `high`; absent: its default. */
  effort?: string;
  tools?: readonly string[];
  /** US dollars the session may still spend; absent: no cap. */
  maxCostUsd?: number;
  /** Whether the repository's own agent config (hooks, MCP servers, settings) may be loaded. */
  trusted: boolean;
  promptFile: string;
  schema?: Readonly<Record<string, unknown>>;
  /** It has nothing to write: tools that edit files are withheld if the CLI supports that. Default false. */
  readOnly?: boolean;
  /** The agent's own id of a conversation to continue; absent: a new one. Only for agents that can resume. */
  resume?: string;
}>;

/** How to start the agent. `env` is merged over the child's environment; an `undefined` value removes a variable. */
export type AgentCommand = Readonly<{
  file: string;
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** What it must report that the agent may do without asking; absent: whatever it reports. */
  permissions?: string;
}>;

export type AgentMessage =
  | Readonly<{ type: 'prompt' | 'correction' | 'steer'; text: string }>
  | Readonly<{ type: 'interrupt' }>
  /** Asks what the session has cost; `id` comes back in the `reply` event. */
  | Readonly<{ type: 'cost'; id: string }>;

/** The events in one line of an agent, and the answer that its protocol requires. */
export type LineReading = Readonly<{
  events: readonly AgentEvent[];
  /**
   * Lines to send at once, with their line endings: the next step of a handshake, the answer to a request of the agent's.
   */
  answer?: string | undefined;
}>;

/**
 * The conversation with one process: the state of its protocol (ids, handshake, open requests on either side). It starts
 * and sends nothing itself: it is given what came, and returns what to send. A protocol with a handshake may thus return
 * its first request for the prompt, and keep the text until the agent has answered.
 */
export interface Conversation {
  /** Takes one line of stdout, without its line ending. Never throws; an unknown line yields no event. */
  read(line: string): LineReading;
  /**
   * The lines to send for a message, with their line endings. Empty: it is sent with a later answer; undefined: this agent
   * cannot.
   */
  write(message: AgentMessage): string | undefined;
}

export type ConversationOpening = Readonly<{
  request: AgentRequest;
  cwd: string;
}>;

export interface Agent {
  readonly name: string;
  /** The shipped agent that it is another login of; absent: it is a shipped one. */
  readonly uses?: string;
  /** What it can do; pawl does without the rest, or refuses before anything is started. */
  readonly can: Readonly<{
    usage: boolean;
    cost: boolean;
    schema: boolean;
    /** Accepts corrections in the same process: its stdin stays open after the prompt. */
    followUp: boolean;
    /** Output in no format of its own is its answer, complete when it exits. */
    plainAnswer: boolean;
    resume: boolean;
  }>;
  /**
   * Beginnings of lines that contain only a piece of a reply that later follows whole. They count as signs of life, and are
   * neither parsed nor kept: there may be hundreds of thousands. Absent if there are none.
   */
  readonly pieces?: readonly string[];
  /** At a usage limit it may be silent for hours instead of reporting it. */
  readonly silentAtLimit?: boolean;
  /** What to try if it prints nothing at all after the first message, as a sentence. */
  readonly firstEventHint?: string;
  /**
   * For an agent that does not report commands refused by its own sandbox: what to try if a reviewer has run none, and so
   * has read nothing. Absent if everything it does is visible.
   */
  readonly blindHint?: string;
  command(request: AgentRequest): AgentCommand;
  /** A conversation with a new process; without an opening, one that only parses an earlier record. */
  open(opening?: ConversationOpening): Conversation;
}
