// Changes boxes in a plan's text, one character each, and tells ticks from other edits.
import { parsePlan } from './parse.ts';
import { type BoxChange, changedBoxes, isRequired, type Plan, type Step } from './plan.ts';

/** Adds a box if a task has none. Throws (a bug) if a step's box is not blank. */
export function tickSteps(text: string, steps: readonly Step[]): string {
  return setBoxes(text, steps, /[ \t]/, 'x');
}

/** Throws (a bug) if a step's box is not ticked. */
export function untickSteps(text: string, steps: readonly Step[]): string {
  return setBoxes(text, steps, /[xX]/, ' ');
}

/** Except manual and optional steps. */
export function tickTask(plan: Plan, taskId: string): string {
  const task = plan.tasks.find(({ id }) => id === taskId);
  if (!task) throw new Error(`the plan has no task ${taskId}`);
  return tickSteps(
    plan.text,
    task.steps.filter((step) => !step.ticked && isRequired(step)),
  );
}

/** Unchanged if the plan no longer has the task. `file` names the plan. */
export function tickIfThere(text: string, task: string, file: string): string {
  const plan = parsePlan(text, file);
  return plan.tasks.some(({ id }) => id === task) ? tickTask(plan, task) : text;
}

/** Except steps that are not required, or already ticked in `before`, the plan when the task began. */
export function untickTask(plan: Plan, taskId: string, before?: Plan): string {
  const task = plan.tasks.find(({ id }) => id === taskId);
  if (!task) throw new Error(`the plan has no task ${taskId}`);
  const was = before?.tasks.find(({ id }) => id === taskId)?.steps ?? [];
  const isSame = was.length === task.steps.length;
  return untickSteps(
    plan.text,
    task.steps.filter((step, at) => step.ticked && isRequired(step) && !(isSame && was[at]?.ticked)),
  );
}

/** Undefined if the texts differ otherwise. */
export function onlyTicked(before: string, after: string): readonly BoxChange[] | undefined {
  if (before === after) return [];
  const changes = changedBoxes(parsePlan(before, ''), after);
  // `[x]` to `[X]` means the same.
  return changes?.filter(({ step, ticked }) => ticked !== step.ticked);
}

function setBoxes(text: string, steps: readonly Step[], expected: RegExp, to: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { box, implicit, text: words } of steps.toSorted(
    (one, other) => one.box.offset - other.box.offset,
  )) {
    if (implicit) {
      parts.push(text.slice(from, box.offset), newBox(text, words, box.offset));
      from = box.offset;
      continue;
    }
    const found = text[box.offset] ?? '';
    if (!expected.test(found) || text[box.offset - 1] !== '[' || text[box.offset + 1] !== ']') {
      throw new Error(
        `no such box at line ${box.line}, column ${box.column}: found ${JSON.stringify(found)}`,
      );
    }
    parts.push(text.slice(from, box.offset), to);
    from = box.offset + 1;
  }
  return parts.join('') + text.slice(from);
}

function newBox(text: string, words: string, at: number): string {
  const below = text.slice(at);
  const eol = /\r\n|\n|\r/.exec(below)?.[0] ?? (text.includes('\r\n') ? '\r\n' : '\n');
  const blank = eol + eol;
  // An indented line, even one that HTML covers, would join the new item; a comment ends its list.
  const wall = /^[ \t\n\r]*[\n\r](?:[ \t]+[^ \t\n\r]|<)/.test(below) ? `${blank}<!-- -->` : '';
  const isNextFull = /^(?:\r\n|\n|\r)[ \t]*[^ \t\n\r]/.test(below);
  return `${blank}- [x] ${words}${wall}${isNextFull ? eol : ''}`;
}
