// Where a session works: the person's tree, a ground of pawl's own, a throw-away checkout, or a sandbox over
// any.
import type { Shell } from '../check/shell.ts';
import type { Move } from '../git/lane/follow.ts';
import type { Repo } from '../git/run/repo.ts';
import type { Spawn } from '../process/spawn.ts';
import type { Sweep } from '../process/sweep.ts';
import type { Run } from './run.ts';

export type PlanPlace = Readonly<{
  /** Absolute; symlinks were resolved at the start. */
  file: string;
  /** Relative to the repository's root; absolute if outside. */
  name: string;
  /** Ticked inside the commits; otherwise after them. */
  tracked: boolean;
}>;

export type Place = Readonly<{
  run: Run;
  /** Absent in the run's own tree. */
  lane?: Lane;
  /** Absent in the person's tree. */
  home?: Home;
  repo: Repo;
  plan: PlanPlace;
  index: string;
  spawn: Spawn;
  /** For sessions that may change nothing: the run's tree is read-only. Absent if impossible here. */
  readOnlySpawn?: Spawn;
  sweep: Sweep;
  shell: Shell;
  /** Without variables of nested sessions; in a sandbox, only what it may see. */
  env: Readonly<Record<string, string>>;
  /** Absent: agents and checks run on this machine. `open` starts its first container. */
  sandbox?: Readonly<{
    open(): Promise<void>;
    /** What programs inside have as their home. */
    home: string;
    /**
     * Commands of the repository's hooks, which pawl's commits skip then. As checks, they prove nothing
     * alone.
     */
    hookChecks: readonly string[];
    /**
     * Runs the message hooks on `$PAWL_MESSAGE`, and prints the result between two lines `$PAWL_MESSAGE_KEY`;
     * absent if there are none.
     */
    messageHooks?: Readonly<{ names: readonly string[]; command: string }>;
  }>;
}>;

type Lane = Readonly<{
  /** From 1 within the run. */
  number: number;
  /** Tasks being worked on at once, with its own. */
  atOnce(): number;
}>;

/** Where a ground's work goes: the person's repository, or for a lane that of the run's own tree. */
export type Home = Readonly<{
  repo: Repo;
  /** Copies what pawl saved in the ground's git folder there. */
  keep(): Promise<void>;
  /** The name of such a ref there. */
  homeOf(ref: string): string;
  /** Brings pawl's commits there; the tree follows. */
  bring(): Promise<void>;
  /** Takes over what a person did to the branch there, if anything, once `makeWay` is through. */
  take(makeWay?: (move: Move) => Promise<void>): Promise<void>;
}>;

/** The user's own untracked files, which a lane does not have. */
export function untrackedIn({ run, lane }: Of): readonly string[] {
  return lane ? [] : run.state().started.untracked;
}

/** New files that are not work. */
export function leftOutIn({ run, lane }: Of): readonly string[] {
  return run.state().leftOut.get(lane?.number ?? 0) ?? [];
}

type Of = Readonly<{ run: Pick<Run, 'state'>; lane?: Pick<Lane, 'number'> }>;
