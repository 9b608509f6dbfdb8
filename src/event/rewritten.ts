// Which commit holds today what an older one held before a finalizing put the history in order. All who read the facts
// must agree on it, so it is judged here.
import type { FactOf } from '../event.ts';

type Rewrite = FactOf<'history-finalized'>;

/** A run, as far as its history was put in order. */
type Finalized = Readonly<{
  finalizing?: Readonly<{ rewrites: readonly Rewrite[]; ended?: FactOf<'finalize-ended'> }>;
}>;

/** The rewrites that hold: of a finalizing that failed none does. */
export function rewritesOf({ finalizing }: Finalized): readonly Rewrite[] {
  return finalizing?.ended?.result === 'failed' ? [] : (finalizing?.rewrites ?? []);
}

/** The commit that holds what this one held; itself, unless the history was put in order since. */
export function commitNow(state: Finalized, oid: string): string {
  return rewritesOf(state).reduce(
    (now, { commits }) => commits.find(({ old }) => old === now)?.now ?? now,
    oid,
  );
}

/** HEAD as the rewrites of a session left it that began at `head`. */
export function headNow(state: Finalized, head: string): string {
  return rewritesOf(state).reduce((now, { from, to }) => (from === now ? to : now), head);
}
