// What a plan is: tasks, steps, checks, and where each is in the file.

/** A place in the plan's text: `line` and `column` count from 1, `offset` in UTF-16 units from 0. */
export type TextPosition = Readonly<{ line: number; column: number; offset: number }>;

export type Step = Readonly<{
  text: string;
  ticked: boolean;
  /** Marked `(manual)`: no agent can do it; it never blocks and pawl never ticks it. */
  manual: boolean;
  /** Marked `[ ]*`, as in Kiro's lists: optional, so it never blocks and pawl never ticks it. */
  optional?: true;
  /**
   * The task has no box: its title is its one step, and `box` is where a tick is written, the end of the heading's line.
   */
  implicit?: true;
  /** Position of the character between the brackets. */
  box: TextPosition;
}>;

export type Check = Readonly<{
  /** Stable within the plan: `plan:1`, `task:2a:1`, `config:1`. */
  id: string;
  scope: 'plan' | 'task' | 'config';
  /** Shell text as it will be run; a fenced block is one check of several lines. */
  command: string;
  /** A short name, as in "- numbers: `node --test`". */
  name?: string;
  /** `(at end)`: runs once before review instead of for each task. */
  atEnd: boolean;
  /** `(known red)`: shown, but excused. */
  knownRed: boolean;
  /** Folder it runs in, relative to the repository's root; absent: its task's, else the plan's. */
  cwd?: string;
  place: TextPosition;
}>;

/** One `### Task N: title` section. */
export type Task = Readonly<{
  /** Text as written: `1`, `2.5`, `2a`. */
  id: string;
  title: string;
  steps: readonly Step[];
  checks: readonly Check[];
  criteria: readonly string[];
  /** Globs of files the task says it changes; empty if it does not say. */
  files: readonly string[];
  /** Globs of old tests whose expectations the task changes on purpose; absent: none. */
  redefines?: readonly string[];
  /** It changes no behaviour, so no test misses its work. */
  refactor?: true;
  /** Ids this task waits for; undefined if the task has no `depends` line. */
  depends: readonly string[] | undefined;
  /** Position of the first `depends` line; absent if there is none. */
  dependsPlace?: TextPosition;
  /** No other task may be worked on beside it. */
  exclusive?: true;
  model?: string;
  agent?: string;
  tools?: readonly string[];
  /** As written, e.g. `2.50` or `$2.50`. */
  budget?: string;
  /** As written, e.g. `30m`. */
  timeout?: string;
  /** Folder of the task's checks, relative to the repository's root. */
  cwd?: string;
  /** The section as written, from its heading to its end. */
  source: string;
  place: TextPosition;
}>;

/** A plan as parsed. Everything an edit needs is a position in `text`. */
export type Plan = Readonly<{
  title: string;
  /** What the tasks are: `### Task N:` headings, numbered sections of another tool's list, or items of a flat list. */
  format: 'tasks' | 'sections' | 'list';
  /** The text of the `## Overview` section, else what precedes the first task; trimmed. */
  overview: string;
  tasks: readonly Task[];
  /** Checks in `## Validation Commands` or `## Checks`. */
  checks: readonly Check[];
  /** Boxes outside all tasks: nobody does them, but changing one is a tick like any other; absent: none. */
  looseSteps?: readonly Step[];
  /** Settings in the front matter, not yet validated: key → value and place; `inner` has the places of a map's own keys. */
  settings: ReadonlyMap<
    string,
    Readonly<{ value: unknown; place: TextPosition; inner?: ReadonlyMap<string, TextPosition> }>
  >;
  /** What the parser noticed and `lint` reports. */
  notes: readonly PlanNote[];
  /** The exact text that was parsed. */
  text: string;
}>;

/** Something in a plan that its author should know. */
export type PlanNote = Readonly<{
  /** Its id, such as `no-tasks`; of a rule of one's own: its plugin's name and id, `mine:no-todo`. */
  rule: string;
  severity: 'error' | 'warning';
  message: string;
  place: TextPosition;
  /** The words of an open box that pawl cannot tick, such as `[~] later`: work that is left, whatever its task says. */
  openBox?: string;
}>;

/** True for a step without which a task is not closed. */
export function isRequired({ manual, optional }: Step): boolean {
  return !manual && !optional;
}

/** Whether two versions of a task ask for the same, ignoring ticks. */
export function saysSame(one: Task, other: Task): boolean {
  const [first, second] = [one, other].map(({ source }) => source.replaceAll(/\[[xX]\]/g, '[ ]').trim());
  return first === second;
}

/** True if nothing of the task is left for an agent. */
export function isClosed(task: Pick<Task, 'steps'>): boolean {
  return task.steps.filter(isRequired).every((step) => step.ticked);
}

/** What a task says about its work in words, apart from its checks. */
export function wordsOf({ title, steps, criteria }: Task): string {
  return [title, ...steps.map(({ text }) => text), ...criteria].join('\n');
}

export type UntrackedBox = Readonly<{ text: string; line: number }>;

/** Open boxes outside all tasks, and those that are none to markdown: nobody works on them, so a person is told. */
export function untrackedBoxes({
  looseSteps = [],
  notes,
}: Pick<Plan, 'looseSteps' | 'notes'>): UntrackedBox[] {
  const loose = looseSteps.filter(({ ticked }) => !ticked);
  return [
    ...loose.map(({ text, box }) => ({ text, line: box.line })),
    ...notes.flatMap(({ openBox, place }) =>
      openBox === undefined ? [] : [{ text: openBox, line: place.line }],
    ),
  ].toSorted((one, other) => one.line - other.line);
}

/** The commands of all its checks, the plan's own first. */
export function commandsOf({ checks, tasks }: Plan): readonly string[] {
  return [...checks, ...tasks.flatMap((task) => task.checks)].map(({ command }) => command);
}

/** True if no task names another, so that only the order decides. */
export function isChain(plan: Plan): boolean {
  return plan.tasks.every(({ depends }) => depends === undefined || depends.length === 0);
}

/**
 * Ids that each task waits for, by its own id. If no task names another, the plan is a chain: each waits for the one before
 * it, unless it says `none`. Another tool's list keeps its order whatever a person adds to one task.
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

/**
 * The first task in document order that is open, not `excluded`, and has all dependencies closed; undefined if there is
 * none.
 */
export function pickTask(plan: Plan, excluded: ReadonlySet<string> = new Set()): Task | undefined {
  const open = plan.tasks.filter((task) => !isClosed(task));
  const openIds = new Set(open.map((task) => task.id));
  const waits = waitsOf(plan);
  return open.find(({ id }) => !excluded.has(id) && !waits.get(id)?.some((other) => openIds.has(other)));
}
