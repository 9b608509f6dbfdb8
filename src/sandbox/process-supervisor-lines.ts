// The messages between pawl and the process supervisor of a container, one JSON text per line.
import type { Mark, Process } from '../process/sweep.ts';

/** Processes by the pids of the container. */
type Whose = Readonly<{
  mark: Mark;
  /** Nothing else runs in the container: who lost the mark belongs to it too. */
  alone: boolean;
}>;

/** What pawl asks. */
export type SupervisorAsk =
  | (Whose & Readonly<{ op: 'find' }>)
  | (Whose & Readonly<{ op: 'end'; except: readonly Process[]; graceMs?: number }>)
  /** Each one by itself, as `Sweep.signal`. */
  | Readonly<{ op: 'signal'; processes: readonly Process[]; signal: NodeJS.Signals }>
  /** The process group of the program that was started with the mark. */
  | Readonly<{ op: 'signal-group'; mark: Mark; signal: NodeJS.Signals }>
  /** Whether a program could be started. */
  | Readonly<{ op: 'try'; file: string; cwd: string }>;

/** A line from pawl. */
export type SupervisorRequest = Readonly<{ id: number; ask: SupervisorAsk }>;

/** A line from the supervisor; `id` 0 says that it is there. */
export type SupervisorAnswer = Readonly<{
  id: number;
  /** Of `find` and `end`. */
  processes?: readonly Process[];
  /** Of `find` and `end`: the program that was started with the mark, while it lives. */
  root?: number;
  /** Of `signal-group`: there was one. */
  found?: boolean;
  /** Of `try`: why not, shaped like an error of Node's. */
  error?: Readonly<{ code: string; message: string }>;
}>;
