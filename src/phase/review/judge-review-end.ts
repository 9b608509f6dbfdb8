// What the review means for the exit code. Pure.

import type { StageEnd } from '../../event/review.ts';
import type { EndReason } from '../../event/run.ts';
import { isAtLeast, isConfirmed, type Severity } from '../../event/severity.ts';
import { exitCodes } from '../../failure.ts';
import {
  type FindingState,
  findingsOf,
  isUnsettled,
  type ReviewState,
  type StageState,
} from '../../journal/fold-review.ts';

/**
 * With `failOn` only findings at or above it count, however a stage ended, with `proven` only confirmed ones; a missing
 * answer always counts.
 */
export function reasonsOfReview(
  review: ReviewState,
  { failOn, proven = false }: Readonly<{ failOn?: Severity | undefined; proven?: boolean }> = {},
): readonly EndReason[] {
  return [...review.stages.values()].flatMap((stage) => judgeStage(review, stage, { failOn, proven }));
}

function judgeStage(
  review: ReviewState,
  { started, ended }: StageState,
  { failOn, proven }: Readonly<{ failOn: Severity | undefined; proven: boolean }>,
): readonly EndReason[] {
  if (!ended || started.optional) return [];
  const counted = findingsOf(review, started.stage).filter(
    (one) =>
      isUnsettled(one) &&
      (!proven || isConfirmed(one)) &&
      (failOn === undefined || isAtLeast(one.finding.severity, failOn)),
  );
  if (!isReason(ended.end, { failOn, hasCounted: counted.length > 0 })) return [];
  const open = counted.length === 0 ? '' : `; open: ${counted.map(formatOpen).join('; ')}`;
  return [
    {
      exit: exitCodes.notClean,
      code: 'review',
      text: `review ${started.stage} ended ${ended.end}: ${ended.reason}${open}`,
    },
  ];
}

function isReason(
  end: StageEnd,
  { failOn, hasCounted }: Readonly<{ failOn: Severity | undefined; hasCounted: boolean }>,
): boolean {
  switch (end) {
    case 'skipped':
    // It stops the run, a reason of its own.
    case 'over-budget':
      return false;
    case 'incomplete':
      return true;
    case 'clean':
    case 'settled':
      return failOn !== undefined && hasCounted;
    case 'open':
      return failOn === undefined || hasCounted;
  }
}

function formatOpen({ id, finding: { file, line, severity, title } }: FindingState): string {
  return `${id} ${severity} ${line === 0 ? file : `${file}:${line}`} ${title}`;
}
