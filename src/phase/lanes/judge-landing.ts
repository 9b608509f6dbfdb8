// What follows from work merged at the gate. Pure.
import type { Verdict } from '../../work/judge/verdict.ts';

export function judgeGivenBack(
  found: Readonly<{
    isMerged: boolean;
    unmerged: readonly string[];
    verdict: Verdict['kind'];
    reds: readonly string[];
    own: ReadonlySet<string>;
    /** Times it was given back before. */
    before: number;
  }>,
): Readonly<{ why: 'conflict' | 'red'; held: boolean }> | undefined {
  const { isMerged, unmerged, verdict, reds, own, before } = found;
  if (verdict !== 'correct' && verdict !== 'again' && verdict !== 'fail') return undefined;
  const isConflict = unmerged.length > 0;
  // If only its own checks are red, the task is simply not done yet.
  const isRed = isMerged && reds.some((id) => !own.has(id));
  if (!isConflict && !isRed) return undefined;
  // From the second time on nobody else lands first, or quick neighbours would always win.
  return { why: isConflict ? 'conflict' : 'red', held: verdict === 'correct' && before >= 1 };
}

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
