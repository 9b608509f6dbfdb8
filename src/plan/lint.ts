// Lints a parsed plan as a whole and returns all notes in line order.

import { nearest } from '../nearest.ts';
import { shellWord } from '../shell-word.ts';
import { endOfFrontMatter } from './front-matter.ts';
import { lintSubmodules } from './lint-submodules.ts';
import { lintTasks } from './lint-tasks.ts';
import type { MissingProgram } from './missing.ts';
import { oddCommands } from './odd-space.ts';
import { isClosed, type Plan, type PlanNote, type Task } from './plan.ts';
import { readSettings } from './settings.ts';
import { lintWidth, type WidthLint } from './width/lint-width.ts';

/** What lint cannot know from the plan's text. */
export type LintOptions = Readonly<{
  /** Turns warnings into errors; default false. */
  strict?: boolean;
  /** True if the configuration has checks for plans that name none; default false. */
  hasConfigChecks?: boolean;
  /** Agents that a task may name; default: any. */
  agents?: readonly string[];
  /** Ids of checks that were run and are green before the work; default: none. */
  green?: ReadonlySet<string>;
  /** Checks whose program is missing; default: none. */
  missing?: readonly MissingProgram[];
  /** Where checks look for their programs; default `in PATH`. */
  where?: string;
  /** Folders of submodules, whose changes no commit of a run's contains; default: none. */
  submodules?: readonly string[];
  /** How many tasks are wanted at once, and what affects that; default: one. */
  width?: WidthLint;
}>;

/** Lint options from the settings, for wherever a plan is read. */
export function lintBy(
  settings: Readonly<{ strict: boolean; checks: readonly string[]; agent: object }>,
): Required<Pick<LintOptions, 'strict' | 'hasConfigChecks' | 'agents'>> {
  const agents = Object.keys(settings.agent).filter((key) => key !== 'name');
  return { strict: settings.strict, hasConfigChecks: settings.checks.length > 0, agents };
}

const start = { line: 1, column: 1, offset: 0 };

/** Everything a plan's author should know, sorted by place. */
export function lintPlan(plan: Plan, options: LintOptions = {}): PlanNote[] {
  const notes = [
    ...plan.notes,
    ...readSettings(plan).notes,
    ...noTasks(plan),
    ...plan.tasks.flatMap((task) => unknownDepends(task, plan)),
    ...cycles(plan),
    ...lintTasks(plan, options),
    ...oddCommands(plan),
    ...vacuousChecks(plan, options.green ?? new Set()),
    ...withoutPrograms(options),
    ...lintSubmodules(plan, options.submodules ?? []),
  ];
  const judged: PlanNote[] = options.strict ? notes.map((note) => ({ ...note, severity: 'error' })) : notes;
  const all = [...judged, ...lintWidth(plan, options.width ?? { jobs: 1 })];
  return all.toSorted((one, other) => one.place.offset - other.place.offset);
}

/** How many rules a run's header shows, with the first note of each. */
const mostRules = 8;

/** Warnings in a few lines, for whoever starts a run: the first of each rule, and how many more there are. */
export function summarizeWarnings(
  file: string,
  notes: readonly PlanNote[],
  { jobs = 1 }: Readonly<{ jobs?: number }> = {},
): readonly string[] {
  const warnings = notes.filter(({ severity }) => severity === 'warning');
  const byRule = [...Map.groupBy(warnings, ({ rule }) => rule).values()];
  const lines = byRule.slice(0, mostRules).flatMap(([first, ...more]) => {
    const count = more.length > 0 ? ` (and ${more.length} more like this)` : '';
    return first ? [`${formatNote(file, first)}${count}`] : [];
  });
  const isAll = lines.length === warnings.length;
  const command = jobs > 1 ? `pawl lint ${shellWord(file)} --jobs ${jobs}` : `pawl lint ${shellWord(file)}`;
  return isAll ? lines : [...lines, `\`${command}\` shows all ${warnings.length} warnings`];
}

/** A note as one line: `file:line:col severity rule message`. */
export function formatNote(file: string, note: PlanNote): string {
  return `${file}:${note.place.line}:${note.place.column} ${note.severity} ${note.rule} ${note.message}`;
}

function noTasks(plan: Plan): PlanNote[] {
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
  return [{ rule: 'no-tasks', severity: 'error', message, place: start }];
}

function unknownDepends(task: Task, plan: Plan): PlanNote[] {
  if (task.depends === undefined) return [];
  const ids = plan.tasks.map(({ id }) => id);
  const known = new Set(ids);
  const unknown = task.depends.filter((id) => !known.has(id));
  return unknown.map((id) => {
    const meant = nearest(id, ids);
    const help = meant ? `did you mean ${meant}?` : `the plan has ${ids.join(', ')}`;
    const message = `task ${task.id} depends on task ${id}, which the plan does not have: ${help}`;
    return { rule: 'unknown-depends', severity: 'error', message, place: task.dependsPlace ?? task.place };
  });
}

/** Tasks that wait for each other: one note per task that closes a cycle. */
function cycles(plan: Plan): PlanNote[] {
  const byId = new Map(plan.tasks.map((task) => [task.id, task]));
  const done = new Set<string>();
  const closing = new Set<string>();
  const notes: PlanNote[] = [];
  for (const task of plan.tasks) {
    const path = new Set<string>();
    // Iterative, since a chain of a thousand tasks must not overflow the call stack.
    const stack: { id: string; next: Iterator<string> }[] = [];
    const enter = (id: string) => {
      path.add(id);
      stack.push({ id, next: (byId.get(id)?.depends ?? []).values() });
    };
    if (!done.has(task.id)) enter(task.id);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const next = top.next.next();
      if (next.done) {
        done.add(top.id);
        path.delete(top.id);
        stack.pop();
      } else if (!path.has(next.value)) {
        if (!done.has(next.value)) enter(next.value);
      } else if (!closing.has(top.id)) {
        closing.add(top.id);
        const ids = [...path];
        notes.push(cycleNote(ids.slice(ids.indexOf(next.value)), byId));
      }
    }
  }
  return notes;
}

function cycleNote(ids: readonly string[], byId: ReadonlyMap<string, Task>): PlanNote {
  const first = byId.get(ids[0] ?? '');
  const circle = [...ids, ids[0]].join(' → ');
  const message =
    ids.length === 1
      ? `task ${ids[0]} depends on itself, so it can never start: take ${ids[0]} out of its \`depends\``
      : `these tasks wait for each other, so none can start: ${circle}: remove one \`depends\``;
  return {
    rule: 'cyclic-depends',
    severity: 'error',
    message,
    place: first?.dependsPlace ?? first?.place ?? start,
  };
}

function vacuousChecks(plan: Plan, green: ReadonlySet<string>): PlanNote[] {
  const open = plan.tasks.filter((task) => !isClosed(task));
  const vacuous = open.flatMap((task) => task.checks).filter((check) => green.has(check.id));
  return vacuous.map(({ command, place }) => {
    const message = `\`${command}\` is green before the work, so it proves nothing: choose one that is red until the task is done`;
    return { rule: 'vacuous-check', severity: 'warning', message, place };
  });
}

/** Plan checks that cannot run; not a mistake if a task may still provide what is missing. */
function withoutPrograms({ missing = [], where = 'in PATH' }: LintOptions): PlanNote[] {
  const never = missing.filter(({ check, isBrought }) => !isBrought && check.scope !== 'config');
  return never.map(({ check: { command, place }, program, says }) => {
    const [line = ''] = command.trim().split('\n');
    const why =
      says === undefined ? `there is no ${program} ${where}; install it there` : `${says}; correct it`;
    const message = `\`${line}\` cannot run: ${why}, or mention it in an earlier task that adds it`;
    return { rule: 'no-program', severity: 'warning', message, place };
  });
}
