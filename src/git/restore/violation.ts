// Types for what a session did that it must not do, and how that is undone.
import type { FactOf } from '../../event.ts';

/** One thing that was not the agent's business, and how pawl responded. */
export type Violation = Readonly<{
  act: FactOf<'act-found'>['act'];
  /** What exactly, in words: a ref, a key, a file. */
  detail: string;
  response: FactOf<'act-found'>['response'];
  /** The ref that now holds what was taken away. */
  kept?: string;
  /** The branch it was done on, if that is not the run's. */
  branch?: string;
  /** Why the attempt must be red; absent if it need not be. */
  red?: string;
}>;

export type ViolationRestore = Readonly<{
  run: string;
  branch: string;
  /** How the state is saved before a restore; default: an index of its own, `.env*`, 10 MB. */
  rescue?: Readonly<{ index: string; include: readonly string[]; maxFileMb?: number }>;
  /** The user's untracked files. Absent: a restore removes no untracked file at all. */
  keep?: ReadonlySet<string>;
  /** What a restore restores to; default: the tree of the snapshot's HEAD. */
  tree?: string;
  /** True for a hook in the work tree that the task names as its own: its change is reported and stays. */
  owns?: (file: string) => boolean;
  /** Branches already reported for this session; they are not reported as new again. */
  told?: readonly string[];
  /**
   * Asked about a HEAD that moved on the run's branch. `true`: it stays, with the work tree; a text: why it must not stay;
   * undefined: treated like any other. Default: always undefined.
   */
  mayStay?: (head: string) => Promise<true | string | undefined>;
  /** HEAD, its branch and any unfinished operation are a person's and stay as they are. */
  leavesHead?: boolean;
  /** Whether a session moved the ref, which is then undone. Default: unknown. */
  isSessions?: (ref: string) => boolean;
  /** A session may create branches and tags. Default true. */
  mayMake?: boolean;
  /** Branches that other runs, in worktrees of their own, move meanwhile; asked only if one has moved. */
  beside?: () => ReadonlySet<string>;
}>;
