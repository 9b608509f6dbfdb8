// What the page is sent, as JSON: all that page and server share.
import type { Block } from '../report/text/block.ts';
import type { Tone } from '../report/text/line.ts';
import type { Bar, Need, RunView, TaskCounts, Timeline, WorkView } from '../report/view/run-view.ts';

/**
 * `n`: of its newest. `isWhole`, `isRunWhole`: the list, the run is told as if nothing were known. `parts`: null, where
 * one is gone.
 */
export type News = Readonly<{
  n: number;
  isWhole: boolean;
  isRunWhole: boolean;
  canAct: boolean;
  parts: Readonly<Record<string, unknown>>;
  items: readonly ActivityItem[];
}>;

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

export type TaskView = WorkView & Readonly<{ bars: readonly Bar[] }>;

export type RunPart = Readonly<{ tasks: TaskCounts }> & Omit<Timeline, 'works'>;

/** `forYou`: what to look at before the work is taken over. */
export type ReportView = Readonly<{
  receipt: readonly Block[];
  findings: readonly Block[];
  proof: readonly Block[];
  forYou: readonly Block[];
}>;

export type LogLine = Readonly<{ at: string; tone: Tone; text: string; indent?: number }>;

export type ActivityItem = LogLine & Readonly<{ n: number; session: number; task?: string }>;

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
