// Journals what a session must not have done.
import { defined } from '../../defined.ts';
import type { FactOf } from '../../event.ts';
import type { Violation } from '../../git/restore/violation.ts';
import type { Place } from '../../place/place.ts';

export type Whose = Readonly<{ task: string; session?: number }>;

/** Copies what a lane lost into the repository, before anybody is told of it. */
export async function keepTaken(
  { home }: Pick<Place, 'home'>,
  violations: readonly Violation[],
): Promise<void> {
  if (violations.some(({ kept }) => kept !== undefined)) await home?.keep();
}

/** One that is only reported is seen at each look, but journaled once per session. */
export function emitViolations(
  place: Pick<Place, 'run' | 'home'>,
  found: Readonly<{
    past: readonly ViolationFound[];
    whose: Partial<Whose>;
    violations: readonly Violation[];
  }>,
): void {
  const told = new Set(found.past.filter(({ response }) => response === 'reported').map(keyOfViolation));
  for (const { red: _, ...act } of found.violations) {
    const kept = act.kept === undefined ? undefined : (place.home?.homeOf(act.kept) ?? act.kept);
    const fact = { type: 'act-found', ...found.whose, ...act, ...defined({ kept }) } as const;
    if (act.response !== 'reported' || !told.has(keyOfViolation(fact))) place.run.emit(fact);
  }
}

export function branchesTold(past: readonly ViolationFound[], of: number | undefined): readonly string[] {
  return past.flatMap(({ session, branch }) => (session === of && branch !== undefined ? [branch] : []));
}

type ViolationFound = FactOf<'act-found'>;

function keyOfViolation({
  session,
  act,
  detail,
}: Pick<ViolationFound, 'session' | 'act' | 'detail'>): string {
  return `${session} ${act} ${detail}`;
}
