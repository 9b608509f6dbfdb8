// Which commit today holds what an older one held before finalizing rewrote the history, decided here so that every reader of
// the facts agrees.
import type { FactOf } from '../event.ts';

/** A run, as far as its history was put in order: what was, in turn, each beginning where the one before ended or later. */
type Finalized = Readonly<{ rewrites: readonly FactOf<'history-finalized'>[] }>;

/** The commit that holds what this one held; itself, unless the history was put in order since. */
export function commitNow({ rewrites }: Finalized, oid: string): string {
  return rewrites.reduce((now, { commits }) => commits.find(({ old }) => old === now)?.now ?? now, oid);
}

/** HEAD as the rewrites of a session left it that began at `head`. */
export function headNow({ rewrites }: Finalized, head: string): string {
  return rewrites.reduce((now, { from, to }) => (from === now ? to : now), head);
}
