// What a run that is carried to a remote knows of itself.
import type { FactOf } from '../event.ts';

/** A run that is carried, as it knows itself. */
export type Carry = Readonly<{
  remote: string;
  ref: string;
  owner: string;
  /** Id of the fleet's job that it is worked on for. */
  job?: string;
  /** Ids of all jobs that it was ever worked on for, in order. */
  jobs?: readonly string[];
  /** What the ref held last, as far as the run was told, and the branch's head in it. */
  oid?: string;
  head?: string;
  /** What was told as not carried, and is not yet. */
  failed?: FactOf<'carry-failed'>;
  /** It is another's. */
  fenced?: FactOf<'fenced'>;
  /** The machines that it was taken up from, in order. */
  takenFrom: readonly string[];
}>;
