// What the session runner is given and what it returns: how a turn or a session ended, and the evidence.
import type { Tokens } from '../../event/activity.ts';
import type { Emit, FactOf } from '../../event.ts';
import type { Spawn } from '../../process/spawn.ts';
import type { Mark, Sweep } from '../../process/sweep.ts';
import type { Agent, AgentRequest } from '../agent.ts';
import type { Marker, MarkerKey } from '../marker.ts';
import type { StateClocks } from './session-state.ts';

export type SessionDeps = Readonly<{
  spawn: Spawn;
  sweep: Sweep;
  emit: Emit;
  /** When aborted, the session ends; its outcome's text is the abort reason's. */
  signal?: AbortSignal | undefined;
}>;

export type SessionClocks = StateClocks &
  Readonly<{
    /** From interrupt to TERM. */
    interruptMs: number;
    /** From TERM to KILL. */
    termMs: number;
    /** Between two questions about the cost. Default 15,000. */
    costEveryMs?: number;
  }>;

/** What a conversation had cost. */
export type Earlier = Readonly<{ costUsd: number; tokens: Tokens }>;

export type Continued = Readonly<{
  session: number;
  /** What its cost may count from. */
  earlier: readonly Earlier[];
}>;

type Told = Pick<FactOf<'session-started'>, 'role' | 'task' | 'attempt' | 'reviewer' | 'insteadOf'>;

export type SessionPlan = Readonly<{
  number: number;
  /** Numbers of a person's notes in the prompt. */
  notes?: readonly number[] | undefined;
  agent: Agent;
  wasThere?: boolean;
  request: AgentRequest;
  continues?: Continued | undefined;
  /** The first message, also in `request.promptFile`. */
  prompt: string;
  marker: MarkerKey;
  cwd: string;
  /** Whole, before the agent's own variables. */
  env: Readonly<Record<string, string>>;
  mark: Mark;
  clocks: SessionClocks;
  /** A session that prints more is ended as stuck. Default 512 MiB. */
  mostBytes?: number | undefined;
  rawFile: string;
  stderrFile: string;
}> &
  Readonly<Told>;

export type Turn = Readonly<{
  outcome: Outcome;
  /** The last result with text. */
  text: string;
  /** By the requested schema. */
  structured?: unknown;
  marker?: Marker | undefined;
  /** The model said or did something. */
  spoke: boolean;
  /** Files its tools were about to write, as it named them. */
  written: readonly string[];
  canCorrect: boolean;
  contextShare?: number | undefined;
}>;

/** How pawl itself ends a session. `stuck`: endless output. */
export type Stopped = Readonly<{ kind: 'interrupted' | 'stuck' | 'over-budget'; reason: string }>;

/** `reason` is for people; for the first five kinds the marker's text. */
export type Outcome =
  | Readonly<{ kind: 'done' | 'failed' | 'already-done' | 'needs-input' | 'replan'; reason: string }>
  /** `unfinished`: work was left, in the background, or because context or output was full. */
  | Readonly<{ kind: 'silent' | 'unfinished' | 'crashed' | 'timed-out'; reason: string }>
  | Stopped
  /** `until`: epoch milliseconds, if named. */
  | Readonly<{ kind: 'limited'; reason: string; until?: number }>
  /** `suspectsLimit`: it may hide a usage limit. */
  | Readonly<{ kind: 'overloaded'; reason: string; suspectsLimit?: true }>
  /** Retrying does not help: login, billing, model, missing program. `mayReturn`: an update may be replacing it. */
  | Readonly<{ kind: 'refused'; reason: string; remedies: readonly string[]; mayReturn?: true }>;
