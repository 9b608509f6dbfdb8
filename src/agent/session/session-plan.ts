// What the session runner is given and what it returns.

import type { Tokens } from '../../event/activity.ts';
import type { Emit, FactOf } from '../../event.ts';
import type { ProcessExit, Spawn } from '../../process/spawn.ts';
import type { Mark, Process, Sweep } from '../../process/sweep.ts';
import type { Agent, AgentRequest } from '../agent.ts';
import type { Marker, MarkerKey } from '../marker.ts';
import type { StateClocks } from './clocks.ts';
import type { Earlier } from './cost-tracker.ts';
import type { LoopRule } from './loop-detector.ts';
import type { Outcome, Stopped } from './outcome.ts';

export type SessionDeps = Readonly<{
  spawn: Spawn;
  sweep: Sweep;
  emit: Emit;
  /** Interrupts and ends the session, for the abort reason. */
  signal?: AbortSignal | undefined;
}>;

export type SessionClocks = StateClocks &
  Readonly<{
    /** From interrupt to TERM. */
    interruptMs: number;
    /** From TERM to KILL. */
    termMs: number;
    /** Default 15,000. */
    costEveryMs?: number;
  }>;

/** An earlier session whose conversation a new process continues. */
export type Continued = Readonly<{
  session: number;
  /** What the process may start counting its cost from. */
  earlier: readonly Earlier[];
}>;

export type SessionPlan = Readonly<{
  number: number;
  role: FactOf<'session-started'>['role'];
  task?: string | undefined;
  attempt?: number | undefined;
  reviewer?: string | undefined;
  /** Of a person's notes in the prompt. */
  notes?: readonly number[] | undefined;
  agent: Agent;
  /** The agent it stands in for, which is at its usage limit. */
  insteadOf?: string | undefined;
  wasThere?: boolean;
  request: AgentRequest;
  continues?: Continued | undefined;
  /** Also the content of `request.promptFile`. */
  prompt: string;
  marker: MarkerKey;
  cwd: string;
  /** Whole, before the agent's own variables are merged over it. */
  env: Readonly<Record<string, string>>;
  mark: Mark;
  clocks: SessionClocks;
  /** When it is ended as stuck; absent: never. */
  loopRule?: LoopRule | undefined;
  /** A session that prints more is ended as stuck. Default 512 MiB. */
  mostBytes?: number | undefined;
  rawFile: string;
  stderrFile: string;
}>;

export type Turn = Readonly<{
  outcome: Outcome;
  /** The last result with text, or empty. */
  text: string;
  /** The answer by schema, if requested and given. */
  structured?: unknown;
  marker?: Marker | undefined;
  /** For later sessions. */
  lessons: readonly string[];
  /** The model said or did something; false if the agent failed to start. */
  spoke: boolean;
  /** Files that its tools were about to write, as the agent named them. */
  written: readonly string[];
  alive: boolean;
  canCorrect: boolean;
  contextShare?: number | undefined;
  costUsd?: number | undefined;
}>;

export type SessionEnd = Readonly<{
  outcome: Outcome;
  /** Absent: unknown, which is not 0. */
  costUsd?: number | undefined;
  /** `costUsd` is a lower bound, as there was no final figure. */
  costAtLeast: boolean;
  tokens?: Tokens | undefined;
  durationMs: number;
  exitCode: ProcessExit['code'];
  signal: ProcessExit['signal'];
  leftovers: readonly Process[];
}>;

/** One agent process. It is always closed, whatever became of its turns. */
export interface Session {
  /** Rejects only with a Failure of the environment. */
  firstTurn(): Promise<Turn>;
  /** Between turns: ends what the turn left running, stops the rest, and returns what was ended. */
  hold(): Promise<readonly Process[]>;
  /** Resumes it; resolves with the end of that turn. If the process is dead the turn is over at once. */
  correct(text: string): Promise<Turn>;
  /** Interrupts the running turn, which goes on with this message; false if it is over or the agent cannot be told. */
  steer(text: string): Promise<boolean>;
  /** Lets it exit, or makes it, and sweeps. Every call returns the same end. */
  close(): Promise<SessionEnd>;
  /** Interrupts and terminates it; `close` must still be called. */
  stop(reason: string, as?: Stopped['kind']): Promise<void>;
}
