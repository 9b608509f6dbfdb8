// What the page is sent, as JSON: all that page and server share.
import type { FindingItem, Findings } from '../report/findings/findings.ts';
import type { Block } from '../report/text/block.ts';
import type { Tone } from '../report/text/line.ts';
import type { Need, RunView, TaskCounts, WorkView } from '../report/view/run-view.ts';

/** `at`: how far the tab has got. */
export type StreamPiece = Readonly<{
  at: string;
  parts: readonly PartMessage[];
  items: readonly ActivityItem[];
}>;

/** Null: it is gone. */
export type PartMessage = Readonly<{ part: string; value: unknown }>;

export type Hello = Readonly<{ canAct: boolean }>;

export type RepositoryView = Readonly<{ name: string; root: string }>;

export type Card = RunView &
  Readonly<{
    /** Unique among all repositories. */
    id: string;
    repository: RepositoryView;
    /** Only the newest of its plan can be continued. */
    isNewest: boolean;
  }>;

export type Waiting = Readonly<{ card: Card; need: Need }>;

export type Damaged = Readonly<{ id: string; repository: RepositoryView; run: string; damage: string }>;

/** Without `to` it is still going on. */
export type Bar = Readonly<{
  kind: 'session' | 'question' | 'checks' | 'wait' | 'pause' | 'stop';
  from: string;
  to?: string;
  tone: 'plain' | 'good' | 'bad' | 'warn';
  says: string;
  session?: number;
  /** Of a session: the reviewer, else the role. */
  who?: string;
}>;

export type TaskView = WorkView & Readonly<{ bars: readonly Bar[] }>;

export type RunPart = Readonly<{
  tasks: TaskCounts;
  from: string;
  to: string;
  /** Waits, pauses and stops. */
  rests: readonly Bar[];
  /** Sessions and checks of no task; each reviewer has a row. */
  besides: readonly Readonly<{ label: string; bars: readonly Bar[] }>[];
}>;

export type EndView = Readonly<{
  /** Checks red before their task and green after it; `stayedGreen`: green throughout. */
  turnedGreen: number;
  stayedGreen: number;
  /** Checks in a ground made from the branch alone; absent if not run there. */
  fresh?: 'green' | 'red';
  changed?: Readonly<{ files: number; insertions: number; deletions: number }>;
  forYou: readonly Block[];
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
  marker?: Readonly<{ name: string; words: string }>;
  /** The session's own agent, not one that it started. */
  main: boolean;
}>;

export type LogLine = Readonly<{ at: string; tone: Tone; text: string; indent: number }>;

export type LongText = Readonly<{ text: string; leftOut: number }>;

/** `leftOut`: characters. */
export type DiffView = Readonly<{ files: readonly DiffFile[]; leftOut: number }>;

/** `isOutside`: the task's `files:` do not name it. */
export type DiffFile = Readonly<{
  name: string;
  lines: readonly string[];
  added: number;
  removed: number;
  isOutside: boolean;
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
  /** Its red is no alarm: before the work, or as a finding's proof. */
  isExpected: boolean;
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
  /** Checks before the work are an attempt 0. */
  attempts: readonly AttemptView[];
  /** The guard, refused files, signs of tampering. */
  notes: readonly Readonly<{ tone: Tone; text: string }>[];
  answers: readonly Readonly<{ question: string; answer: string }>[];
}>;
