// Pure. The plan of a text that differs in boxes only, without parsing: 1,000 tasks take over a second.
import type { Plan, Task } from './plan.ts';

/** Undefined if the text differs otherwise, or in a box that is no task's step. */
export function takeTicks(plan: Plan, text: string): Plan | undefined {
  const changed = changedOffsets(plan.text, text);
  if (!changed) return undefined;
  const left = new Set(changed);
  const tasks = plan.tasks.map((task) => {
    const boxes = task.steps.filter(({ box, implicit }) => !implicit && left.delete(box.offset));
    return boxes.length === 0 ? task : withBoxesOf(task, text);
  });
  return left.size === 0 ? { ...plan, tasks, text } : undefined;
}

function withBoxesOf(task: Task, text: string): Task {
  const { offset } = task.place;
  const steps = task.steps.map((step) => ({ ...step, ticked: /[xX]/.test(text[step.box.offset] ?? '') }));
  return { ...task, steps, source: text.slice(offset, offset + task.source.length) };
}

/** Undefined unless only characters that a box may hold differ. */
function changedOffsets(before: string, after: string): readonly number[] | undefined {
  if (before.length !== after.length) return undefined;
  const changed: number[] = [];
  for (let at = 0; at < before.length; at += 1) {
    if (before[at] === after[at]) continue;
    if (!/^[ \txX]{2}$/.test(`${before[at]}${after[at]}`)) return undefined;
    changed.push(at);
  }
  return changed;
}
