// A plan without tasks.
import { endOfFrontMatter } from '../front-matter.ts';
import { ruleOf } from './rule.ts';

export const noTasks = ruleOf('no-tasks', 'error', (plan) => {
  if (plan.tasks.length > 0 || plan.notes.some(({ rule }) => rule === 'near-miss-heading')) return [];
  const matter = plan.text.slice(0, endOfFrontMatter(plan.text));
  const imported = /^todos:/m.test(matter)
    ? 'only `todos` in its front matter: `pawl import FILE` makes a plan from them'
    : /^\uFEFF?\s*[[{]\s*["{]/.test(plan.text)
      ? 'as it is JSON: `pawl import FILE` makes a plan from a prd.json, Task Master’s tasks.json, or a saved issue'
      : undefined;
  const message = imported
    ? `the plan has no tasks, ${imported}`
    : 'the plan has no tasks: a task is a heading such as `### Task 1: title` with `- [ ]` lines below it; from any other text, `pawl plan --from FILE` drafts a plan';
  return [{ message, place: { line: 1, column: 1, offset: 0 } }];
});
