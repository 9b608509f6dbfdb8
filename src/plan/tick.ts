// Changes boxes in a plan's text, one character each, and tells ticks from other edits.
import { parsePlan } from './parse.ts';
import { type BoxChange, changedBoxes, isRequired, type Plan, type Step } from './plan.ts';

/** Except manual and optional steps; nothing if the plan no longer has the task. */
export function tickTask(plan: Plan, task: string): string {
  const open = stepsOf(plan, task).filter((step) => !step.ticked && isRequired(step));
  return setBoxes(plan.text, open, 'x');
}

/** Except steps that are not required, or already ticked in `before`, the plan when the task began. */
export function untickTask(plan: Plan, task: string, before?: Plan): string {
  const steps = stepsOf(plan, task);
  const was = before ? stepsOf(before, task) : [];
  const isSame = was.length === steps.length;
  const isOpened = (step: Step, at: number) =>
    step.ticked && isRequired(step) && !(isSame && was[at]?.ticked);
  return setBoxes(plan.text, steps.filter(isOpened), ' ');
}

function stepsOf({ tasks }: Plan, task: string): readonly Step[] {
  return tasks.find(({ id }) => id === task)?.steps ?? [];
}

/** Undefined if the texts differ otherwise. */
export function onlyTicked(before: string, after: string): readonly BoxChange[] | undefined {
  if (before === after) return [];
  const changes = changedBoxes(parsePlan(before, ''), after);
  // `[x]` to `[X]` means the same.
  return changes?.filter(({ step, ticked }) => ticked !== step.ticked);
}

/** Adds a box if a task has none. Throws (a bug) if a step's box is so already. */
export function setBoxes(text: string, steps: readonly Step[], to: 'x' | ' '): string {
  const expected = to === 'x' ? /[ \t]/ : /[xX]/;
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
