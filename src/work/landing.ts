// How a lane's work gets onto the branch, as the engine asks for it.
import type { Snapshot } from '../git/protect/snapshot.ts';
import type { WrittenTree } from '../git/tree/tree.ts';
import type { Place } from '../place/place.ts';
import type { Verdict } from './judge/verdict.ts';
import type { Work } from './work.ts';

/** One lane at a time is at the gate: it merges, is checked, and lands. */
export type Landing = Readonly<{
  /** Returns what lets the next lane in; undefined if interrupted. */
  enter(): Promise<(() => void) | undefined>;
  /** Merges the work, just written as tree T, with what landed. Undefined if its task is gone, done or changed. */
  catchUp(work: Work, tree: WrittenTree): Promise<CaughtUp | undefined>;
  judged(caught: CaughtUp, verdict: Verdict): void;
  /** Moves the branch to a commit of the lane, and the run's tree after it; false if the branch has moved. */
  land(commit: Readonly<{ oid: string; parent: string; task: string }>): Promise<boolean>;
}>;

export type CaughtUp = Readonly<{
  work: Work;
  /** Git's state now; absent if the branch had not moved. */
  before?: Snapshot;
  /** Conflicts, in words. */
  unmerged: readonly string[];
  /** Conflicts left though a session was told, in words. */
  unproved: readonly string[];
  /** For the session; may be empty. */
  told: string;
}>;

/** `landing`: in a lane. */
export type WorkPlace = Place & Readonly<{ landing?: Landing }>;
