// What the session runner is given and what it returns: the types shared with its callers.

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
  /** When aborted, the session is interrupted and ends; the outcome's text is the abort reason's. */
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
  /** Numbers of a person's notes contained in the prompt. */
  notes?: readonly number[] | undefined;
  agent: Agent;
  /** The agent that it stands in for, which is at its usage limit. */
  insteadOf?: string | undefined;
  wasThere?: boolean;
  request: AgentRequest;
  /** The session whose conversation is continued, as named in the request. Absent: a new one. */
  continues?: Continued | undefined;
  /** The first message; also the content of `request.promptFile`. */
  prompt: string;
  /** Nonce and bare names of the marker protocol. */
  marker: MarkerKey;
  cwd: string;
  /** The whole environment, before the agent's own variables are merged over it. */
  env: Readonly<Record<string, string>>;
  mark: Mark;
  clocks: SessionClocks;
  /** When it counts as looping and is ended as stuck; absent: never. */
  loopRule?: LoopRule | undefined;
  /** How many bytes of output are kept; a session that prints more is ended as stuck. Default 512 MiB. */
  mostBytes?: number | undefined;
  rawFile: string;
  stderrFile: string;
}>;

export type Turn = Readonly<{
  outcome: Outcome;
  /** The answer: the last result with text; empty if there is none. */
  text: string;
  /** The answer by schema, if one was requested and given. */
  structured?: unknown;
  marker?: Marker | undefined;
  /** What it leaves for later sessions. */
  lessons: readonly string[];
  /** The model said or did something; false if the agent failed to start. */
  spoke: boolean;
  /** Files that the session's tools were about to write so far, as the agent named them. */
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
  /** There was no final figure: `costUsd` is a lower bound. */
  costAtLeast: boolean;
  tokens?: Tokens | undefined;
  durationMs: number;
  exitCode: ProcessExit['code'];
  signal: ProcessExit['signal'];
  leftovers: readonly Process[];
}>;

/** One agent process and the conversation with it. A session is always closed, whatever became of its turns. */
export interface Session {
  /** The end of the turn that the prompt began. Rejects only with a Failure of the environment. */
  firstTurn(): Promise<Turn>;
  /** Between turns: ends what the turn left running, stops the rest, and returns what was ended. */
  hold(): Promise<readonly Process[]>;
  /** Resumes it with a correction; resolves with the end of that turn. If the process is dead the turn is over at once. */
  correct(text: string): Promise<Turn>;
  /**
   * Interrupts the running turn, which continues with this message; false if the turn is over or the agent cannot be told.
   */
  steer(text: string): Promise<boolean>;
  /** Lets it exit, or makes it, and sweeps. Every call returns the same end. */
  close(): Promise<SessionEnd>;
  /** Interrupts and terminates it; the turn ends as interrupted, or as over budget. `close` must still be called. */
  stop(reason: string, as?: Stopped['kind']): Promise<void>;
}
