// Where a run stands, as the plain value `pawl status --json` prints. judge-standing.ts computes it.
import type { Cap } from '../../event/budget.ts';
import type { Spent } from '../../journal/ledger.ts';
import type { FindingItem, StageItem } from '../findings/findings.ts';

/** Where a run stands. Instants are ISO 8601 in UTC. */
export type Standing = Readonly<{
  /** Id of the run; names its folder. */
  run: string;
  /** Absolute path of the run folder. */
  folder: string;
  /** Relative to the repository's root, or absolute if outside. */
  plan: string;
  title: string;
  branch: string;
  /** The worktree that was made for it; absent if it works where it was started. */
  worktree?: string;
  /**
   * `working`, `waiting`, `paused`: a live pawl holds it. `stopped`: it ended and can continue. `died`: it ended without a
   * word. `finished`: all tasks closed and the last phase ended. `discarded`: a person discarded it.
   */
  state: 'working' | 'waiting' | 'paused' | 'stopped' | 'died' | 'finished' | 'discarded';
  /** Exit code and reasons of the last end; absent while it works and after a death. */
  exit?: number;
  reasons?: readonly string[];
  /** What to do about them, as far as known. */
  hints?: readonly string[];
  /** Task in work, or the one that was in work when it ended. */
  task?: TaskInWork;
  /** All of them if several are worked on at once, in the order they were begun; absent if there are no lanes. */
  inWork?: readonly TaskInWork[];
  /** Agents that hit a usage limit and have not answered since; `until`: its reset, absent if nobody named it. */
  limited: readonly Readonly<{ agent: string; until?: string }>[];
  tasks: Readonly<{
    total: number;
    proven: number;
    passed: number;
    unchecked: number;
    byHand: number;
    before: number;
    failed: number;
    parked: number;
    skipped: number;
    open: number;
  }>;
  /** Stages of the review in order, and what they leave to a person; absent without a review. */
  review?: Readonly<{ stages: readonly StageItem[]; unsettled: readonly FindingItem[] }>;
  /** The dialogue about a new plan; absent if there is none. */
  dialogue?: Readonly<{
    answered: number;
    drafts: number;
    /** The question that waits for an answer. */
    asks?: string;
    written?: string;
  }>;
  questions: readonly Readonly<{ task: string; question: string }>[];
  /** A person's notes that no session has received yet. */
  notes: readonly Readonly<{ note: number; text: string; task?: string }>[];
  spent: Spent;
  /** Caps that apply, in the budget's own unit: US dollars, tokens, milliseconds, sessions. */
  caps: readonly Cap[];
  /** Who pays, as the run's start found it. */
  billing: string;
  /** The cost shown is what the API would charge; in words, with the use of the windows. Absent: dollars are paid. */
  apiEquivalent?: string;
  waitingUntil?: string;
  waitingFor?: string;
  startedAt: string;
  lastAt: string;
  /** When it last ended; absent while it works and after a death. */
  endedAt?: string;
  /** A person has asked for a pause, and what is running may finish first. */
  pausing?: boolean;
  /**
   * Where it is carried to, and what prevents that; `takenBy`: the machine that has taken it up. Absent: it is not carried.
   */
  carried?: Readonly<{ remote: string; failed?: string; takenBy?: string }>;
  /** The command that continues it; only if it stopped or died. */
  next?: string;
  /** The process that works on it now. */
  holder?: Readonly<{ pid: number; host: string; since: string }>;
}>;

export type TaskInWork = Readonly<{
  id: string;
  title: string;
  attempt: number;
  session?: number;
  /** Agent of that session, and the one that it stands in for. */
  agent?: string;
  insteadOf?: string;
  lastRound?: string;
}>;
