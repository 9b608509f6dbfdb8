// Which of a task's red checks still count, and what a person's tick means if pawl itself saw one of those. Pure.

/** The commands in the plan as last read; absent in old journals. */
type Commands = Readonly<{
  checks?: readonly string[] | undefined;
  tasks: readonly Readonly<{ checks?: readonly string[] | undefined }>[];
}>;

type Result = Readonly<{
  when: string;
  command: string;
  result: string;
  knownRed?: boolean | undefined;
}>;

/** Whether a check is red and still in the plan: one that was removed is asked of nobody any more. */
export function isStillRed({ result, command }: Result, plan: Commands | undefined): boolean {
  if (result === 'green' || plan?.checks === undefined) return result !== 'green';
  return plan.checks.includes(command) || plan.tasks.some(({ checks }) => checks?.includes(command));
}

/** Ticked by a person, although a check was red after the last session that worked on it. */
export function isRedByHand(
  { standing, checks }: Readonly<{ standing: string; checks: readonly Result[] }>,
  plan: Commands | undefined,
): boolean {
  const isRed = checks.some((check) => check.when === 'after' && !check.knownRed && isStillRed(check, plan));
  return standing === 'closed-by-hand' && isRed;
}
