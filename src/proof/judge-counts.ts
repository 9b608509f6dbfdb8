// Pure. What a green check printed that speaks against it, such as that no test ran.

export type CountedCheck = Readonly<{
  command: string;
  result: string;
  tests?: Readonly<{ passed: number; failed: number; skipped: number }> | undefined;
}>;

/** Without a full stop. `before`: the last results before the work. `mayLose`: a person lets the work remove tests. */
export function judgeCounts(
  checks: readonly CountedCheck[],
  before: readonly CountedCheck[],
  { mayLose = false } = {},
): readonly string[] {
  return checks.flatMap((check) => {
    const past = before.findLast(({ command }) => command === check.command);
    const says = check.result === 'green' ? judgeCheck(check, past, mayLose) : undefined;
    return says === undefined ? [] : [`\`${check.command}\` is green, but ${says}`];
  });
}

function judgeCheck(
  { tests }: CountedCheck,
  past: CountedCheck | undefined,
  mayLose: boolean,
): string | undefined {
  const passedBefore = past?.tests?.passed ?? 0;
  if (tests === undefined) {
    // Gradle counts only where something fails.
    if (past?.result !== 'green' || passedBefore === 0) return undefined;
    return `no longer says how many tests it ran (${passedBefore} passed before)`;
  }
  const { passed, failed, skipped } = tests;
  if (passed + failed + skipped === 0) return 'it ran no test';
  // A runner that is tested prints what others say of it.
  if (failed > (past?.result === 'green' ? (past.tests?.failed ?? 0) : 0)) return `tests failed: ${failed}`;
  if (passed === 0) return `no test passed: ${skipped} skipped`;
  if (passed < passedBefore && !mayLose) return `fewer tests passed: ${passed}, and ${passedBefore} before`;
  return undefined;
}
