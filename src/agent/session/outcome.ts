// The types of how a turn or a session ended, and of the evidence for it.
import type { ProcessExit } from '../../process/spawn.ts';
import type { ClockName } from './clocks.ts';
import type { Limit, Retry, TurnResult } from './turn-transcript.ts';

/** How a turn ended. `reason` is for people; for the first five kinds it is the marker's own text. */
export type Outcome =
  | Readonly<{ kind: 'done' | 'failed' | 'already-done' | 'needs-input' | 'replan'; reason: string }>
  /** Finished without a marker that counts. */
  | Readonly<{ kind: 'silent'; reason: string }>
  /** A usage limit; `until` in epoch milliseconds, absent if nothing named it. */
  | Readonly<{ kind: 'limited'; reason: string; until?: number; window?: string }>
  /** The API could not serve it now; `suspectsLimit`: it behaved like an agent that does not report its usage limit. */
  | Readonly<{ kind: 'overloaded'; reason: string; suspectsLimit?: true }>
  /** Retrying does not help: login, billing, model, missing program. */
  | Readonly<{
      kind: 'refused';
      reason: string;
      remedies: readonly string[];
      /** Its program could be started before: an update may be replacing it. */
      mayReturn?: true;
    }>
  | Readonly<{ kind: 'crashed'; reason: string }>
  | Readonly<{ kind: 'timed-out'; reason: string; clock: ClockName }>
  /** It made the same tool call again and again while no file changed, or it printed without end. */
  | Readonly<{ kind: 'stuck'; reason: string }>
  /** Work was left: in the background, or because the context or the output was full. */
  | Readonly<{ kind: 'unfinished'; reason: string }>
  | Readonly<{ kind: 'over-budget'; reason: string }>
  | Readonly<{ kind: 'interrupted'; reason: string }>;

export type TurnFacts = Readonly<{
  /** The program that was started, to name it if it could not be. */
  command: string;
  /** It was started earlier in this run. */
  wasThere?: boolean | undefined;
  last?: TurnResult | undefined;
  /** The last successful result with text. */
  answer?: TurnResult | undefined;
  limit?: Limit | undefined;
  /** The agent's last notice that it is retrying the API, if the model has not spoken since. */
  retry?: Retry | undefined;
  /** Its notice that the API keeps refusing it: it was ended because of that. */
  refusal?: Retry | undefined;
  /** The CLI works otherwise than it was told to, or lets the agent do nothing: no session can do better. */
  cannotWork?: CannotWork | undefined;
  background: readonly string[];
  /** Tail of stderr and of stdout that was in no known format. */
  words: string;
  /** Plain text is this agent's answer, complete when it exits. */
  plainAnswer?: string | undefined;
  /** Absent while the process is alive. */
  ended?: ProcessExit | undefined;
  /** It was supposed to read, and none of its tool calls succeeded: what to try. */
  blind?: string | undefined;
  /** The clock of pawl's that rang in this turn. */
  ring?: { clock: ClockName; afterMs: number; hint?: string | undefined } | undefined;
  /** The agent itself has responded: its program is the right one. Default true. */
  isUp?: boolean | undefined;
  /** It is known to fall silent at a usage limit. */
  silentAtLimit?: boolean | undefined;
  /** Why pawl itself ended it. */
  stopped?: Stopped | undefined;
}>;

/** Why an agent cannot work here, and what helps. */
export type CannotWork = Readonly<{ reason: string; remedies: readonly string[] }>;

export type Stopped = Extract<Outcome, { kind: 'interrupted' | 'stuck' | 'over-budget' }>;
