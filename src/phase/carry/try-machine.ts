// Whether a machine that took a run up can do its work: what was green on the earlier one, on a commit both have,
// must be green here. Else every task would fail for what it lacks.
import { tellingLine } from '../../check/telling-line.ts';
import { Failure } from '../../failure.ts';
import { inGround } from '../../ground/in-ground.ts';
import type { RunState } from '../../journal/state.ts';
import { listClosed } from '../../journal/task-state.ts';
import type { Place } from '../../place/place.ts';
import { readPlanAt } from '../../work/plan/plan-snapshot.ts';
import { runOneCheck, setUpGround } from '../../work/tree/run-checks.ts';
import { allChecks } from '../../work/work.ts';

/** Another machine has worked on it: the tree is no longer untouched. */
export function hasBegunElsewhere({ carry, tasks }: RunState): boolean {
  return (carry?.takenFrom.length ?? 0) > 0 && [...tasks.values()].some(({ start }) => start !== undefined);
}

/**
 * In a checkout of that commit. If one is not green, throws Failure('environment'), or with `baseline: warn` reports it.
 */
export async function tryMachine(place: Place): Promise<void> {
  const { run } = place;
  const { head, green } = provenBefore(run.state());
  const known = allChecks(place, readPlanAt(place)).filter(({ knownRed }) => !knownRed);
  const checks = known.filter(({ command }) => green.has(run.mask(command)));
  const red = await inGround(place, { use: 'prove', commit: head }, async (ground) => {
    const unset = checks.length === 0 ? undefined : await setUpGround(place, ground);
    if (unset !== undefined) return [unset];
    const found: string[] = [];
    for (const check of checks) {
      if (run.signal.aborted) break;
      const { result, exitCode, output } = await runOneCheck(place, check, { when: 'fresh', ground });
      if (result === 'green' || result === 'interrupted') continue;
      found.push(`\`${check.command}\`: ${tellingLine(output) ?? `exit ${exitCode ?? 'by a signal'}`}`);
    }
    return found;
  });
  if (run.signal.aborted) return;
  const before = run.state().carry?.takenFrom.at(-1) ?? 'another machine';
  const says = `green on ${before}, but not here, on ${head.slice(0, 12)}: ${red.join('; ')}`;
  if (red.length > 0 && run.config.baseline !== 'warn')
    throw new Failure('environment', says, {
      hint: 'Install what this machine lacks (or copy what git ignores, such as .env), or take the run up on one that has it. The same command then continues; `--set baseline=warn` continues anyway.',
    });
  run.emit({
    type: 'phase',
    phase: 'baseline',
    state: 'ended',
    reason: red.length > 0 ? says : `as green as on ${before}`,
  });
}

/** Green on the last closed task's commit; without one, at the baseline. */
function provenBefore(state: RunState): Readonly<{ head: string; green: ReadonlySet<string> }> {
  const { started, tasks, baseline, planCommitted } = state;
  const last = listClosed(tasks.values()).at(-1);
  const checks = last
    ? last.task.checks.filter(({ when }) => when === 'after' || when === 'verify')
    : baseline;
  const red = new Set(checks.flatMap(({ command, result }) => (result === 'green' ? [] : [command])));
  const green = checks.flatMap(({ command }) => (red.has(command) ? [] : [command]));
  const head = last?.close.oid ?? planCommitted?.oid ?? started.base;
  return { head, green: new Set(green) };
}
