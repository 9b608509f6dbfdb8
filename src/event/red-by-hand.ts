// What a person's tick means where pawl itself saw the task's checks red. Pure.

/** What of a task decides. */
type Ticked = Readonly<{
  standing: string;
  checks: readonly Readonly<{ when: string; result: string; knownRed?: boolean | undefined }>[];
}>;

/** Ticked by a person, though a check was red after the last session that worked on it. */
export function isRedByHand({ standing, checks }: Ticked): boolean {
  const isRed = checks.some(
    ({ when, result, knownRed }) => when === 'after' && result !== 'green' && !knownRed,
  );
  return standing === 'closed-by-hand' && isRed;
}
