// What the page is sent: plain values, as JSON. The page and the server share these types, and nothing else.
import type { RunStats, Together } from '../journal/run-stats.ts';
import type { FindingItem, Findings } from '../report/findings/findings.ts';
import type { FleetView } from '../report/status/fleet-view.ts';
import type { Block } from '../report/text/block.ts';
import type { Tone } from '../report/text/line.ts';
import type { Need, RunView, TaskCounts, WorkView } from '../report/view/run-view.ts';
import type { Evidence } from './evidence-view.ts';

export type RepositoryView = Readonly<{ key: string; name: string; root: string }>;

export type Card = RunView &
  Readonly<{
    /** Of the run, unique among all repositories. */
    id: string;
    repository: RepositoryView;
    /** It is the newest of its plan: only that one can be continued. */
    isNewest: boolean;
  }>;

/** Something that waits, and the run that it belongs to. */
export type Waiting = Readonly<{ card: Card; need: Need }>;

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
export type TaskView = WorkView & Readonly<{ bars: readonly Bar[]; canUndo: boolean }>;

/** What the timeline shows of the run as a whole. */
export type RunPart = Readonly<{
  tasks: TaskCounts;
  from: string;
  to: string;
  /** Waits, pauses and stops of the whole run, and sessions that belong to no task. */
  bars: readonly Bar[];
  interventions: readonly Readonly<{ at: string; text: string; by?: string }>[];
  notesWaiting: readonly string[];
}>;

/** What is left after a run that has ended. */
export type EndView = Readonly<{
  /** How many checks were red before their task and green after it, and how many were green throughout. */
  turnedGreen: number;
  stayedGreen: number;
  /** The checks in a ground made from nothing but the branch; absent if they were not run there. */
  fresh?: 'green' | 'red';
  changed?: Readonly<{ files: number; insertions: number; deletions: number }>;
  /** What a person should look at before merging. */
  forYou: readonly Block[];
  /** The command that merges the branch; only if all is well. */
  merge?: string;
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
