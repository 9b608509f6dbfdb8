// How long a run works between two interventions of a person. Pure; a start after a journaled stop counts as one, a start
// after a crash does not.
import type { RunState } from './state.ts';

/** One intervention: when (ISO 8601 in UTC), how, and what in words. */
export type Intervention = Readonly<{
  at: string;
  kind: RunState['interventions'][number]['kind'];
  text: string;
}>;

/** What people did in some runs, compared with the time these were at work. */
export type Interventions = Readonly<{
  list: readonly Intervention[];
  /** Working, checking and pawl's own time, in milliseconds by the clock, without waits, pauses and stops. */
  atWorkMs: number;
  /** Mean time between interventions, milliseconds; absent if there was none. */
  mtbiMs?: number;
}>;

/** The interventions of runs, in order, and the mean time between them. */
export function meanInterventions(
  runs: readonly Pick<RunState, 'interventions'>[],
  atWorkMs: number,
): Interventions {
  const list = runs
    .flatMap(({ interventions }) => interventions)
    .map(({ at, kind, text }) => ({ at, kind, text }))
    .sort((a, b) => a.at.localeCompare(b.at));
  return { list, atWorkMs, ...(list.length === 0 ? {} : { mtbiMs: atWorkMs / list.length }) };
}
