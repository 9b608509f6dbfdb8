// How far the checks speak for tasks: proven, passed, unchecked.

import type { TaskState } from '../../journal/state.ts';
import { proofWordOf } from '../../journal/task-proof.ts';
import { formatCount } from '../text/figure.ts';
import type { TaskCounts } from '../view/run-view.ts';

/** `3 of 6 tasks proven, 2 passed, 1 unchecked`. */
export function formatProofs({ total, proven, passed, unchecked }: TaskCounts): string {
  return [
    `${proven} of ${formatCount(total, 'task')} proven`,
    ...(passed > 0 ? [`${passed} passed`] : []),
    ...(unchecked > 0 ? [`${unchecked} unchecked`] : []),
  ].join(', ');
}

export function formatTaskProof(task: TaskState): string {
  switch (proofWordOf(task)) {
    case 'proven':
      return 'proven';
    case 'passed':
      return `passed: ${task.judged?.reasons.join('; ') ?? formatPassed(task)}`;
    case 'unchecked':
    case undefined:
      return 'UNCHECKED';
  }
}

function formatPassed({ start }: TaskState): string {
  return (start?.vacuous.length ?? 0) > 0
    ? 'nothing broken, its own checks were green before'
    : 'nothing broken, no check of its own';
}
