// The types of what a session did that it must not do, and of how that is undone.
import type { FactOf } from '../../event.ts';

/** One thing that was not the agent's business, and what was done. */
export type Violation = Readonly<{
  act: FactOf<'act-found'>['act'];
  /** What exactly, in words: a ref, a key, a file. */
  detail: string;
  response: FactOf<'act-found'>['response'];
  /** Ref where what was taken away now lies. */
  kept?: string;
  /** Branch it was done on, where that is not the run's. */
  branch?: string;
  /** Why the attempt must be red; absent when it need not. */
  red?: string;
}>;

/** What decides how it is put back. */
export type RestoreOptions = Readonly<{
  run: string;
  /** The run's branch. */
  branch: string;
  /** How the state is saved before a restore; default: an index of its own, `.env*`, 10 MB. */
  rescue?: Readonly<{ index: string; include: readonly string[]; maxFileMb?: number }>;
  /** The user's untracked files. Absent: a restore removes no untracked file at all. */
  keep?: ReadonlySet<string>;
  /** What a restore restores to; default: the tree of the snapshot's HEAD. */
  tree?: string;
  /** True for a hook in the work tree that the task names as its own: its change is left and reported. */
  owns?: (file: string) => boolean;
  /** Branches that earlier acts of this session were reported on; they are not reported again as new. */
  told?: readonly string[];
  /** Asked about a HEAD that moved on the run's branch. `true`: it stays, and the work tree with it; a text: why it must not; undefined: it is treated like any other. Default: always undefined. */
  mayStay?: (head: string) => Promise<true | string | undefined>;
  /** Whether HEAD, its branch and what they are in the middle of stay as they are: they are a person's. */
  leavesHead?: boolean;
  /** Whether a session moved the ref: then it goes back. Default: it is not known. */
  isSessions?: (ref: string) => boolean;
  /** A session may make branches and tags. Default true. */
  mayMake?: boolean;
  /** Who worked there may mean harm: what git would wait for is taken away first. Default: nobody does. */
  isStrange?: boolean;
  /** Branches that other runs, in working trees of their own, move meanwhile; asked only when one has moved. */
  beside?: () => ReadonlySet<string>;
}>;
