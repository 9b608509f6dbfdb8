// Which commit today has what an older one had before finalizing rewrote the history, decided here so that every reader of
// the facts agrees.
import type { FactOf } from '../event.ts';

/** The rewrites of a run's history in order, each beginning where the one before ended or later. */
type Finalized = Readonly<{ rewrites: readonly FactOf<'history-finalized'>[] }>;

/** The commit that has what this one had; itself, unless the history was rewritten since. */
export function commitNow({ rewrites }: Finalized, oid: string): string {
  return rewrites.reduce((now, { commits }) => commits.find(({ old }) => old === now)?.now ?? now, oid);
}

/** HEAD as rewritten by a session that began at `head`. */
export function headNow({ rewrites }: Finalized, head: string): string {
  return rewrites.reduce((now, { from, to }) => (from === now ? to : now), head);
}
