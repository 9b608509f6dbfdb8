// What follows from work merged at the gate. Pure.
import type { Verdict } from '../../work/judge/verdict.ts';

/** If only its own checks are red, the task is simply not done yet. */
export function whyGivenBack(
  found: Readonly<{
    isMerged: boolean;
    unmerged: readonly string[];
    verdict: Verdict['kind'];
    /** Checks that are not its own. */
    othersRed: boolean;
  }>,
): 'conflict' | 'red' | undefined {
  const { isMerged, unmerged, verdict, othersRed } = found;
  if (verdict !== 'correct' && verdict !== 'again' && verdict !== 'fail') return undefined;
  if (unmerged.length > 0) return 'conflict';
  return isMerged && othersRed ? 'red' : undefined;
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
