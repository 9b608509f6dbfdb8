// How a turn or a session ended, and the evidence.
import type { ProcessExit } from '../../process/spawn.ts';
import type { ClockName } from './clocks.ts';
import type { TurnTranscript } from './turn-transcript.ts';

/** `reason` is for people; for the first five kinds the marker's text. */
export type Outcome =
  | Readonly<{ kind: 'done' | 'failed' | 'already-done' | 'needs-input' | 'replan'; reason: string }>
  | Readonly<{ kind: 'silent'; reason: string }>
  /** `until`: epoch milliseconds, if named. */
  | Readonly<{ kind: 'limited'; reason: string; until?: number; window?: string }>
  /** `suspectsLimit`: it may hide a usage limit. */
  | Readonly<{ kind: 'overloaded'; reason: string; suspectsLimit?: true }>
  /** Retrying does not help: login, billing, model, missing program. */
  | Readonly<{
      kind: 'refused';
      reason: string;
      remedies: readonly string[];
      /** It started before: an update may be replacing it. */
      mayReturn?: true;
    }>
  | Readonly<{ kind: 'crashed'; reason: string }>
  | Readonly<{ kind: 'timed-out'; reason: string; clock: ClockName }>
  /** One tool call over and over with no file changed, or endless output. */
  | Readonly<{ kind: 'stuck'; reason: string }>
  /** Work was left: in the background, or because context or output was full. */
  | Readonly<{ kind: 'unfinished'; reason: string }>
  | Readonly<{ kind: 'over-budget'; reason: string }>
  | Readonly<{ kind: 'interrupted'; reason: string }>;

export type TurnFacts = Pick<TurnTranscript, 'background'> &
  Partial<Readonly<Pick<TurnTranscript, 'last' | 'answer' | 'limit' | 'retry' | 'refusal'>>> &
  Readonly<{
    command: string;
    wasThere?: boolean | undefined;
    cannotWork?: CannotWork | undefined;
    /** Tail of stderr and of stdout in no known format. */
    words: string;
    /** This agent's answer, complete when it exits. */
    plainAnswer?: string | undefined;
    ended?: ProcessExit | undefined;
    /** No tool call succeeded where it should have read: what to try. */
    blind?: string | undefined;
    ring?: { clock: ClockName; afterMs: number; hint?: string | undefined } | undefined;
    /** The agent itself has responded. Default true. */
    isUp?: boolean | undefined;
    silentAtLimit?: boolean | undefined;
    stopped?: Stopped | undefined;
  }>;

export type CannotWork = Readonly<{ reason: string; remedies: readonly string[] }>;

export type Stopped = Extract<Outcome, { kind: 'interrupted' | 'stuck' | 'over-budget' }>;
