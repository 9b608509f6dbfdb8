// Judges new text for a plan's open tasks, and puts it in their places. Closed tasks, plan checks and the goal stay.
import type { LintOptions } from './lint/rule.ts';
import { findErrors } from './lint.ts';
import { parsePlan } from './parse.ts';
import { type Check, isClosed, isRequired, type Plan, type Task, textOutside } from './plan.ts';

export type ReplanRules = Required<Pick<LintOptions, 'strict' | 'checks'>>;

/** `wrong`: it can be corrected; `refused`: it would weaken the plan. */
export type ReplanJudgement =
  | Readonly<{ kind: 'wrong'; reasons: readonly string[] }>
  | Readonly<{ kind: 'refused'; reasons: readonly string[] }>
  | Readonly<{ kind: 'unchanged' }>
  | (PlanMerge & Readonly<{ kind: 'taken' }>);

export function judgeReplan(plan: Plan, answer: string, rules: ReplanRules): ReplanJudgement {
  const draft = parsePlan(answer.trim(), '');
  const mistakes = findMistakes(draft);
  if (mistakes.length > 0) return { kind: 'wrong', reasons: mistakes };
  const open = plan.tasks.filter((task) => !isClosed(task));
  const dropped = open.filter(({ id }) => !findTask(draft, id));
  const refused = [
    ...draft.tasks.flatMap((task) => judgeTask(findTask(plan, task.id), task)),
    ...dropped.map(({ id, title }) => `task ${id} (${title}) is dropped`),
  ];
  if (refused.length > 0) return { kind: 'refused', reasons: refused };
  const tasks = draft.tasks.filter(({ id }) => !plan.tasks.some((task) => task.id === id && isClosed(task)));
  const merge = mergeTasks(plan, tasks);
  if (merge.text === plan.text) return { kind: 'unchanged' };
  const wrong = findFaults(plan, { tasks, text: merge.text }, rules);
  return wrong.length > 0 ? { kind: 'wrong', reasons: wrong } : { kind: 'taken', ...merge };
}

/** Text outside the tasks would be lost. */
function findMistakes(draft: Plan): string[] {
  if (draft.format !== 'tasks' || draft.tasks.length === 0)
    return ['there is no task in it: write every open task as a section `### Task N: title`'];
  const twice = draft.notes.find(({ rule }) => rule === 'duplicate-id');
  if (twice) return [twice.message];
  const outside = textOutside(draft.text, draft.tasks);
  const [line] = outside.split('\n').filter((one) => one.trim() !== '');
  if (line === undefined) return [];
  return [`only the open tasks are asked for, but this is outside them: ${line.trim()}`];
}

/** What it takes from the plan, or gives itself; `before`: absent for a new task. */
function judgeTask(before: Task | undefined, after: Task): string[] {
  const name = `task ${after.id}`;
  if (before && isClosed(before))
    return isAlike(before.source.trim(), after.source.trim())
      ? []
      : [`${name} is closed, and closed tasks must stay as they are`];
  const ticked = new Set(before?.steps.filter((step) => step.ticked).map(({ text }) => text));
  const ticks = after.steps.filter((step) => step.ticked && !ticked.has(step.text));
  const manualIn = (task: Task) => task.steps.filter((step) => step.manual).length;
  const redefined = after.redefines?.filter((glob) => !before?.redefines?.includes(glob)) ?? [];
  return [
    ...ticks.map(({ text }) => `${name} ticks a step that nobody did: ${text}`),
    ...(before ? weakens(before, after) : forbids(after)),
    // Steps left to a person block nothing, so a task must not come to close by itself that way.
    ...(before && manualIn(after) > manualIn(before) ? [`${name} leaves more steps to a person`] : []),
    ...(after.steps.some((step) => isRequired(step) && !step.ticked)
      ? []
      : [`${name} has no open step for an agent, so it would close by itself`]),
    ...redefined.map((glob) => `${name} gives itself leave to change what old tests expect: ${glob}`),
    ...(after.refactor && !before?.refactor ? [`${name} says of itself that no test need miss it`] : []),
  ];
}

const settings = ['model', 'agent', 'budget', 'timeout', 'tools', 'cwd'] as const;

function weakens(before: Task, after: Task): string[] {
  const name = `task ${before.id}`;
  const settingOf = (task: Task, key: (typeof settings)[number]) =>
    [task[key] ?? []].flat().toSorted().join();
  return [
    ...before.checks.flatMap((check) => loosened(check, after)),
    ...before.criteria
      .filter((text) => !after.criteria.includes(text))
      .map((text) => `${name} loses its criterion: ${text}`),
    ...settings
      .filter((key) => settingOf(before, key) !== settingOf(after, key))
      .map((key) => `${name} has another \`${key}\``),
  ];
}

function forbids(task: Task): string[] {
  const set = settings.filter((key) => key !== 'cwd' && task[key] !== undefined);
  return set.map((key) => `the new task ${task.id} sets \`${key}\``);
}

function loosened({ command, atEnd, knownRed }: Check, after: Task): string[] {
  const name = `task ${after.id}`;
  const same = after.checks.filter((check) => check.command === command);
  if (same.length === 0) return [`${name} loses its check \`${command}\``];
  const holds = same.some((check) => (atEnd || !check.atEnd) && (knownRed || !check.knownRed));
  return holds ? [] : [`${name} excuses or puts off its check \`${command}\``];
}

function findFaults(
  plan: Plan,
  { tasks, text }: Readonly<{ tasks: readonly Task[]; text: string }>,
  rules: ReplanRules,
): string[] {
  const merged = parsePlan(text, '');
  const errors = findErrors(merged, rules);
  if (errors.length > 0) {
    const lines = text.split('\n');
    return errors.map(
      ({ rule, message, place }) => `${rule}: ${message} (line: ${lines[place.line - 1]?.trim()})`,
    );
  }
  const open = plan.tasks.filter((task) => !isClosed(task));
  const isOutsideKept =
    textWithout(plan, open) ===
    textWithout(
      merged,
      merged.tasks.filter(({ id }) => tasks.some((task) => task.id === id)),
    );
  const sourceOf = (id: string) => (tasks.find((task) => task.id === id) ?? findTask(plan, id))?.source ?? '';
  const isMeant = isOutsideKept && merged.tasks.every(({ id, source }) => isAlike(source, sourceOf(id)));
  return isMeant
    ? []
    : ['it cannot be put into the plan: a heading, fence or comment in a task reaches beyond it'];
}

function isAlike(one: string, other: string): boolean {
  return withLineEnds(one, '\n') === withLineEnds(other, '\n');
}

function textWithout(plan: Plan, without: readonly Task[]): string {
  const checks = plan.checks.map(({ command, atEnd, knownRed }) => [command, atEnd, knownRed]);
  const text = textOutside(plan.text, without).replace(/\s+/g, ' ').trim();
  return JSON.stringify([plan.title, plan.overview, checks, text]);
}

function findTask(plan: Plan, id: string): Task | undefined {
  return plan.tasks.find((task) => task.id === id);
}

/** Ids. `changed`: other text, or another position among the open ones. */
type PlanMerge = Readonly<{ text: string; added: readonly string[]; changed: readonly string[] }>;

/**
 * `answer` has all open tasks, which fill the places of the open ones in its order; a new one goes before the next known
 * one, or after the last.
 */
function mergeTasks(plan: Plan, answer: readonly Task[]): PlanMerge {
  const open = plan.tasks.filter((task) => !isClosed(task));
  const known = answer.filter(({ id }) => open.some((task) => task.id === id));
  const eol = plan.text.includes('\r\n') ? '\r\n' : '\n';
  const textOf = ({ source }: Task) => withLineEnds(source, eol);
  const parts: string[] = [];
  let from = 0;
  let next = 0;
  for (const [at, task] of known.entries()) {
    const { place, source } = open[at] ?? task;
    const until = at === known.length - 1 ? answer.length : answer.indexOf(task) + 1;
    const filling = answer
      .slice(next, until)
      .map(textOf)
      .join(eol + eol);
    parts.push(plan.text.slice(from, place.offset), filling);
    from = place.offset + source.length;
    next = until;
  }
  const isMoved = (task: Task, at: number) => open[at]?.id !== task.id || open[at].source !== textOf(task);
  return {
    text: parts.join('') + plan.text.slice(from),
    added: answer.filter((task) => !known.includes(task)).map(({ id }) => id),
    changed: known.filter(isMoved).map(({ id }) => id),
  };
}

function withLineEnds(text: string, eol: string): string {
  return text.replace(/\r\n|\n|\r/g, eol);
}
