// What a place is that is a lane: a checkout of its own in which a task is worked on beside others. How lanes are made and
// how work lands, phase/lanes/ knows.

/** A lane of the run. */
export type Lane = Readonly<{
  /** Counts from 1 within the run. */
  number: number;
  /** Makes a commit of the lane the branch's, and the run's own tree follow; false: the branch has moved meanwhile. */
  land(commit: Readonly<{ oid: string; parent: string; task: string }>): Promise<boolean>;
  /** Brings what pawl saved in the lane's git folder into the repository. */
  keep(): Promise<void>;
  /** What such a ref is called there. */
  homeOf(ref: string): string;
}>;
