// What the page is sent: plain values, as JSON. The page and the server share these types, and nothing else.
import type { LimitWindow } from '../event/activity.ts';
import type { ProofWord } from '../event/proof.ts';
import type { Spent } from '../journal/ledger.ts';
import type { RunStats, Together } from '../journal/run-stats.ts';
import type { FindingItem, Findings } from '../report/findings/findings.ts';
import type { FleetView } from '../report/standing/fleet-view.ts';
import type { Standing } from '../report/standing/standing.ts';
import type { Block } from '../report/text/block.ts';
import type { Tone } from '../report/text/line.ts';
import type { Evidence } from './evidence-view.ts';

export type RepositoryView = Readonly<{ key: string; name: string; root: string }>;

/** Something that waits for a person. Instants are ISO 8601 in UTC. */
export type Need = Readonly<{
  kind: 'question' | 'planning' | 'findings' | 'failed' | 'stuck' | 'limit' | 'budget' | 'crash' | 'stopped';
  /** `now`: nothing continues without a person. `soon`: something is left undone. `later`: good to know. */
  urgency: 'now' | 'soon' | 'later';
  task?: string;
  /** What it is about, in a few words. */
  title: string;
  text: string;
  /** Answers that the question itself lists. */
  options?: readonly string[];
  until?: string;
  /** What a person can type instead. */
  command?: string;
}>;

export type InWork = Readonly<{
  task: string;
  title: string;
  attempt: number;
  session?: number;
  since?: string;
}>;

/** What a card has in common with `pawl status`. */
export const ofStanding = [
  ...(['plan', 'title', 'branch', 'worktree', 'state', 'exit', 'tasks', 'caps', 'apiEquivalent'] as const),
  ...(['billing', 'startedAt', 'lastAt', 'endedAt', 'waitingUntil', 'waitingFor', 'next'] as const),
] as const;

export type Card = Pick<Standing, (typeof ofStanding)[number]> &
  Readonly<{
    /** Of the run, unique among all repositories. */
    id: string;
    repository: RepositoryView;
    run: string;
    /** What it does: a plan's tasks, only a review, or making a plan. */
    what: 'run' | 'review' | 'planning';
    phase?: string;
    /** What the exit code means, in words. */
    exitText?: string;
    reasons: readonly string[];
    inWork: readonly InWork[];
    spent: Spent;
    agent: string;
    model?: string;
    limits: readonly (LimitWindow & Readonly<{ at: string }>)[];
    /** Time at work without pauses and stops, milliseconds, as of `lastAt`; it keeps growing if `isRunning`. */
    takenMs: number;
    isRunning: boolean;
    /** It is running, not only waiting for an answer: its time keeps growing. */
    isAtWork: boolean;
    pausing: boolean;
    /** Findings that a person still has to decide about. */
    unsettled: number;
    needs: readonly Need[];
    /** It is the newest of its plan: only that one can be continued. */
    isNewest: boolean;
  }>;

export type Damaged = Readonly<{ id: string; repository: RepositoryView; run: string; damage: string }>;

/** A stretch of time in the timeline; without `to` it is still going on. */
export type Bar = Readonly<{
  kind: 'session' | 'checks' | 'wait' | 'pause' | 'stop';
  from: string;
  to?: string;
  tone: 'plain' | 'good' | 'bad' | 'warn';
  says: string;
  session?: number;
}>;

/** A task, or other work, without its evidence. */
export type TaskView = Readonly<{
  id: string;
  title: string;
  standing: 'open' | 'working' | ProofWord | 'by-hand' | 'before' | 'failed' | 'parked' | 'skipped';
  /** Its place in the plan; other work comes after the plan. */
  order: number;
  isBeside: boolean;
  attempts: number;
  corrections: number;
  spent: Spent;
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
  bars: readonly Bar[];
  canUndo: boolean;
}>;

export type RunView = Readonly<{
  folder: string;
  resumes: number;
  from: string;
  to: string;
  /** Waits, pauses and stops of the whole run, and sessions that belong to no task. */
  bars: readonly Bar[];
  interventions: readonly Readonly<{ at: string; text: string; by?: string }>[];
  notices: readonly string[];
  notesWaiting: readonly string[];
}>;

export type ReviewView = Readonly<{ stages: Findings['stages']; findings: readonly FindingItem[] }>;
export type ReceiptView = Readonly<{ blocks: readonly Block[] }>;
export type StatsView = Readonly<{ runs: readonly RunStats[]; together: Together }>;

export type ActivityItem = Readonly<{
  n: number;
  at: string;
  session: number;
  task?: string;
  kind: 'said' | 'tool' | 'thought' | 'trouble' | 'note';
  text: string;
  detail?: string;
  /** How a text ended: the agent's marker, and its words. */
  marker?: Readonly<{ name: string; words: string }>;
  isError?: boolean;
  main: boolean;
}>;

/** Texts in journals that contain the words, each with its run's id; `isWhole`: all runs were searched. */
export type SearchResult = Readonly<{ hits: readonly Hit[]; isWhole: boolean }>;
export type Hit = Readonly<{ run: string; task?: string; text: string }>;

export type LogLine = Readonly<{ at: string; tone: Tone; text: string; indent: number }>;

/** What the stream sends: a part that is new or has changed; null: it is gone. */
export type PartMessage = Readonly<{ part: string; value: unknown }>;

/** All parts of a run, for a page without a server. */
export type Export = Readonly<{
  at: string;
  id: string;
  parts: Readonly<Record<string, unknown>>;
  evidence: Readonly<Record<string, Evidence>>;
  diffs: Readonly<Record<string, string>>;
  logs: Readonly<Record<string, string>>;
  activity: readonly ActivityItem[];
}>;

/** The fleet as read that long ago. `away`: why it cannot be read now. */
export type FleetLook = Readonly<{
  seen?: Readonly<{ fleet: FleetView; ageMs: number }>;
  away?: Readonly<{ why: string; hint?: string }>;
}>;

/** Who the page is to the server; `fleet`: the user's settings name one. */
export type Hello = Readonly<{ version: string; canAct: boolean; here?: string; fleet: boolean }>;
