// What the session runner is given and what it gives back: the types shared with its callers.

import type { Tokens } from '../../event/activity.ts';
import type { Emit, FactOf } from '../../event.ts';
import type { Ended, Spawn } from '../../process/spawn.ts';
import type { Mark, Process, Sweep } from '../../process/sweep.ts';
import type { Agent, AgentRequest } from '../agent.ts';
import type { Marker, MarkerKey, NearMiss } from '../marker.ts';
import type { StateClocks } from './clocks.ts';
import type { Earlier } from './cost-tracker.ts';
import type { LoopRule } from './loop-detector.ts';
import type { Outcome, Stopped } from './outcome.ts';

/** What a session does its work with. */
export type SessionDeps = Readonly<{
  spawn: Spawn;
  sweep: Sweep;
  emit: Emit;
  /** Aborted: the session is interrupted and ends; its reason's text is the outcome's. */
  signal?: AbortSignal | undefined;
}>;

/** The clocks of a session, milliseconds. */
export type SessionClocks = StateClocks &
  Readonly<{
    /** From interrupt to TERM. */
    interruptMs: number;
    /** From TERM to KILL. */
    termMs: number;
    /** For the answer to a question; an agent that leaves three in a row without one is not asked again. Default 5,000. */
    replyMs?: number;
    /** Between two questions for the cost. Default 15,000. */
    costEveryMs?: number;
  }>;

/** An earlier session whose conversation a new process goes on with. */
export type Continued = Readonly<{
  /** Its number within the run. */
  session: number;
  /** What the process may begin its own count of the cost with. */
  earlier: readonly Earlier[];
}>;

/** One agent process to be. */
export type SessionPlan = Readonly<{
  /** Counts from 1 within the run. */
  number: number;
  role: FactOf<'session-started'>['role'];
  task?: string | undefined;
  attempt?: number | undefined;
  /** Who it speaks as in a review. */
  reviewer?: string | undefined;
  /** Numbers of a person's notes that the prompt carries. */
  notes?: readonly number[] | undefined;
  agent: Agent;
  /** The agent that it stands in for, which is at its usage limit. */
  insteadOf?: string | undefined;
  /** Its program was started before in this run. */
  wasThere?: boolean | undefined;
  request: AgentRequest;
  /** The session whose conversation is continued: the request names it. Absent: a new one. */
  continues?: Continued | undefined;
  /** The first message; the same text stands in `request.promptFile`. */
  prompt: string;
  /** Nonce and bare names of the marker protocol. */
  marker: MarkerKey;
  cwd: string;
  /** The whole environment the agent's own variables are laid over. */
  env: Readonly<Record<string, string>>;
  /** Carried by all its processes. */
  mark: Mark;
  clocks: SessionClocks;
  /** When it loops and is ended as stuck; absent: never. */
  loopRule?: LoopRule | undefined;
  /** Most bytes of output that are kept; a session that prints more is ended as stuck. Default 512 MiB. */
  mostBytes?: number | undefined;
  /** Absolute path of the raw record of stdout. */
  rawFile: string;
  /** Absolute path of the raw record of stderr. */
  stderrFile: string;
}>;

/** How a turn ended. */
export type Turn = Readonly<{
  outcome: Outcome;
  /** The answer: the last result that has text; empty when there is none. */
  text: string;
  /** The answer by schema, if one was asked for and given. */
  structured?: unknown;
  marker?: Marker | undefined;
  /** The model said or did something; a failed start of the agent has no word of it. */
  spoke: boolean;
  /** Files that the session's tools were about to write so far, as the agent named them. */
  written: readonly string[];
  /** Lines that look like a marker and do not count. */
  seen: readonly NearMiss[];
  /** The process still lives. */
  alive: boolean;
  /** A correction can be sent. */
  canCorrect: boolean;
  /** Share of the model's context in use, 0 to 1. */
  contextShare?: number | undefined;
  /** Cumulative over the session, US dollars. */
  costUsd?: number | undefined;
}>;

/** How a session ended. */
export type SessionEnd = Readonly<{
  /** The last turn's. */
  outcome: Outcome;
  /** Absent: unknown, which is not 0. */
  costUsd?: number | undefined;
  /** No final figure came: `costUsd` is a lower bound. */
  costAtLeast: boolean;
  tokens?: Tokens | undefined;
  durationMs: number;
  exitCode: Ended['code'];
  signal: Ended['signal'];
  /** Processes that were still there and were ended. */
  leftovers: readonly Process[];
}>;

/** One agent process and the conversation with it. A session is always closed, whatever its turns came to. */
export interface Session {
  /** The end of the turn that the prompt began. Rejects only with a Failure of the environment. */
  firstTurn(): Promise<Turn>;
  /** Between turns: ends what the turn left running, stops the rest, and returns what was ended. */
  hold(): Promise<readonly Process[]>;
  /** Lets it go on with a correction; the end of that turn. On a dead process the turn is over at once. */
  correct(text: string): Promise<Turn>;
  /** Interrupts the running turn, which goes on with what is said; false when the turn is over or the agent cannot hear it. */
  steer(text: string): Promise<boolean>;
  /** Lets it end by itself, or makes it, and sweeps. Every call returns the same end. */
  close(): Promise<SessionEnd>;
  /** Interrupts it and brings it down; the turn ends as interrupted, or as over budget. `close` is still to be called. */
  stop(reason: string, as?: Stopped['kind']): Promise<void>;
}
