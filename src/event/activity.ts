// What an agent does while it works, in no agent's own field names: shown live and kept raw, never journaled. And
// arithmetic with its tokens by class.

export type Tokens = Readonly<{ input: number; output: number; cacheRead: number; cacheWrite: number }>;

/** A usage window of a subscription: `utilization` from 0 to 1, `resetsAt` in epoch milliseconds. */
export type LimitWindow = Readonly<{ name: string; utilization?: number; resetsAt?: number }>;

/** `main` is false for a sub-agent. */
export type AgentEvent =
  /** A turn begins; the first one of a process means that the agent is up. */
  | Readonly<{
      type: 'started';
      agentSession: string;
      model: string;
      version: string;
      /** In the CLI's own word; absent if it does not say. */
      permissions?: string;
      /** Plugins and MCP servers that did not start, with reasons. */
      broken?: readonly string[];
    }>
  /** `synthetic`: written by the CLI, not the model. */
  | Readonly<{ type: 'said'; text: string; main: boolean; synthetic: boolean }>
  /** The thought is not kept. */
  | Readonly<{ type: 'thought'; main: boolean }>
  /**
   * `writes`: files that it is about to write, as the agent names them. `runs`: it runs a command. `purpose`: what the
   * model says the call is for.
   */
  | Readonly<{
      type: 'tool-started';
      id: string;
      tool: string;
      detail: string;
      writes?: readonly string[];
      runs?: true;
      purpose?: string;
      main: boolean;
    }>
  /** `writes`: for an agent that reports them only now. */
  | Readonly<{
      type: 'tool-ended';
      id: string;
      isError: boolean;
      writes?: readonly string[];
      main: boolean;
    }>
  /** A sign of life without content. */
  | Readonly<{ type: 'heartbeat' }>
  /** All work that the CLI has running in the background. */
  | Readonly<{ type: 'background'; open: readonly string[] }>
  | Readonly<{
      type: 'api-retry';
      attempt: number;
      max: number;
      delayMs: number;
      status?: number;
      reason: string;
    }>
  | Readonly<{ type: 'model-fallback'; from: string; to: string; reason: string }>
  | Readonly<{
      type: 'limit';
      status: 'allowed' | 'warning' | 'rejected';
      window?: string;
      utilization?: number;
      resetsAt?: number;
    }>
  /** In the main model's context as of its last reply. */
  | Readonly<{ type: 'context'; tokens: number; model: string }>
  | Readonly<{ type: 'compacted'; before?: number; after?: number }>
  | Readonly<{ type: 'denied'; tool: string; reason: string }>
  /** What the agent wrote of its conversation is lost: it cannot be continued. */
  | Readonly<{ type: 'writes-lost' }>
  /** One end of a turn; a process may report several, even empty ones. */
  | Readonly<{
      type: 'result';
      text: string;
      /** `text` does not repeat the agent's last words: use those it said last. */
      textIsLastSaid?: true;
      isError: boolean;
      denied?: readonly string[];
      /** The model was not asked. */
      unasked?: true;
      /** The CLI's own word, e.g. `completed`, `api_error`. */
      reason?: string;
      apiStatus?: number;
      apiError?: string;
      /** Cumulative over the process. */
      costUsd?: number;
      /** Cumulative over the process. */
      tokens?: Tokens;
      /** In tokens, by model. */
      contextWindows?: Readonly<Record<string, number>>;
      structured?: unknown;
    }>
  /** Work on a message begins; an agent that reports this also reports `idle`. */
  | Readonly<{ type: 'busy' }>
  /** The real end of a turn: nothing more comes until the next message. */
  | Readonly<{ type: 'idle' }>
  | Readonly<{ type: 'cost'; costUsd: number }>
  | Readonly<{ type: 'reply'; requestId: string }>
  /** Not in the agent's format. */
  | Readonly<{ type: 'noise'; text: string }>;

export const noTokens: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export function addTokens(a: Tokens, b: Tokens): Tokens {
  return perClass((key) => a[key] + b[key]);
}

/** Never below 0. */
export function subtractTokens(from: Tokens, taken: Tokens): Tokens {
  return perClass((key) => Math.max(0, from[key] - taken[key]));
}

function perClass(of: (key: keyof Tokens) => number): Tokens {
  return {
    input: of('input'),
    output: of('output'),
    cacheRead: of('cacheRead'),
    cacheWrite: of('cacheWrite'),
  };
}
