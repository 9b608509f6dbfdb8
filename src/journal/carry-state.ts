// What a run that is carried to a remote knows about that.
import type { FactOf } from '../event.ts';

export type Carry = Readonly<{
  remote: string;
  ref: string;
  owner: string;
  /** Id of the fleet job that it is worked on for. */
  job?: string;
  /** What the ref last held, as far as the run knows, and the branch's head in it. */
  oid?: string;
  head?: string;
  /** The last reported failure to carry, while it persists. */
  failed?: FactOf<'carry-failed'>;
  fenced?: FactOf<'carry-fenced'>;
  /** The machines that it was taken up from, in order. */
  takenFrom: readonly string[];
}>;
