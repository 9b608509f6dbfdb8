// Pure. What a round's checks come to, for its judge.
import type { CheckRun } from '../../check/check-run.ts';
import type { CheckSummary } from '../judge/verdict.ts';
import { redOnes } from '../tree/run-checks.ts';
import { isHookCheck, isProof, type Work } from '../work.ts';

export function summarizeChecks(work: Work, runs: readonly CheckRun[]): CheckSummary {
  const ids = new Set(work.task.checks.map(({ id }) => id));
  const own = runs.filter(
    (run) => run.check.scope === 'task' && ids.has(run.check.id) && run.result === 'green',
  );
  const excused = runs.filter((run) => run.check.knownRed && run.result !== 'green').length;
  return {
    ran: runs.filter(({ check }) => !isHookCheck(check)).length - excused,
    excused,
    red: redOnes(runs).map((run) => run.check.command),
    turnedGreen: own.some((run) => work.start.red.includes(run.check.id)),
    wasRed:
      own.some((run) => (work.start.wasRed ?? work.start.red).includes(run.check.id)) ||
      runs.some(({ check, result }) => isProof(check) && result === 'green'),
    ownGreen: own.length > 0,
  };
}
