// What the page is sent: plain values, as JSON. The page and the server share these types, and nothing else.
import type { FindingItem, Findings } from '../report/findings/findings.ts';
import type { Block } from '../report/text/block.ts';
import type { Line, Tone } from '../report/text/line.ts';
import type { Need, RunView, TaskCounts, WorkView } from '../report/view/run-view.ts';

/** What the stream sends. `at`: how far the tab has got with it. */
export type StreamPiece = Readonly<{
  at: string;
  parts: readonly PartMessage[];
  items: readonly ActivityItem[];
}>;

/** A part that is new or has changed; null: it is gone. */
export type PartMessage = Readonly<{ part: string; value: unknown }>;

/** Who the page is to the server; `fleet`: the user's settings name one. */
export type Hello = Readonly<{ canAct: boolean; fleet: boolean }>;

export type RepositoryView = Readonly<{ name: string; root: string }>;

export type Card = RunView &
  Readonly<{
    /** Of the run, unique among all repositories. */
    id: string;
    repository: RepositoryView;
    /** It is the newest of its plan: only that one can be continued. */
    isNewest: boolean;
  }>;

export type Waiting = Readonly<{ card: Card; need: Need }>;

export type Damaged = Readonly<{ id: string; repository: RepositoryView; run: string; damage: string }>;

/** A stretch of time in the timeline; without `to` it is still going on. */
export type Bar = Readonly<{
  kind: 'session' | 'question' | 'checks' | 'wait' | 'pause' | 'stop';
  from: string;
  to?: string;
  tone: 'plain' | 'good' | 'bad' | 'warn';
  says: string;
  session?: number;
}>;

export type TaskView = WorkView & Readonly<{ bars: readonly Bar[] }>;

export type RunPart = Readonly<{
  tasks: TaskCounts;
  from: string;
  to: string;
  /** Waits, pauses and stops of the whole run, and sessions that belong to no task. */
  bars: readonly Bar[];
}>;

export type EndView = Readonly<{
  /** How many checks were red before their task and green after it, and how many were green throughout. */
  turnedGreen: number;
  stayedGreen: number;
  /** The checks in a ground made from nothing but the branch; absent if they were not run there. */
  fresh?: 'green' | 'red';
  changed?: Readonly<{ files: number; insertions: number; deletions: number }>;
  forYou: readonly Block[];
  /** The command that merges the branch; only if all is well. */
  merge?: string;
}>;

export type ReviewView = Readonly<{ stages: Findings['stages']; findings: readonly FindingItem[] }>;

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
  /** By the session's own agent, not by one that it started. */
  main: boolean;
}>;

export type LogLine = Readonly<{ at: string; tone: Tone; text: string; indent: number }>;

export type LongText = Readonly<{ text: string; leftOut: number }>;

/** `outside`: changed files that the `files:` of the task do not name. */
export type DiffText = LongText & Readonly<{ outside: readonly string[] }>;

/** The fleet as read that long ago. `away`: why it cannot be read now. */
export type FleetLook = Readonly<{
  seen?: Readonly<{ lines: readonly Line[]; ageMs: number }>;
  away?: Readonly<{ why: string; hint?: string }>;
}>;

export type CheckView = Readonly<{
  at: string;
  command: string;
  /** As the plan calls it, else its command, shortened. */
  name: string;
  when: string;
  result: 'green' | 'red' | 'could-not-run' | 'timed-out' | 'interrupted';
  exitCode: number | null;
  durationMs: number;
  log: string;
  says?: string;
  alreadyRed: boolean;
  knownRed: boolean;
}>;

export type SessionView = Readonly<{
  session: number;
  model: string;
  startedAt: string;
  endedAt?: string;
  outcome?: string;
  costUsd?: number;
  atLeast: boolean;
}>;

export type AttemptView = Readonly<{
  number: number;
  reason: string;
  at: string;
  sessions: readonly SessionView[];
  checks: readonly CheckView[];
  corrections: readonly Readonly<{ at: string; reason: string }>[];
  verdict?: string;
  why?: string;
}>;

export type Evidence = Readonly<{
  before: readonly CheckView[];
  /** Commands that were red before the work and are green now. */
  turnedGreen: readonly string[];
  /** Checks that were green before the work: they prove nothing. */
  vacuous: readonly string[];
  attempts: readonly AttemptView[];
  leftOut: number;
  /** What the guard found and did, refused files, signs of tampering. */
  notes: readonly Readonly<{ tone: Tone; text: string }>[];
  answers: readonly Readonly<{ question: string; answer: string }>[];
}>;
