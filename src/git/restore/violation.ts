// Types for what a session must not do, and how it is undone.
import type { FactOf } from '../../event.ts';
import type { Pushed } from '../protect/further.ts';

/** `red`: why the attempt must be. */
export type Violation = Readonly<Omit<FactOf<'act-found'>, 'type' | 'task' | 'session'>> &
  Readonly<{ red?: string }>;

export type ViolationRestore = Readonly<{
  run: string;
  branch: string;
  /** Default: one of its own. */
  rescueIndex?: string;
  /** The user's untracked files. Absent: none at all is removed. */
  keep?: ReadonlySet<string>;
  /** To restore; default: the tree of the snapshot's HEAD. */
  tree?: string;
  /** The task's own hooks in the work tree: changes are reported and stay. */
  owns?: (file: string) => boolean;
  /** Branches not to be reported as new again. */
  told?: readonly string[];
  /**
   * For a HEAD that moved on the run's branch. `true`: it stays, with the tree; a text: why not; undefined: as any
   * other.
   */
  mayStay?: (head: string) => Promise<true | string | undefined>;
  /** HEAD, its branch and any operation are a person's and stay. */
  leavesHead?: boolean;
  /** Whether a session moved the ref, which is then undone. Default: unknown. */
  isSessions?: (ref: string) => boolean;
  /** By pawl itself, perhaps since the snapshot. */
  pushed?: Pushed | undefined;
  /** Whether a session may create branches and tags. Default true. */
  mayMake?: boolean;
  /** Branches that other runs move; asked only if one has moved. */
  beside?: () => ReadonlySet<string>;
}>;
