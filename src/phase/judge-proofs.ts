// Whether a run's tasks are closed as well as `require` wants. Pure.
import { commandAgain } from '../event/again.ts';
import type { ProofWord } from '../event/proof.ts';
import type { EndReason } from '../event/run.ts';
import { exitCodes } from '../failure.ts';
import type { RunState } from '../journal/state.ts';
import { isProofPending, isRedByHand, proofWordOf, type TaskState } from '../journal/task-state.ts';

export const proofCodes: ReadonlySet<string> = new Set(['unchecked', 'not-proven', 'red-by-hand']);

export function judgeProofs(state: RunState, require: ProofWord): readonly EndReason[] {
  if (require === 'unchecked') return [];
  const tasks = [...state.tasks.values()];
  const isClosedAs = (word: ProofWord) => (task: TaskState) => proofWordOf(task) === word;
  const unchecked = [...tasks, ...state.fixes.values()].filter(isClosedAs('unchecked'));
  const passed =
    require === 'proven' ? tasks.filter((task) => isClosedAs('passed')(task) && !isProofPending(task)) : [];
  const redByHand = tasks.filter((task) => isRedByHand(task, state.plan));
  const accept = `accept it: \`${commandAgain(state, '--require unchecked ')}\`.`;
  return [
    ...reason(unchecked, {
      code: 'unchecked',
      text: `closed without a check's proof: task ${namesOf(unchecked)}`,
      hint: `To ${accept}`,
    }),
    ...reason(passed, {
      code: 'not-proven',
      text: `passed, but not proven by a check of its own: task ${namesOf(passed)}`,
      hint: `To accept it: \`${commandAgain(state, '--require passed ')}\`.`,
    }),
    ...reason(redByHand, {
      code: 'red-by-hand',
      text: `ticked by hand, though its checks were red when pawl last ran them: task ${namesOf(redByHand)}`,
      hint: `Untick it, or ${accept}`,
    }),
  ];
}

function reason(tasks: readonly TaskState[], told: Omit<EndReason, 'exit'>): readonly EndReason[] {
  return tasks.length === 0 ? [] : [{ exit: exitCodes.notClean, ...told }];
}

function namesOf(tasks: readonly TaskState[]): string {
  return tasks.map(({ id }) => id).join(', ');
}
