// Where a session works: a working tree with its index, how to start and see programs there, its sandbox, and the plan
// file. The person's tree, a ground of pawl's own, a throw-away checkout, or a sandbox over any of these.
import type { Shell } from '../check/shell.ts';
import type { Repo } from '../git/run/repo.ts';
import type { Spawn } from '../process/spawn.ts';
import type { Sweep } from '../process/sweep.ts';
import type { Run } from './run.ts';

export type PlanPlace = Readonly<{
  /** Real, absolute path; symlinks were resolved once, at the start. */
  file: string;
  /** Relative to the repository's root, or absolute if it is outside. */
  name: string;
  /** Ticked inside the commits; otherwise in place, after them. */
  tracked: boolean;
}>;

/** A place of a run. A run may have several open at once. */
export type Place = Readonly<{
  run: Run;
  /** Set in a lane; absent in the run's own tree. */
  lane?: Lane;
  /** Where the work of a ground of pawl's own goes; absent in the person's tree. */
  home?: Home;
  repo: Repo;
  plan: PlanPlace;
  index: string;
  spawn: Spawn;
  /**
   * Starts sessions that may change nothing, so that they see the run's tree read-only; absent if that is not possible
   * here.
   */
  readOnlySpawn?: Spawn;
  sweep: Sweep;
  shell: Shell;
  /** The user's environment without variables of nested sessions; in a sandbox, only what may be seen there. */
  env: Readonly<Record<string, string>>;
  /** Where agents and checks run, if not directly on this machine; `open` starts its first container. */
  sandbox?: Readonly<{
    open(): Promise<void>;
    /** Commands of the repository's hooks that pawl's commits skip then. They run as checks, but prove nothing alone. */
    hookChecks: readonly string[];
    /**
     * Runs the repository's message hooks on `$PAWL_MESSAGE`, and prints the result between two lines `$PAWL_MESSAGE_KEY`;
     * absent if there are none.
     */
    messageHooks?: Readonly<{ names: readonly string[]; command: string }>;
  }>;
}>;

type Lane = Readonly<{
  /** Counts from 1 within the run. */
  number: number;
  /** How many tasks are being worked on at once, including its own. */
  atOnce(): number;
  /**
   * Makes a commit of the lane the branch's head and lets the run's own tree follow; false if the branch has moved
   * meanwhile.
   */
  land(commit: Readonly<{ oid: string; parent: string; task: string }>): Promise<boolean>;
}>;

/** The repository that a ground's work goes to: the person's, or for a lane that of the run's own tree. */
export type Home = Readonly<{
  /** It, in the tree that the ground was made from. */
  repo: Repo;
  /** Copies what pawl saved in the ground's git folder there. */
  keep(): Promise<void>;
  /** The name of such a ref there. */
  homeOf(ref: string): string;
  /** Brings what pawl has committed in the ground there, and lets the tree there follow. */
  bring(): Promise<void>;
  /** Takes over what a person did to the branch there. */
  take(): Promise<void>;
  /** Between pieces of work: completes what a kill cut off, and takes over what a person did to the branch there. */
  settle(): Promise<void>;
}>;

/** The user's own untracked files: they are where the run began, not in a lane. */
export function untrackedIn({ run, lane }: Of): readonly string[] {
  return lane ? [] : run.state().started.untracked;
}

/** New files there that are not work. */
export function leftOutIn({ run, lane }: Of): readonly string[] {
  const { leftOut, leftOutOf } = run.state();
  return lane ? (leftOutOf.get(lane.number) ?? []) : leftOut;
}

type Of = Readonly<{ run: Pick<Run, 'state'>; lane?: Pick<Lane, 'number'> }>;
