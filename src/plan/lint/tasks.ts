// Rules about what tasks say: none at all, no boxes, no check, given up, of an agent or a submodule.
import { type Check, isClosed, type Plan, type PlanNote, type Task, wordsOf } from '../plan.ts';
import { endOfFrontMatter } from '../settings.ts';
import { type LintOptions, type LintRule, type Remark, ruleOf } from './rule.ts';

export const taskRules: readonly LintRule[] = [
  ruleOf('no-tasks', 'error', noTasks),
  ruleOf('task-without-steps', 'warning', withoutSteps),
  ruleOf('task-without-check', 'warning', withoutCheck),
  ruleOf('attribute-value', 'error', unknownAgent),
  ruleOf('step-dropped', 'warning', dropped),
  ruleOf('submodule', 'warning', submodule),
];

function noTasks(plan: Plan): readonly Remark[] {
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
}

/** In one note if none has any. */
function withoutSteps({ tasks }: Plan): readonly Remark[] {
  const without = tasks.filter(({ steps }) => steps.some(({ implicit, manual }) => implicit && !manual));
  const so = 'so its title is its one step, and pawl writes a ticked box below the heading when it is done';
  const [first] = without;
  if (first && without.length > 1 && without.length === tasks.length) {
    const all = so.replace('its title', 'the title of each');
    return [{ message: `none of the ${tasks.length} tasks has boxes, ${all}`, place: first.place }];
  }
  return without.map(({ id, place }) => ({ message: `task ${id} has no boxes, ${so}`, place }));
}

const remedy = 'a `## Validation Commands` section, or the setting `checks` (`pawl init` proposes some)';

/** In one note if none is proved. */
function withoutCheck(plan: Plan, { checks = [] }: LintOptions): readonly Remark[] {
  if (plan.checks.length === 0 && checks.length > 0) return [];
  const isProven = (task: Task) => [...plan.checks, ...task.checks].some((check) => proves(check, task));
  const open = openTasks(plan);
  const without = open.filter((task) => !isProven(task) && !isWhyTold(task, plan));
  const only = 'can only close unchecked: write "- check: `command`" in';
  const [first] = without;
  if (first && without.length > 1 && without.length === open.length) {
    const message = `no check proves any of the ${open.length} open tasks, so they ${only} them, ${remedy}`;
    return [{ message, place: first.place }];
  }
  return without.map(({ id, place }) => ({
    message: `no check proves task ${id}, so it ${only} it, ${remedy}`,
    place,
  }));
}

/** Runs when the task closes, and would keep it open if red. */
function proves(check: Check, task: Task): boolean {
  return !check.knownRed && (!check.atEnd || task.checks.includes(check));
}

/** A note already reports something meant as its check that is not one. */
function isWhyTold(task: Task, plan: Plan): boolean {
  const isIn = ({ place: { offset } }: PlanNote, { place, source }: Task) =>
    place.offset <= offset && offset < place.offset + source.length;
  const strays = plan.notes.filter(({ rule }) => /^(?:no-command|stray-checks|empty-check)$/.test(rule));
  return strays.some((note) =>
    isIn(note, task)
      ? task.checks.length === 0
      : plan.checks.length === 0 && !plan.tasks.some((other) => isIn(note, other)),
  );
}

function unknownAgent({ tasks }: Plan, { agents }: LintOptions): readonly Remark[] {
  return tasks
    .filter(({ agent }) => agent !== undefined && agents && !agents.includes(agent))
    .map(({ agent, place }) => ({
      message: `\`agent: ${agent}\` is not an agent: write one of ${agents?.join(', ')}`,
      place,
    }));
}

const struck = /^\s*~~.+~~[\s.]*$/;
const setAside =
  /[[(]\s*(?:cancell?ed|deferred|dropped|obsolete|on hold|postponed|skip(?:ped)?|won['’]?t ?(?:do|fix))\s*[\])]/i;

/** An agent would do it all the same. */
function dropped(plan: Plan): readonly Remark[] {
  const texts = openTasks(plan).flatMap(({ title, place, steps }) => [
    { text: title, place },
    ...steps
      .filter(({ ticked, manual, implicit }) => !ticked && !manual && !implicit)
      .map(({ text, box }) => ({ text, place: box })),
  ]);
  return texts
    .filter(({ text }) => struck.test(text) || setAside.test(text.replace(/`[^`]*`/g, '')))
    .map(({ text, place }) => ({
      message: `"${text}" looks given up, but is open, so an agent does it: tick it, remove it, or mark it \`(manual)\``,
      place,
    }));
}

/** No commit of a run's contains a task's changes to one. */
function submodule(plan: Plan, { submodules = [] }: LintOptions): readonly Remark[] {
  return openTasks(plan).flatMap((task) =>
    submodules
      .filter((folder) => names(task, folder))
      .map((folder) => ({
        message: `task ${task.id} names ${folder}, a submodule: pawl commits neither another commit of it nor files in it; if the task should change it, do that by hand and remove it from the plan`,
        place: task.place,
      })),
  );
}

function names(task: Task, folder: string): boolean {
  const quoted = folder.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const asPath = new RegExp(`(?<![\\w./-])(?:\\./)?${quoted}(?![\\w-])`);
  return [wordsOf(task), ...task.files].some((text) => asPath.test(text));
}

function openTasks({ tasks }: Plan): readonly Task[] {
  return tasks.filter((task) => !isClosed(task));
}
