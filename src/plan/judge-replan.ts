// Judges new text for a plan's open tasks. Closed tasks, plan checks and the goal must not change.
import { lintPlan } from './lint.ts';
import { textOutside } from './outside.ts';
import { parsePlan } from './parse.ts';
import { type Check, isClosed, isRequired, type Plan, type Task } from './plan.ts';
import { mergeTasks, withLineEnds } from './replace-tasks.ts';

export type ReplanRules = Readonly<{
  strict: boolean;
  hasConfigChecks: boolean;
}>;

/** `wrong`: it can be corrected; `refused`: it would weaken the plan. */
export type ReplanJudgement =
  | Readonly<{ kind: 'wrong'; reasons: readonly string[] }>
  | Readonly<{ kind: 'refused'; reasons: readonly string[] }>
  | Readonly<{ kind: 'unchanged' }>
  | Readonly<{
      kind: 'taken';
      text: string;
      added: readonly string[];
      changed: readonly string[];
    }>;

export function judgeReplan(plan: Plan, answer: string, rules: ReplanRules): ReplanJudgement {
  const draft = parsePlan(answer.trim(), '');
  const mistakes = findMistakes(draft);
  if (mistakes.length > 0) return { kind: 'wrong', reasons: mistakes };
  const closed = new Map(plan.tasks.filter(isClosed).map((task) => [task.id, task]));
  const untouchable = draft.tasks.flatMap((task) => touches(closed.get(task.id), task));
  if (untouchable.length > 0) return { kind: 'refused', reasons: untouchable };
  const tasks = draft.tasks.filter(({ id }) => !closed.has(id));
  const ticked = tasks.flatMap((task) => newTicks(findTask(plan, task.id), task));
  if (ticked.length > 0) return { kind: 'refused', reasons: ticked };
  const weakened = findWeakenings(plan, tasks);
  if (weakened.length > 0) return { kind: 'refused', reasons: weakened };
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

function touches(closed: Task | undefined, task: Task): string[] {
  const same = closed && withLineEnds(closed.source, '\n').trim() === withLineEnds(task.source, '\n').trim();
  return closed && !same ? [`task ${task.id} is closed, and closed tasks must stay as they are`] : [];
}

function newTicks(before: Task | undefined, task: Task): string[] {
  const ticked = new Set(before?.steps.filter((step) => step.ticked).map(({ text }) => text));
  const more = task.steps.filter((step) => step.ticked && !ticked.has(step.text));
  return more.map(({ text }) => `task ${task.id} ticks a step that nobody did: ${text}`);
}

function findWeakenings(plan: Plan, tasks: readonly Task[]): string[] {
  const open = plan.tasks.filter((task) => !isClosed(task));
  const dropped = open.filter(({ id }) => !tasks.some((task) => task.id === id));
  return [
    ...dropped.map(({ id, title }) => `task ${id} (${title}) is dropped`),
    ...tasks.flatMap((task) => {
      const before = findTask(plan, task.id);
      return [...(before ? weakens(before, task) : findForbidden(task)), ...widens(before, task)];
    }),
  ];
}

function weakens(before: Task, after: Task): string[] {
  const name = `task ${before.id}`;
  const settings = ['model', 'agent', 'budget', 'timeout', 'cwd'] as const;
  const tools = (task: Task) => task.tools?.toSorted().join(', ');
  return [
    ...before.checks.flatMap((check) => loosened(check, after)),
    ...before.criteria
      .filter((text) => !after.criteria.includes(text))
      .map((text) => `${name} loses its criterion: ${text}`),
    ...settings.filter((key) => before[key] !== after[key]).map((key) => `${name} has another \`${key}\``),
    ...(tools(before) === tools(after) ? [] : [`${name} has other \`tools\``]),
    ...handsOver(before, after),
  ];
}

function loosened({ command, atEnd, knownRed }: Check, after: Task): string[] {
  const name = `task ${after.id}`;
  const same = after.checks.filter((check) => check.command === command);
  if (same.length === 0) return [`${name} loses its check \`${command}\``];
  const holds = same.some((check) => (atEnd || !check.atEnd) && (knownRed || !check.knownRed));
  return holds ? [] : [`${name} excuses or puts off its check \`${command}\``];
}

/** Steps left to a person block nothing, so a task must not come to close by itself that way. */
function handsOver(before: Task | undefined, after: Task): string[] {
  const manual = (task: Task | undefined) => task?.steps.filter((step) => step.manual).length ?? 0;
  const work = after.steps.filter((step) => isRequired(step) && !step.ticked);
  return [
    ...(manual(after) > manual(before) && before ? [`task ${after.id} leaves more steps to a person`] : []),
    ...(work.length === 0
      ? [`task ${after.id} has no open step for an agent, so it would close by itself`]
      : []),
  ];
}

function findForbidden(task: Task): string[] {
  const keys = (['model', 'agent', 'budget', 'timeout', 'tools'] as const).filter(
    (key) => task[key] !== undefined,
  );
  return [...keys.map((key) => `the new task ${task.id} sets \`${key}\``), ...handsOver(undefined, task)];
}

function widens(before: Task | undefined, after: Task): string[] {
  const redefined = after.redefines?.filter((glob) => !before?.redefines?.includes(glob)) ?? [];
  return [
    ...redefined.map(
      (glob) => `task ${after.id} gives itself leave to change what old tests expect: ${glob}`,
    ),
    ...(after.refactor && !before?.refactor
      ? [`task ${after.id} says of itself that no test need miss it`]
      : []),
  ];
}

function findFaults(
  plan: Plan,
  { tasks, text }: Readonly<{ tasks: readonly Task[]; text: string }>,
  { strict, hasConfigChecks }: ReplanRules,
): string[] {
  const merged = parsePlan(text, '');
  const errors = lintPlan(merged, { strict, hasConfigChecks }).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    const lines = text.split('\n');
    return errors.map(
      ({ rule, message, place }) => `${rule}: ${message} (line: ${lines[place.line - 1]?.trim()})`,
    );
  }
  const isMeant =
    textWithout(
      plan,
      plan.tasks.filter((task) => !isClosed(task)),
    ) ===
      textWithout(
        merged,
        merged.tasks.filter((task) => tasks.some(({ id }) => id === task.id)),
      ) &&
    merged.tasks.every((task) =>
      isSame(
        task,
        findTask(plan, task.id),
        tasks.find(({ id }) => id === task.id),
      ),
    );
  return isMeant
    ? []
    : ['it cannot be put into the plan: a heading, fence or comment in a task reaches beyond it'];
}

function isSame(merged: Task, before: Task | undefined, after: Task | undefined): boolean {
  return withLineEnds(merged.source, '\n') === withLineEnds((after ?? before)?.source ?? '', '\n');
}

function textWithout(plan: Plan, without: readonly Task[]): string {
  const checks = plan.checks.map(({ command, atEnd, knownRed }) => [command, atEnd, knownRed]);
  return JSON.stringify([
    plan.title,
    plan.overview,
    checks,
    textOutside(plan.text, without).replace(/\s+/g, ' ').trim(),
  ]);
}

function findTask(plan: Plan, id: string): Task | undefined {
  return plan.tasks.find((task) => task.id === id);
}
