// The messages between pawl and the process supervisor of a container, one JSON text per line.
import type { Mark, Process } from '../process/sweep.ts';

type Whose = Readonly<{
  mark: Mark;
  /** Nothing else runs in the container, so processes that lost the mark count too. */
  alone: boolean;
}>;

export type SupervisorAsk =
  | (Whose & Readonly<{ op: 'find' }>)
  | (Whose & Readonly<{ op: 'end'; except: readonly Process[]; graceMs?: number }>)
  /** Each one by itself, as in `Sweep.signal`. */
  | Readonly<{ op: 'signal'; processes: readonly Process[]; signal: NodeJS.Signals }>
  /** The process group of the program that was started with the mark. */
  | Readonly<{ op: 'signal-group'; mark: Mark; signal: NodeJS.Signals }>
  /** Whether a program could be started. */
  | Readonly<{ op: 'try'; file: string; cwd: string }>;

export type SupervisorRequest = Readonly<{ id: number; ask: SupervisorAsk }>;

/** A line from the supervisor; `id` 0 says that it is ready. */
export type SupervisorAnswer = Readonly<{
  id: number;
  /** For `find` and `end`. */
  processes?: readonly Process[];
  /** For `find` and `end`: the program that was started with the mark, while it is alive. */
  root?: number;
  /** For `signal-group`: there was one. */
  found?: boolean;
  /** For `try`: why not, in the form of a Node error. */
  error?: Readonly<{ code: string; message: string }>;
}>;
