// How a lane's work gets onto the run's branch, as the engine asks for it. phase/lanes/ does it.
import type { Snapshot } from '../git/protect/snapshot.ts';
import type { WrittenTree } from '../git/tree/tree.ts';
import type { Place } from '../place/place.ts';
import type { Verdict } from './judge/verdict.ts';
import type { Work } from './work.ts';

/** One lane at a time is at the gate: it merges, is checked, and lands. */
export type Landing = Readonly<{
  /**
   * Waits for the gate. Returns the function that opens it for the next lane; undefined if the run is interrupted first.
   * `onLong`: called when the wait has become too long to keep a session.
   */
  enter(task: string, onLong: () => Promise<void>): Promise<(() => void) | undefined>;
  leave(): void;
  /**
   * Merges the work, whose tree T was just written, with what landed since. Undefined if the plan no longer has the task,
   * has it as done, or has changed it.
   */
  catchUp(work: Work, tree: WrittenTree): Promise<CaughtUp | undefined>;
  judged(found: Judged): boolean;
}>;

export type CaughtUp = Readonly<{
  work: Work;
  /** Git's state now, if the branch had moved; else absent. */
  before?: Snapshot;
  unmerged: readonly string[];
  /** Conflicts left as they are though a session was told, in words: nobody can tell whether that is right. */
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
export type WorkPlace = Place & Readonly<{ landing?: Landing }>;
