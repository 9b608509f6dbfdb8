// Where a session works: a working tree with its index, its way to start and see programs, its sandbox, and the plan file. The
// person's tree, a worktree, a throw-away checkout, or a sandbox over any of these.
import type { Shell } from '../check/shell.ts';
import type { Repo } from '../git/run/repo.ts';
import type { Spawn } from '../process/spawn.ts';
import type { Sweep } from '../process/sweep.ts';
import type { Run } from './run.ts';

/** Where the plan lives. */
export type PlanPlace = Readonly<{
  /** Real, absolute path; symlinks were resolved once, at the start. */
  file: string;
  /** Relative to the repository's root, or absolute when it lies outside. */
  name: string;
  /** Ticked inside the commits; otherwise in place after them. */
  tracked: boolean;
}>;

/** A place of a run. A run may have several open at once. */
export type Place = Readonly<{
  run: Run;
  /** Set in a lane; absent: it is the run's own tree. */
  lane?: Lane;
  repo: Repo;
  plan: PlanPlace;
  /** Index file of tree T, kept for the run. */
  index: string;
  spawn: Spawn;
  /** How sessions are started that may change nothing, so that they see the run's tree read-only; absent: it cannot be shown so here. */
  readOnlySpawn?: Spawn;
  sweep: Sweep;
  shell: Shell;
  /** The user's environment, cleaned of nested sessions; under a sandbox what of it may be seen there. */
  env: Readonly<Record<string, string>>;
  /** Where agents and checks run, if not on this machine; its first container is started by `open`. */
  sandbox?: Readonly<{
    open(): Promise<void>;
    /** Commands of the repository's hooks that pawl's commits do not run then; they are checks, and prove nothing alone. */
    hookChecks: readonly string[];
    /** What runs the repository's hooks for messages on `$PAWL_MESSAGE`, and prints what they made of it between two lines `$PAWL_MESSAGE_KEY`; absent: there is none. */
    messageHooks?: Readonly<{ names: readonly string[]; command: string }>;
  }>;
}>;

/** A lane of the run. */
type Lane = Readonly<{
  /** Counts from 1 within the run. */
  number: number;
  /** How many tasks are worked on at once now, its own among them. */
  atOnce(): number;
  /** Makes a commit of the lane the branch's, and the run's own tree follow; false: the branch has moved meanwhile. */
  land(commit: Readonly<{ oid: string; parent: string; task: string }>): Promise<boolean>;
  /** Brings what pawl saved in the lane's git folder into the repository. */
  keep(): Promise<void>;
  /** What such a ref is called there. */
  homeOf(ref: string): string;
}>;
