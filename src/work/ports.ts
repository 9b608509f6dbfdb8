// The interfaces through which the attempt loop reaches sessions, checks and the repository, so that tests can drive it
// without them.
import type { CheckRun } from '../check/check-run.ts';
import type { FactOf } from '../event.ts';
import type { Snapshot } from '../git/protect/snapshot.ts';
import type { IgnoredFile } from '../git/tree/ignored.ts';
import type { Look } from '../git/tree/look.ts';
import type { WrittenTree } from '../git/tree/tree.ts';
import type { TaskState } from '../journal/state.ts';
import type { Place } from '../place/place.ts';
import type { Task } from '../plan/plan.ts';
import type { TreeProof } from '../proof/task-proof.ts';
import type { Close, Rejection } from './close/close.ts';
import type { Ticked } from './close/tick-tree.ts';
import type { sortCheckWrites } from './guard/check-writes.ts';
import type { TouchedVerdict } from './guard/judge-touched.ts';
import type { Whose } from './guard/violations.ts';
import type { CheckSummary, Verdict } from './judge/verdict.ts';
import type { PlanSnapshot } from './plan/plan-snapshot.ts';
import type { ReplayGiven } from './rescue/rescue-point.ts';
import type { Started, StartGiven } from './session/start-session.ts';
import type { Known } from './tree/work-tree.ts';
import type { PlacedCheck, Work } from './work.ts';

export type Sessions = Readonly<{
  start(place: Place, work: Work, given: StartGiven): Started;
}>;

/** Runs checks. `after`: a look at the tree that is still valid when they have ended. */
export type Checks = Readonly<{
  run(
    place: Place,
    checks: readonly PlacedCheck[],
    options: Readonly<{ when: FactOf<'check-ended'>['when']; task?: Task; look?: Look | undefined }>,
  ): Promise<Readonly<{ runs: readonly CheckRun[]; after: Look | undefined }>>;
}>;

/** Looks at the working tree and git, restores them, and commits. */
export type Repository = Readonly<{
  /** Begins work for the first time; undefined if the run was interrupted. */
  begin(place: Place, planSnapshot: PlanSnapshot, task: Task): Promise<Work | undefined>;
  takeSnapshot(place: Place): Promise<Snapshot>;
  /** Returns the reasons against the round. */
  restoreRepository(
    place: Place,
    work: Work,
    found: Readonly<{ before: Snapshot; whose: Whose }>,
  ): Promise<readonly string[]>;
  /** Returns the reasons against the round. */
  noteTamper(place: Place, work: Work, tree: WrittenTree): Promise<readonly string[]>;
  /** What green checks are worth where the work touched files that decide them. */
  judgeTouched(
    place: Place,
    work: Work,
    found: Readonly<{ tree: WrittenTree; whose: Whose }>,
  ): Promise<TouchedVerdict>;
  /** What experiments show of a tree, where a task may close only as proven; undefined elsewhere. */
  proveTree(
    place: Place,
    work: Work,
    found: Readonly<{ tree: WrittenTree; checks: CheckSummary; unproved: readonly string[] }>,
  ): Promise<TreeProof | undefined>;
  noteIgnored(place: Place, work: Work, written: readonly string[]): Promise<readonly IgnoredFile[]>;
  writeTree(place: Place, against: string, known?: Known): Promise<WrittenTree>;
  sortCheckWrites: typeof sortCheckWrites;
  tick(place: Place, work: Work, tree: string): Promise<Ticked>;
  /** Undefined when closed, else why not. */
  close(place: Place, work: Work, close: Close): Promise<Rejection | undefined>;
  /** Takes the tree back to the work's start; returns the rescue commit that holds its state before. */
  restoreStart(place: Place, work: Pick<Work, 'start'>, reason: string): Promise<string>;
  /** Reapplies a rescue commit's changes; returns the files that others changed meanwhile. */
  replay(place: Place, point: string, given?: ReplayGiven): Promise<readonly string[]>;
}>;

export type Ports = Readonly<{ sessions: Sessions; checks: Checks; repository: Repository }>;

/** How a lane's work gets onto the run's branch. One lane at a time is at the gate: it merges, is checked, and lands. */
export type Landing = Readonly<{
  /**
   * Waits for the gate. Returns the function that opens it for the next lane; undefined if the run is interrupted first.
   * `onLong`: called when the wait has become too long to keep a session.
   */
  enter(task: string, onLong: () => Promise<void>): Promise<(() => void) | undefined>;
  /** Lets others in, if this lane still holds the gate. */
  leave(): void;
  /**
   * Merges the work, whose tree T was just written, with what landed since. Undefined if the plan no longer has the task,
   * has it as done, or has changed it.
   */
  catchUp(work: Work, tree: WrittenTree): Promise<CaughtUp | undefined>;
  /** Reports the result of merged work; returns true if the gate is kept for its next turn. */
  judged(found: Judged): boolean;
  /** Runs checks that are red only on merged work once more. */
  confirmReds(work: Work, runs: readonly CheckRun[], past: TaskState['checks']): Promise<readonly CheckRun[]>;
}>;

export type CaughtUp = Readonly<{
  work: Work;
  /** Git's state now, if the branch had moved; else absent. */
  before?: Snapshot;
  /** Unresolved conflicts, in words. */
  unmerged: readonly string[];
  /** Conflicts left as they are though a session was asked twice, in words: nobody can tell whether that is right. */
  unproved: readonly string[];
  /** What happened, for the session; empty if nothing did. */
  told: string;
}>;

export type Judged = Readonly<{
  work: Work;
  isMerged: boolean;
  unmerged: readonly string[];
  verdict: Verdict;
}>;

/** A place in which work is done; `landing`: set in a lane. */
export type WorkPlace = Place & Readonly<{ ports: Ports; landing?: Landing }>;
