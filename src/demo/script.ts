// The step language of scripted sessions: what a model "says" and "does" on each message. Data read from JSON; the scripted
// agent and the scripted API play it.

/** A message that a turn answers: one that contains the text, one that matches a regular expression (its source; `^` and `$` are line ends), or any of a session that asks for an answer by schema. */
export type When = string | Readonly<{ regex: string }> | Readonly<{ schema: true }>;

/** One message and all that follows it, up to the end of the model's turn. */
export type Turn = Readonly<{
  /** Which messages it answers; absent: any. */
  when?: When;
  /** `true`: answers one message in all sessions of the script; `session`: one in each session; `false`: any number. Default: `session` without `when`, else `false`. */
  once?: boolean | 'session';
  steps: readonly Step[];
}>;

/** A whole script, as it stands in a JSON file. */
export type Script = Readonly<{ turns: readonly Turn[] }>;

/** Tokens of each model reply from this step on; a class left out keeps its last value. */
export type Usage = Readonly<{ input?: number; output?: number; cacheRead?: number; cacheWrite?: number }>;

/** Steps that both players know. A failure (`api`, `limit`) speaks for the whole reply it stands in: nothing of that reply is said before it. */
type SharedStep =
  /** Text of the model; `{{…}}` is filled in, see `fillIn`. */
  | Readonly<{ say: string }>
  /** A command, really run by bash in the session's folder. `background` needs the real CLI. */
  | Readonly<{ bash: string; background?: boolean; timeoutMs?: number }>
  /** A file, really written; its path is relative to the session's folder. `isNew`: none is there, so that the real CLI's own tool may write it. */
  | Readonly<{ write: Readonly<{ file: string; content: string; isNew?: true }> }>
  /** Milliseconds without output before what comes next. */
  | Readonly<{ think: number }>
  /** Milliseconds of thought that comes in pieces, five a second. */
  | Readonly<{ ponder: number }>
  /** The answer by JSON Schema of a session that asks for one; ends the turn. */
  | Readonly<{ answer: unknown }>
  /** A foreground sub-agent that says the text, or plays the steps. */
  | Readonly<{ subagent: string | readonly Step[] }>
  | Readonly<{ usage: Usage }>
  /** The turn never goes on. Through the API: no answer at all. The agent still hears control requests and signals. */
  | Readonly<{ hang: true }>
  /** Nothing more, ever. Through the API: an answer that begins and goes silent. The agent goes deaf as well. */
  | Readonly<{ silence: true }>
  /** The session's process gets this signal, e.g. `SIGKILL`. */
  | Readonly<{ kill: string }>
  | Readonly<{ api: ApiFailure }>
  /** A subscription's usage limit that resets so many seconds from now. */
  | Readonly<{ limit: Readonly<{ resetsInS: number; window?: LimitWindow }> }>
  /** The reply ends for this reason (through the API only). */
  | Readonly<{ stop: 'max_tokens' | 'refusal' }>
  /** The stream breaks off after what was said in this reply, `times` times (default: always), then works. */
  | Readonly<{ cut: Readonly<{ times?: number }> }>;

/** Steps of the scripted agent alone: what no API can make a real CLI do. */
type AgentStep =
  /** The process ends at once with this code. */
  | Readonly<{ exit: number; stderr?: string }>
  /** A line exactly as given, in as many writes as there are parts, so many milliseconds apart. `end: false`: without a line end. */
  | Readonly<{ raw: string | readonly string[]; pauseMs?: number; end?: boolean }>
  /** Text on stderr. */
  | Readonly<{ stderr: string }>
  /** So many events of so many bytes each, line end included, as fast as the reader takes them. */
  | Readonly<{ flood: Readonly<{ events: number; bytes: number }> }>
  /** One event of so many bytes, line end included. */
  | Readonly<{ line: Readonly<{ bytes: number }> }>
  /** From here on these signals do nothing, e.g. `["SIGTERM"]`. */
  | Readonly<{ ignore: readonly string[] }>;

export type Step = SharedStep | AgentStep;

export type LimitWindow = 'five_hour' | 'seven_day';

/** An HTTP failure of the model's API. */
export type ApiFailure = Readonly<{
  status: number;
  /** Error type in the body; default: the one that belongs to the status. */
  type?: string;
  message?: string;
  /** How many requests fail before one works; default: all. */
  times?: number;
  /** `retry-after` header, seconds. */
  retryAfterS?: number;
  /** The failure comes as an event of a stream that has begun well (through the API only). */
  inStream?: boolean;
  /** More response headers (through the API only). */
  headers?: Readonly<Record<string, string>>;
  /** Milliseconds between the agent's retry notices (scripted agent only); default 1. */
  retryDelayMs?: number;
}>;

/** Reads a script from JSON text; throws an error that says what is wrong. */
export function parseScript(text: string): Script {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value) || !Array.isArray(value['turns'])) throw new Error('a script needs "turns", a list');
  for (const [at, turn] of value['turns'].entries()) {
    if (!isRecord(turn) || !Array.isArray(turn['steps'])) throw new Error(`turn ${at} needs "steps", a list`);
    for (const step of turn['steps']) {
      if (!isRecord(step) || !Object.keys(step).some((key) => stepNames.has(key))) {
        throw new Error(`turn ${at} has an unknown step: ${JSON.stringify(step)}`);
      }
    }
  }
  return value as Script;
}

type StepName<T> = T extends unknown ? keyof T : never;

const optionNames = ['background', 'timeoutMs', 'pauseMs', 'end'] as const;

const names: Record<Exclude<StepName<Step>, (typeof optionNames)[number]>, true> = {
  say: true,
  bash: true,
  write: true,
  think: true,
  ponder: true,
  answer: true,
  subagent: true,
  usage: true,
  hang: true,
  silence: true,
  kill: true,
  api: true,
  limit: true,
  cut: true,
  stop: true,
  exit: true,
  raw: true,
  stderr: true,
  flood: true,
  line: true,
  ignore: true,
};

const stepNames: ReadonlySet<string> = new Set(Object.keys(names));

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
