// What follows from work that was merged at the gate: which checks run again, what its session is told, who keeps the gate.
// Pure.
import type { CheckRun } from '../../check/check-run.ts';
import type { FactOf } from '../../event.ts';
import type { Verdict } from '../../work/judge/verdict.ts';

/**
 * Reds that may come from what runs at the same time: on merged work, of checks that are not the task's own and were green
 * last time. A check that never ran on the work before may well be red because of it.
 */
export function listDoubtful(
  runs: readonly CheckRun[],
  given: Readonly<{
    /** The work is based on what has landed meanwhile. */
    isMerged: boolean;
    /** Ids of the task's own checks: if one is red, the task must answer for it. */
    own: ReadonlySet<string>;
    /** The latest results of the task's checks. */
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

/**
 * What is reported about merged work that did not close, and whether the gate is kept for it; undefined if nothing was
 * merged or nothing is red.
 */
export function judgeGivenBack(
  found: Readonly<{
    isMerged: boolean;
    unmerged: readonly string[];
    verdict: Verdict['kind'];
    /** Ids of the red checks. */
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
  // If only its own checks are red, or none, the task is simply not done yet.
  const isRed = isMerged && reds.some((id) => !own.has(id));
  if (!isConflict && !isRed) return undefined;
  // From the second time on nobody else lands first: otherwise quick neighbours would always win.
  return { why: isConflict ? 'conflict' : 'red', held: verdict === 'correct' && before >= 1 };
}

/** What a session is told about the tree that has changed under it. */
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
