// The contract of a coding CLI: what it can do, how it is started, and the conversation with one process of it. One runner
// (session/session.ts) serves every agent; nothing outside this room knows which CLI it talks to.
import type { AgentEvent } from '../event/activity.ts';

/** What pawl asks of one session; nothing here is a CLI's own word. */
export type AgentRequest = Readonly<{
  /** Model name or alias; absent: the CLI's default. */
  model?: string;
  /** Effort word of the CLI, e.g. `high`; absent: its default. */
  effort?: string;
  /** Tools to offer; absent: all. */
  tools?: readonly string[];
  /** US dollars the session may still spend; absent: no cap. */
  maxCostUsd?: number;
  /** Whether the repository's own agent config (hooks, MCP servers, settings) may be loaded. */
  trusted: boolean;
  /** Absolute path of a file that holds the prompt. */
  promptFile: string;
  /** JSON Schema of the wanted answer; absent: free text. */
  schema?: Readonly<Record<string, unknown>>;
  /** Absolute path of a file that holds that schema. */
  schemaFile?: string;
  /** It has nothing to write: tools that edit files are kept from it where the CLI can. Default false. */
  readOnly?: boolean;
  /** The agent's own id of a conversation to go on with; absent: a new one. Only for an agent that can. */
  resume?: string;
}>;

/** How to start the agent. `env` is laid over the child's environment; an `undefined` value removes a variable. */
export type AgentCommand = Readonly<{
  file: string;
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** `conversation`: stdin stays open for further messages. `prompt`: stdin is closed after the prompt. */
  input: 'conversation' | 'prompt';
  /** The signal by which it ends in order, what it runs with it. Default SIGTERM. */
  endedBy?: 'SIGINT';
}>;

/** Something pawl says to a running agent. */
export type AgentMessage =
  | Readonly<{ type: 'prompt' | 'correction' | 'steer'; text: string }>
  | Readonly<{ type: 'interrupt' }>
  /** A question for what the session has cost; `id` comes back in the `reply` event. */
  | Readonly<{ type: 'cost'; id: string }>;

/** What one line of an agent says, and what its protocol owes it in answer. */
export type Reading = Readonly<{
  events: readonly AgentEvent[];
  /** Lines to send at once, with their line ends: the next step of a handshake, the answer to a request of the agent's. */
  answer?: string | undefined;
}>;

/**
 * The conversation with one process: the state of its protocol (ids, handshake, requests that are open on either side). It
 * starts nothing and sends nothing itself: it is given what came, and returns what is to be sent. So a protocol that must
 * shake hands first may return its first request for the prompt and keep the text until the agent has answered.
 */
export interface Conversation {
  /** Takes one line of stdout, without its line end. Never throws; what it does not know is no event. */
  read(line: string): Reading;
  /** The lines to send for a message, with their line ends; empty: it goes out with a later answer; undefined: this agent can't. */
  write(message: AgentMessage): string | undefined;
}

/** What a conversation begins with. */
export type Opening = Readonly<{
  request: AgentRequest;
  /** Absolute path of the folder the agent works in. */
  cwd: string;
}>;

/** A coding CLI. It starts nothing. */
export interface Agent {
  readonly name: string;
  /** What it can do; what it cannot, pawl does without or refuses before the first spawn. */
  readonly can: Readonly<{
    /** Reports tokens. */
    usage: boolean;
    /** Reports US dollars. */
    cost: boolean;
    /** Reports usage limits and their reset. */
    limits: boolean;
    /** Takes a cap in US dollars. */
    budget: boolean;
    /** Answers by JSON Schema. */
    schema: boolean;
    /** Takes corrections in the same process. */
    followUp: boolean;
    /** Says when a turn is really over. */
    idle: boolean;
    /** What it prints in no format of its own is its answer, complete when it ends. */
    plainAnswer: boolean;
    /** Goes on with a conversation of an earlier process. */
    resume: boolean;
  }>;
  /**
   * How lines begin that hold one piece of a reply which follows whole. They are signs of the model's life, and neither
   * read nor kept: there may be hundreds of thousands. Absent: there are none.
   */
  readonly pieces?: readonly string[];
  /** At a usage limit it may say nothing for hours instead of that it is there. */
  readonly silentAtLimit?: boolean;
  /** What to try when it prints nothing at all after the first message, as a sentence. */
  readonly firstEventHint?: string;
  /**
   * Of an agent that tells nothing of the commands its own sandbox refused: what to try when a reviewer has run none, and
   * so has read nothing. Absent: all it does is seen.
   */
  readonly blindHint?: string;
  command(request: AgentRequest): AgentCommand;
  /** A conversation with one new process; without an opening it is there to read the record of an earlier one. */
  open(opening?: Opening): Conversation;
}
