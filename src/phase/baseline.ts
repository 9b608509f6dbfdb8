// The baseline: plan checks on the untouched tree, so that what was red before is known as that; and the checks at the end.
import type { EndReason } from '../event/run.ts';
import { exitCodes, Failure } from '../failure.ts';
import type { Place } from '../place/place.ts';
import { readTruth } from '../work/plan/plan-snapshot.ts';
import { redOnes, runChecks } from '../work/tree/run-checks.ts';
import { checksAtEnd, checksOf } from '../work/work.ts';

/** Runs the plan checks once before the first task, as `baseline` says. */
export async function takeBaseline(place: Place): Promise<void> {
  if (place.run.config.baseline === 'skip' || place.run.state().phasesEnded.includes('baseline')) return;
  const checks = checksOf(place, readTruth(place));
  if (checks.length > 0) place.run.emit({ type: 'phase-started', phase: 'baseline' });
  const { runs } = await runChecks(place, checks, { when: 'baseline' });
  const red = redOnes(runs).map((run) => run.check.command);
  if (place.run.signal.aborted) return;
  if (red.length > 0 && place.run.config.baseline === 'stop') {
    throw new Failure('preflight', `red before the first task: ${red.join('; ')}`, {
      hint: 'Mend them first, mark them `(known red)` in the plan, or run with `--baseline warn`.',
    });
  }
  const reason = red.length === 0 ? 'nothing is red before the first task' : `already red: ${red.join('; ')}`;
  place.run.emit({ type: 'phase-ended', phase: 'baseline', reason });
}

/** Runs the checks marked `(at end)`; red ones keep the run from being done. */
export async function checkAtEnd(place: Place): Promise<readonly EndReason[]> {
  const checks = checksAtEnd(readTruth(place));
  // What comes after has begun on green ones, and what it changes is checked by them too.
  const { review, finalizing } = place.run.state();
  if (checks.length === 0 || review.stages.size > 0 || finalizing) return [];
  place.run.emit({ type: 'phase-started', phase: 'at-end' });
  const { runs } = await runChecks(place, checks, { when: 'at-end' });
  const red = redOnes(runs);
  if (place.run.signal.aborted) return [];
  place.run.emit({
    type: 'phase-ended',
    phase: 'at-end',
    reason: red.length === 0 ? 'green' : `${red.length} red`,
  });
  return red.map((run) => ({
    exit: exitCodes.notClean,
    code: 'red-at-end',
    text: `red at the end: ${run.check.command}`,
  }));
}
