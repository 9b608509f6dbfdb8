// What is wrong with a draft's checks, run before any work: green proves nothing; no program or no end never passes.
import type { FactOf } from '../event.ts';
import { findMissingPrograms, firstProgram } from './missing.ts';
import type { Check, Plan } from './plan.ts';

export type TriedCheck = Readonly<{ result: FactOf<'check-ended'>['result']; seconds: number }>;

/** Without excused ones, and without the plan's own, which may already pass. */
export function checksToTry(plan: Plan): readonly Check[] {
  return plan.tasks.flatMap(({ checks }) => checks.filter(({ knownRed }) => !knownRed));
}

export function judgeTriedChecks(plan: Plan, tried: ReadonlyMap<string, TriedCheck>): readonly string[] {
  const unstarted = checksToTry(plan).filter(({ id }) => tried.get(id)?.result === 'could-not-run');
  const programs = new Set(unstarted.map(({ command }) => firstProgram(command)));
  const missing = findMissingPrograms(plan, [], (program) => !programs.has(program));
  return plan.tasks.flatMap((task) =>
    task.checks.flatMap((check) => {
      const run = tried.get(check.id);
      const name = `the check \`${check.command}\` of task ${task.id}`;
      const never = missing.find((one) => one.check === check && !one.isBrought);
      if (run?.result === 'green')
        return [
          `${name} passes before any work, so it proves nothing: choose one that fails until the task is done`,
        ];
      if (run?.result === 'timed-out')
        return [
          `${name} did not end within ${run.seconds} s when it was tried: choose one that ends by itself, and soon`,
        ];
      if (run?.result === 'could-not-run' && never)
        return [`${name} cannot start: there is no ${never.program}, and no task up to it speaks of it`];
      return [];
    }),
  );
}
