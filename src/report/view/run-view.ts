// What anybody is shown of a run, as one plain value: `pawl status --json` prints it, and the terminal, the page, messages
// and a fleet render it. view-run.ts makes it from the folded journal.
import type { LimitWindow } from '../../event/activity.ts';
import type { Cap } from '../../event/caps.ts';
import type { ProofWord } from '../../event/proof.ts';
import type { Spent } from '../../journal/ledger.ts';
import type { FindingItem, StageItem } from '../findings/findings.ts';

/** Instants are ISO 8601 in UTC. */
export type RunView = Readonly<{
  /** Id of the run; names its folder. */
  run: string;
  /** Relative to the repository's root, or absolute if outside. */
  plan: string;
  title: string;
  branch: string;
  what: 'run' | 'review' | 'planning';
  /** The worktree that was made for it; absent if it works where it was started. */
  worktree?: string;
  /**
   * `working`, `waiting`, `paused`: a live pawl holds it. `stopped`: it ended and can continue. `died`: it ended without a
   * word. `finished`: all tasks closed and the last phase ended. `discarded`: a person discarded it.
   */
  state: 'working' | 'waiting' | 'paused' | 'stopped' | 'died' | 'finished' | 'discarded';
  /** The phase that has begun and not ended. */
  phase?: string;
  /** Of the last end, without what a person has dealt with since; absent while it works and after a death. */
  exit?: number;
  /** What the exit code means, in words. */
  exitText?: string;
  reasons?: readonly string[];
  /** What to do about them, as far as known. */
  hints?: readonly string[];
  /** When it last ended; absent while it works and after a death. */
  endedAt?: string;
  /** The command that continues it; only if it stopped or died. */
  next?: string;
  /** Task in work, or the one that was in work when it ended. */
  task?: WorkInProgress;
  /** All that is worked on now, or was when it ended, in the order it was begun; of several tasks only in lanes. */
  inWork: readonly WorkInProgress[];
  tasks: TaskCounts;
  /** Everything that waits for a person, most urgent first. */
  needs: readonly Need[];
  questions: readonly Readonly<{ task: string; question: string }>[];
  /** A person's notes that no session has received yet. */
  notes: readonly Readonly<{ note: number; text: string; task?: string }>[];
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
  agent: string;
  /** The model of the last session, or the one that was asked for. */
  model?: string;
  spent: Spent;
  /** Caps that apply, in the budget's own unit: US dollars, tokens, milliseconds, sessions. */
  caps: readonly Cap[];
  /** Who pays, as the run's start found it. */
  billing: string;
  /** The cost shown is what the API would charge; in words, with the use of the windows. Absent: dollars are paid. */
  apiEquivalent?: string;
  /** The known windows of a subscription that have not been reset since. */
  windows: readonly (LimitWindow & Readonly<{ at: string }>)[];
  /** Agents that hit a usage limit and have not answered since; `until`: its reset, absent if nobody named it. */
  limited: readonly Readonly<{ agent: string; until?: string }>[];
  waitingUntil?: string;
  waitingFor?: string;
  /** A person has asked for a pause, and what is running may finish first. */
  pausing?: boolean;
  /** It is working or waiting. */
  isRunning: boolean;
  /** It is running, not only waiting for an answer: its time keeps growing. */
  isAtWork: boolean;
  /** Time without pauses and stops, milliseconds, as of `lastAt`. */
  takenMs: number;
  /** When its tasks may be closed, milliseconds after `lastAt`, and what they may come to in all; once two are closed. */
  forecast?: Forecast;
  startedAt: string;
  lastAt: string;
  /**
   * Where it is carried to, and what prevents that; `takenBy`: the machine that has taken it up. Absent: it is not carried.
   */
  carried?: Readonly<{ remote: string; failed?: string; takenBy?: string }>;
  /** The process that works on it now. */
  holder?: Readonly<{ pid: number; host: string; since: string }>;
}>;

export type Forecast = Readonly<{ leftMs: number; costUsd?: number }>;

/** The plan's tasks by where they stand; `closed`: in whatever way, before the run too. */
export type TaskCounts = Readonly<
  Record<
    ProofWord | 'byHand' | 'before' | 'failed' | 'parked' | 'skipped' | 'open' | 'total' | 'closed',
    number
  >
>;

export type WorkInProgress = Readonly<{
  id: string;
  title: string;
  attempt: number;
  /** Its open session, when that began, its agent, and the one that this stands in for. */
  session?: number;
  since?: string;
  agent?: string;
  insteadOf?: string;
  lastRound?: string;
}>;

/** A task, or other work, and what it took. */
export type WorkView = Readonly<{
  id: string;
  title: string;
  standing: 'open' | 'working' | ProofWord | 'by-hand' | 'before' | 'failed' | 'parked' | 'skipped';
  /** Its place in the plan; other work comes after the plan. */
  order: number;
  isBeside: boolean;
  attempts: number;
  corrections: number;
  spent: Spent;
  /** Of its sessions and checks, milliseconds. */
  ms: number;
  question?: string;
  /** Why it failed, or what the last round concluded. */
  reason?: string;
  closed?: Readonly<{
    oid: string;
    at: string;
    summary: string;
    reason: string;
    files: number;
    insertions: number;
    deletions: number;
  }>;
  /** How many notes there are from the guard, about refusals, or about signs of tampering. */
  notes: number;
}>;

/** Something that waits for a person. */
export type Need = Readonly<{
  kind:
    | ('question' | 'planning' | 'findings' | 'failed' | 'stuck' | 'limit' | 'budget' | 'crash' | 'stopped')
    | 'ready';
  /** `now`: nothing continues without a person. `soon`: something is left undone. `later`: it resolves by itself, or is done. */
  urgency: 'now' | 'soon' | 'later';
  task?: string;
  /** The task's title, or what it is about in a few words. */
  title: string;
  text: string;
  /** What the red check printed. */
  says?: string;
  /** When it began to wait. */
  since?: string;
  /** Answers that the question itself lists. */
  options?: readonly string[];
  until?: string;
  /** What a person can type instead. */
  command?: string;
}>;
