// The types of how a turn or a session ended, and of the evidence for it.
import type { Ended } from '../../process/spawn.ts';
import type { ClockName } from './clocks.ts';
import type { Limit, Result, Retry } from './turn-transcript.ts';

/** How a turn ended. `reason` is for a person; of the first five kinds it is the marker's own text. */
export type Outcome =
  | Readonly<{ kind: 'done' | 'failed' | 'already-done' | 'needs-input' | 'replan'; reason: string }>
  /** Finished without a word that counts. */
  | Readonly<{ kind: 'silent'; reason: string }>
  /** A usage limit; `until` in epoch milliseconds, absent when nothing named it. */
  | Readonly<{ kind: 'limited'; reason: string; until?: number; window?: string }>
  /** The API could not serve it now; `suspectsLimit`: as an agent that does not tell its usage limit behaves there. */
  | Readonly<{ kind: 'overloaded'; reason: string; suspectsLimit?: true }>
  /** No retry helps: login, billing, model, missing program. */
  | Readonly<{
      kind: 'refused';
      reason: string;
      remedies: readonly string[];
      /** Its program could be started before: an update may be putting another in its place. */
      mayReturn?: true;
    }>
  | Readonly<{ kind: 'crashed'; reason: string }>
  | Readonly<{ kind: 'timed-out'; reason: string; clock: ClockName }>
  /** It made the same tool call again and again and no file changed, or it printed without end. */
  | Readonly<{ kind: 'stuck'; reason: string }>
  /** Work was left: in the background, or because the context or the output ran full. */
  | Readonly<{ kind: 'unfinished'; reason: string }>
  | Readonly<{ kind: 'over-budget'; reason: string }>
  | Readonly<{ kind: 'interrupted'; reason: string }>;

/** All that a turn is judged by. */
export type TurnFacts = Readonly<{
  /** The program that was started, for the sentence when it could not be. */
  command: string;
  /** It was started before in this run. */
  wasThere?: boolean | undefined;
  /** The last result of the turn. */
  last?: Result | undefined;
  /** The last result that succeeded and has text. */
  answer?: Result | undefined;
  limit?: Limit | undefined;
  /** The agent's last notice that it tries the API again, if the model has not spoken since. */
  retry?: Retry | undefined;
  /** Its notice that the API refuses it again and again: it was ended for that. */
  refusal?: Retry | undefined;
  background: readonly string[];
  /** Tail of stderr and of stdout that was in no format. */
  words: string;
  /** Plain text is the answer of this agent, complete when it ends. */
  plainAnswer?: string | undefined;
  /** Absent: the process still lives. */
  ended?: Ended | undefined;
  /** It was to read, and no tool of its came to a good end: what to try. */
  blind?: string | undefined;
  /** pawl's clock that rang in this turn. */
  ring?: { clock: ClockName; afterMs: number; hint?: string | undefined } | undefined;
  /** The agent itself has shown itself: its program is the right one. Default true. */
  isUp?: boolean | undefined;
  /** It is known to fall silent at a usage limit. */
  silentAtLimit?: boolean | undefined;
  /** Why pawl itself ended it. */
  stopped?: Stopped | undefined;
}>;

/** What pawl ended a session for. */
export type Stopped = Extract<Outcome, { kind: 'interrupted' | 'stuck' | 'over-budget' }>;
