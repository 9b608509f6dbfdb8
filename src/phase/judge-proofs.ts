// Whether a run's tasks are closed as well as `require` wants. Pure.
import { commandAgain } from '../event/again.ts';
import type { EndReason } from '../event/run.ts';
import type { ProofWord } from '../event/task.ts';
import type { RunState } from '../journal/state.ts';
import { isProofPending, isRedByHand, proofWordOf, type TaskState } from '../journal/task-state.ts';
import { notClean } from '../work/stopped.ts';

/** Reasons that `require` decides about; the last is of the fresh checkout. */
export const proofCodes = new Set(['unchecked', 'not-proven', 'red-by-hand', 'weakened']);

export function judgeProofs(state: RunState, require: ProofWord): readonly EndReason[] {
  if (require === 'unchecked') return [];
  const tasks = [...state.tasks.values()];
  const isClosedAs = (word: ProofWord) => (task: TaskState) => proofWordOf(task) === word;
  const unchecked = [...tasks, ...state.fixes.values()].filter(isClosedAs('unchecked'));
  const passed =
    require === 'proven' ? tasks.filter((task) => isClosedAs('passed')(task) && !isProofPending(task)) : [];
  const redByHand = tasks.filter((task) => isRedByHand(task, state.plan));
  const acceptAs = (word: ProofWord) => `accept it: \`${commandAgain(state, `--require ${word} `)}\`.`;
  const reason = (tasks: readonly TaskState[], code: string, text: string, hint: string) =>
    tasks.length === 0 ? [] : [notClean(code, `${text}: task ${tasks.map(({ id }) => id).join(', ')}`, hint)];
  return [
    ...reason(unchecked, 'unchecked', "closed without a check's proof", `To ${acceptAs('unchecked')}`),
    ...reason(passed, 'not-proven', 'passed, but not proven', `To ${acceptAs('passed')}`),
    ...reason(
      redByHand,
      'red-by-hand',
      'ticked by hand, though its checks were red when pawl last ran them',
      `Untick it, or ${acceptAs('unchecked')}`,
    ),
  ];
}
