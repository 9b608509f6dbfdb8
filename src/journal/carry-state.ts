// What a carried run knows about its remote.
import type { FactOf } from '../event.ts';

export type Carry = Readonly<{
  remote: string;
  ref: string;
  owner: string;
  job?: string;
  /** What the ref last held, as far as known, and the branch's head in it. */
  oid?: string;
  head?: string;
  /** While the failure persists. */
  failed?: FactOf<'carry-failed'>;
  fenced?: FactOf<'carry-fenced'>;
  /** Machines, in order. */
  takenFrom: readonly string[];
}>;
