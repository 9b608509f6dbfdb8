// What anybody is shown of a run, as one plain value that `pawl status --json` prints. view-run.ts makes it.
import type { LimitWindow } from '../../event/activity.ts';
import type { Cap } from '../../event/caps.ts';
import type { Rest } from '../../event/waits.ts';
import type { FactOf } from '../../event.ts';
import type { RunTimes, Spent, WorkTime } from '../../journal/ledger.ts';
import type { FindingItem, StageItem } from '../findings/judge-findings.ts';
import type { looks } from '../text/run-words.ts';

/** Instants are ISO 8601 in UTC. */
export type RunView = Readonly<{
  /** Names its folder. */
  run: string;
  /** Relative to the repository, or absolute if outside. */
  plan: string;
  title: string;
  branch: string;
  what: 'run' | 'review' | 'planning';
  /** Absent if it works where it was started. */
  worktree?: string;
  /**
   * `working`, `waiting`, `paused`: a live pawl holds it. `stopped`: it can continue. `died`: it ended without a word.
   * `finished`: all tasks closed and the last phase ended.
   */
  state: 'working' | 'waiting' | 'paused' | 'stopped' | 'died' | 'finished';
  /** Begun and not ended. */
  phase?: FactOf<'phase'>['phase'];
  /** Without what a person has dealt with since; absent while it works and after a death. */
  exit?: number;
  exitText?: string;
  reasons?: readonly string[];
  hints?: readonly string[];
  /** Absent while it works and after a death. */
  endedAt?: string;
  /** Committed since its start, once it has ended. */
  changed?: Readonly<{ files: number; insertions: number; deletions: number }>;
  /** Continues it; only if it stopped or died. */
  next?: string;
  /** Now or when it ended, in the order begun; several tasks only in lanes. */
  inWork: readonly WorkInProgress[];
  tasks: TaskCounts;
  /** Most urgent first. */
  needs: readonly Need[];
  questions: readonly Readonly<{ task: string; question: string }>[];
  /** Not received by any session. */
  notes: readonly Readonly<{ note: number; text: string; task?: string }>[];
  /** In order, with what they leave to a person; absent without a review. */
  review?: Readonly<{ stages: readonly StageItem[]; unsettled: readonly FindingItem[] }>;
  agent: string;
  /** Of the last session, or the one asked for. */
  model?: string;
  spent: Spent;
  /** A continued session counts once. */
  attempts: number;
  corrections: number;
  /** Of a live run, until it was looked at. */
  times: RunTimes;
  /** In the budget's unit: US dollars, tokens, milliseconds, sessions. */
  caps: readonly Cap[];
  /** As the run's start found it. */
  billing: string;
  /** That the cost is what the API would charge, with the use of the windows. Absent: dollars are paid. */
  apiEquivalent?: string;
  /** Of a subscription, not reset since. */
  windows: readonly (LimitWindow & Readonly<{ at: string }>)[];
  /** At a usage limit, without an answer since; `until`: the reset, absent if unknown. */
  limited: readonly Readonly<{ agent: string; until?: string }>[];
  waitingUntil?: string;
  waitingFor?: string;
  /** Asked for; what is running may finish first. */
  pausing?: boolean;
  pausedSince?: string;
  /** Working or waiting. */
  isRunning: boolean;
  /** Not only waiting for an answer: its time keeps growing. */
  isAtWork: boolean;
  /** Red only for what a person did not want. */
  tone: 'plain' | 'good' | 'warn' | 'bad';
  /** Without pauses and stops, milliseconds, as of `lastAt`. */
  takenMs: number;
  /** When its tasks may be closed, milliseconds after `lastAt`, and the cost of all; once two are closed. */
  forecast?: Forecast;
  startedAt: string;
  lastAt: string;
  /** `failed`: what prevents it. `takenBy`: the machine that has taken it up. */
  carried?: Readonly<{ remote: string; failed?: string; takenBy?: string }>;
  holder?: Readonly<{ pid: number; host: string; since: string }>;
}>;

export type Forecast = Readonly<{ leftMs: number; costUsd?: number }>;

/** `closed`: in whatever way, before the run too. `pending`: closed, and experiments decide on its word. */
export type TaskCounts = Readonly<Record<WorkView['standing'] | 'total' | 'closed', number>>;

export type WorkInProgress = Readonly<{
  id: string;
  title: string;
  /** Not a task of the plan. */
  isBeside: boolean;
  attempt: number;
  /** `insteadOf`: the agent that `agent` stands in for. */
  session?: number;
  since?: string;
  agent?: string;
  insteadOf?: string;
  lastRound?: string;
}>;

export type WorkView = Readonly<{
  id: string;
  title: string;
  standing: keyof typeof looks;
  /** How its standing is shown. */
  mark: string;
  tone: RunView['tone'];
  word: string;
  /** Other work comes after the plan. */
  order: number;
  isBeside: boolean;
  attempts: number;
  corrections: number;
  spent: Spent;
  agents: readonly string[];
  ms: WorkTime;
  question?: string;
  /** Why it failed, or what the last round concluded. */
  reason?: string;
  closed?: FactOf<'task-closed'>;
  /** From the guard, about refusals or tampering. */
  notes: number;
}>;

export type Need = Readonly<{
  kind:
    | ('question' | 'planning' | 'findings' | 'failed' | 'stuck' | 'limit' | 'budget' | 'crash' | 'stopped')
    | 'ready';
  /**
   * `now`: nothing continues without a person. `soon`: something is left undone. `later`: it resolves by itself, or is
   * done.
   */
  urgency: 'now' | 'soon' | 'later';
  task?: string;
  title: string;
  text: string;
  /** What the red check printed. */
  says?: string;
  since?: string;
  /** Those that the question itself lists. */
  options?: readonly string[];
  until?: string;
  command?: string;
}>;

/** Without `to` it is still going on. */
export type Bar = Readonly<{
  kind: 'session' | 'question' | 'checks' | Rest['kind'];
  from: string;
  to?: string;
  tone: 'plain' | 'good' | 'bad' | 'warn';
  says: string;
  session?: number;
  /** Of a session: the reviewer, else the role. */
  who?: string;
}>;

/** How a run spent its time. */
export type Timeline = Readonly<{
  from: string;
  to: string;
  /** Of each work by its id, in the order begun. */
  works: ReadonlyMap<string, readonly Bar[]>;
  /** Waits, pauses and stops. */
  rests: readonly Bar[];
  /** Sessions and checks of no task; each reviewer has a row. */
  besides: readonly Readonly<{ label: string; bars: readonly Bar[] }>[];
}>;
