// What follows from work that was merged at the gate: what is asked once more, what its session is told, who keeps the gate.
// Pure.
import type { CheckRun } from '../../check/check-run.ts';
import type { FactOf } from '../../event.ts';
import type { Verdict } from '../../work/judge/verdict.ts';

/** Checks whose red may come of what runs beside them: merged work has them, they are none of the task's own, and they were green when it was looked at last. One that was never asked of the work before may well be red for it. */
export function listDoubtful(
  runs: readonly CheckRun[],
  given: Readonly<{
    /** The work stands on what landed beside it. */
    isMerged: boolean;
    /** Ids of the task's own checks: one that is red is the task's to answer for. */
    own: ReadonlySet<string>;
    /** What the task's checks said last. */
    past: readonly FactOf<'check-ended'>[];
  }>,
): readonly CheckRun[] {
  const wasGreen = new Set(
    given.past.filter(({ when, result }) => when === 'after' && result === 'green').map(({ check }) => check),
  );
  if (!given.isMerged) return [];
  return runs.filter(
    ({ result, check }) =>
      (result === 'red' || result === 'timed-out') &&
      !check.knownRed &&
      !given.own.has(check.id) &&
      wasGreen.has(check.id),
  );
}

/** What is told of merged work that did not close, and whether the gate is kept for it; undefined: nothing was merged, or nothing was red. */
export function judgeGivenBack(
  found: Readonly<{
    isMerged: boolean;
    unmerged: readonly string[];
    verdict: Verdict['kind'];
    /** Ids of the checks that were red. */
    reds: readonly string[];
    /** Ids of the task's own checks. */
    own: ReadonlySet<string>;
    /** How often this work was given back before. */
    before: number;
  }>,
): Readonly<{ why: 'conflict' | 'red'; held: boolean }> | undefined {
  const { isMerged, unmerged, verdict, reds, own, before } = found;
  if (verdict !== 'correct' && verdict !== 'again' && verdict !== 'fail') return undefined;
  const isConflict = unmerged.length > 0;
  // A red of its own checks alone, or none, is the task's: it is not done yet.
  const isRed = isMerged && reds.some((id) => !own.has(id));
  if (!isConflict && !isRed) return undefined;
  // From the second time on nobody else lands first: quick neighbours would always be faster.
  return { why: isConflict ? 'conflict' : 'red', held: verdict === 'correct' && before >= 1 };
}

/** What a session is told of the tree that has changed under it. */
export function formatMerged({
  landed = [],
  conflicts = [],
}: Readonly<{ landed?: readonly string[]; conflicts?: readonly string[] }>): string {
  const who =
    landed.length === 0
      ? 'others committed to the branch'
      : `${landed.length === 1 ? `task ${landed[0]}` : `tasks ${landed.join(', ')}`} landed on the branch`;
  const how = conflicts.length === 0 ? 'without a conflict' : 'with conflicts';
  return `While you worked, ${who}. Your work was merged with that, ${how}: the files that you see now hold both.`;
}
