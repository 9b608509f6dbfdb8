// What a plan is, and where each part is in the file.

/** `line` and `column` from 1, `offset` in UTF-16 units from 0. */
export type TextPosition = Readonly<{ line: number; column: number; offset: number }>;

export type Step = Readonly<{
  text: string;
  ticked: boolean;
  /** Marked `(manual)`: never blocks, never ticked by pawl. */
  manual: boolean;
  /** The same, marked `[ ]*` as in Kiro's lists. */
  optional?: true;
  /** The title of a task without boxes; `box` is then the end of the heading's line. */
  implicit?: true;
  /** The character between the brackets. */
  box: TextPosition;
}>;

export type Check = Readonly<{
  /** Stable within the plan: `plan:1`, `task:2a:1`, `config:1`. */
  id: string;
  scope: 'plan' | 'task' | 'config';
  /** A fenced block is one check of several lines. */
  command: string;
  name?: string;
  /** `(at end)`: once before review, not for each task. */
  atEnd: boolean;
  /** `(known red)`: shown, but excused. */
  knownRed: boolean;
  /** Relative to the root: its task's, else the plan's. */
  cwd: string;
  place: TextPosition;
}>;

export type Task = Readonly<{
  /** As written, such as `2a`. */
  id: string;
  title: string;
  steps: readonly Step[];
  checks: readonly Check[];
  criteria: readonly string[];
  /** Globs of files it changes; empty: not said. */
  files: readonly string[];
  /** Globs of old tests whose expectations it changes on purpose. */
  redefines?: readonly string[];
  /** Changes no behaviour, so no test misses its work. */
  refactor?: true;
  /** Undefined without a `depends` line. */
  depends: readonly string[] | undefined;
  dependsPlace?: TextPosition;
  /** No other task runs beside it. */
  exclusive?: true;
  model?: string;
  agent?: string;
  tools?: readonly string[];
  /** As written: `$2.50`. */
  budget?: string;
  /** As written: `30m`. */
  timeout?: string;
  /** Of its checks, relative to the root. */
  cwd?: string;
  /** The section as written. */
  source: string;
  place: TextPosition;
}>;

/** Everything an edit needs is a position in `text`. */
export type Plan = Readonly<{
  title: string;
  /** `### Task N:` headings, numbered sections of another tool's, or items of a flat list. */
  format: 'tasks' | 'sections' | 'list';
  /** `## Overview`, else what precedes the first task; trimmed. */
  overview: string;
  tasks: readonly Task[];
  /** In `## Validation Commands` or `## Checks`. */
  checks: readonly Check[];
  /** Outside all tasks: nobody does them, but changing one is a tick too. */
  looseSteps?: readonly Step[];
  /** Not validated; `inner` has the places of a map's own keys. */
  settings: ReadonlyMap<
    string,
    Readonly<{ value: unknown; place: TextPosition; inner?: ReadonlyMap<string, TextPosition> }>
  >;
  notes: readonly PlanNote[];
  /** Exactly what was parsed. */
  text: string;
}>;

export type PlanNote = Readonly<{
  /** Such as `no-tasks`. */
  rule: string;
  severity: 'error' | 'warning';
  message: string;
  place: TextPosition;
  /** An open box that pawl cannot tick, such as `[~] later`: work left, whatever its task says. */
  openBox?: string;
}>;

export function isRequired({ manual, optional }: Step): boolean {
  return !manual && !optional;
}

/** Ignores ticks. */
export function saysSame(one: Task, other: Task): boolean {
  const [first, second] = [one, other].map(({ source }) => source.replaceAll(/\[[xX]\]/g, '[ ]').trim());
  return first === second;
}

export function isClosed(task: Pick<Task, 'steps'>): boolean {
  return task.steps.filter(isRequired).every((step) => step.ticked);
}

export function wordsOf({ title, steps, criteria }: Task): string {
  return [title, ...steps.map(({ text }) => text), ...criteria].join('\n');
}

export type UntrackedBox = Readonly<{ text: string; line: number }>;

/** Also those that are none to markdown. Nobody works on them, so a person is told. */
export function untrackedBoxes({
  looseSteps = [],
  notes,
}: Pick<Plan, 'looseSteps' | 'notes'>): UntrackedBox[] {
  const open = looseSteps.filter(({ ticked }) => !ticked);
  const loose = open.map(({ text, box: { line } }) => ({ text, line }));
  const strays = notes.flatMap(({ openBox: text, place: { line } }) =>
    text === undefined ? [] : { text, line },
  );
  return [...loose, ...strays].toSorted((one, other) => one.line - other.line);
}

/** `tasks` are in the plan's order. */
export function textOutside(text: string, tasks: readonly Task[]): string {
  let rest = '';
  let from = 0;
  for (const { place, source } of tasks) {
    rest += text.slice(from, place.offset);
    from = place.offset + source.length;
  }
  return rest + text.slice(from);
}

/** `task`: undefined outside all tasks. */
export type BoxChange = Readonly<{ step: Step; task: string | undefined; ticked: boolean }>;

/** Boxes that have another character in `after`; undefined if anything else differs. */
export function changedBoxes(
  { tasks, looseSteps = [], text }: Plan,
  after: string,
): readonly BoxChange[] | undefined {
  if (text.length !== after.length) return undefined;
  const inTasks = tasks.flatMap(({ id, steps }) => steps.map((step) => ({ step, task: id })));
  const all = [...inTasks, ...looseSteps.map((step) => ({ step, task: undefined }))];
  const boxes = new Map(all.filter(({ step }) => !step.implicit).map((one) => [one.step.box.offset, one]));
  const changes: BoxChange[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === after[at]) continue;
    const [box, now = ''] = [boxes.get(at), after[at]];
    if (!box || !/[ \txX]/.test(now)) return undefined;
    changes.push({ ...box, ticked: /[xX]/.test(now) });
  }
  return changes;
}

export function commandsOf({ checks, tasks }: Plan): readonly string[] {
  return [...checks, ...tasks.flatMap((task) => task.checks)].map(({ command }) => command);
}

/** No task names another. */
export function isChain(plan: Plan): boolean {
  return plan.tasks.every(({ depends }) => depends === undefined || depends.length === 0);
}

/**
 * By task id. In a chain each waits for the one before it, unless it says `none`. Another tool's list keeps its order
 * whatever a person adds to one task.
 */
export function waitsOf(plan: Plan): ReadonlyMap<string, readonly string[]> {
  const isInOrder = plan.format !== 'tasks' || isChain(plan);
  return new Map(
    plan.tasks.map(({ id, depends }, at) => {
      const before = plan.tasks[at - 1];
      return [id, depends ?? (isInOrder && before ? [before.id] : [])];
    }),
  );
}

/** The first in document order that is open, not `excluded`, and waits for no open one. */
export function pickTask(plan: Plan, excluded: ReadonlySet<string> = new Set()): Task | undefined {
  const open = plan.tasks.filter((task) => !isClosed(task));
  const openIds = new Set(open.map((task) => task.id));
  const waits = waitsOf(plan);
  return open.find(({ id }) => !excluded.has(id) && !waits.get(id)?.some((other) => openIds.has(other)));
}
