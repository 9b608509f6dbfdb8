// Which tasks may be worked on at once, the best first; if in doubt, two globs can mean one file.
import { matchesAny } from '../../glob.ts';
import { isClosed, isRequired, type Plan, type Task, waitsOf } from '../plan.ts';

export type TaskChoice = Readonly<{
  /** Worked on, or waiting to land. */
  underWay: ReadonlySet<string>;
  /** Ids that failed, are parked, skipped or not asked for. What waits for them keeps waiting. */
  excluded?: ReadonlySet<string>;
  most?: number;
  /** The file for which a task must be alone without saying so: checks are made of it. */
  aloneFor?: ((task: Task) => string | undefined) | undefined;
}>;

/**
 * Longest remaining way first. Any prefix may start together: none waits for an open task, no files overlap, also with
 * tasks under way, and one that must be alone is alone.
 */
export function chooseTasks(plan: Plan, choice: TaskChoice): readonly Task[] {
  const { underWay, excluded = new Set<string>(), most = Number.POSITIVE_INFINITY } = choice;
  const open = plan.tasks.filter((task) => !isClosed(task));
  const openIds = new Set([...open.map(({ id }) => id), ...underWay]);
  const waits = waitsOf(plan);
  const ready = open.filter(
    ({ id }) => !underWay.has(id) && !excluded.has(id) && !waits.get(id)?.some((other) => openIds.has(other)),
  );
  const ways = remainingWays(open, waits);
  const wayOf = ({ id }: Task) => ways.get(id) ?? 0;
  const beside = plan.tasks.filter(({ id }) => underWay.has(id));
  const chosen: Task[] = [];
  for (const task of ready.toSorted((one, other) => wayOf(other) - wayOf(one))) {
    if (chosen.length >= most) break;
    if ([...beside, ...chosen].every((other) => !findRivals(task, other, choice))) chosen.push(task);
  }
  return chosen;
}

export function widestOf(
  plan: Plan,
  options: Omit<TaskChoice, 'underWay' | 'most'> & { jobs: number },
): number {
  const done = new Set<string>();
  const close = (task: Task) => (done.has(task.id) ? { ...task, steps: [] } : task);
  for (let widest = 0; ; ) {
    const left = { ...plan, tasks: plan.tasks.map(close) };
    const chosen = chooseTasks(left, { ...options, underWay: new Set(), most: options.jobs });
    if (chosen.length === 0) return widest;
    widest = Math.max(widest, chosen.length);
    for (const { id } of chosen) done.add(id);
  }
}

/** `task`: where to mend it. */
export type Rivals = Readonly<{ task: Task; says: string }>;

/** Why two tasks may not run together. */
export function findRivals(
  one: Task,
  other: Task,
  { aloneFor }: Pick<TaskChoice, 'aloneFor'>,
): Rivals | undefined {
  for (const task of [one, other]) {
    const name = `task ${task.id}`;
    if (task.exclusive)
      return { task, says: `${name} says \`exclusive: true\`: remove that if it is not needed` };
    const file = aloneFor?.(task);
    const why = `may change \`${file}\`, on which the checks depend, so it must be alone`;
    if (file !== undefined) return { task, says: `${name} ${why}: leave that file to a separate task` };
  }
  const [glob, another] = findOverlap(one.files, other.files) ?? [];
  if (glob === undefined) return undefined;
  const both =
    glob === another
      ? `both change \`${glob}\``
      : `change \`${glob}\` and \`${another}\`, which can mean one file`;
  const remedy = 'let each change its own files, or say by `depends:` which comes first';
  return { task: one, says: `tasks ${one.id} and ${other.id} ${both}: ${remedy}` };
}

function countSteps({ steps }: Task): number {
  return Math.max(1, steps.filter((step) => isRequired(step) && !step.ticked).length);
}

/** A task's open steps plus the longest chain that waits for it. Tasks in a cycle have none. */
function remainingWays(
  open: readonly Task[],
  waits: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> {
  const byId = new Map(open.map((task) => [task.id, task]));
  const waitsOfOpen = ({ id }: Task) => (waits.get(id) ?? []).flatMap((other) => byId.get(other) ?? []);
  const followers = new Map<string, number>();
  for (const { id } of open.flatMap(waitsOfOpen)) followers.set(id, (followers.get(id) ?? 0) + 1);
  const after = new Map<string, number>();
  const ways = new Map<string, number>();
  const queue = open.filter(({ id }) => !followers.has(id));
  for (const task of queue) {
    const way = countSteps(task) + (after.get(task.id) ?? 0);
    ways.set(task.id, way);
    for (const before of waitsOfOpen(task)) {
      after.set(before.id, Math.max(after.get(before.id) ?? 0, way));
      const left = (followers.get(before.id) ?? 0) - 1;
      followers.set(before.id, left);
      if (left === 0) queue.push(before);
    }
  }
  return ways;
}

/** One glob of each list; undefined if no file matches both. */
export function findOverlap(
  some: readonly string[],
  others: readonly string[],
): readonly [string, string] | undefined {
  for (const one of some)
    for (const other of others) if (canMeanSame(one, other)) return [one, other] as const;
  return undefined;
}

function canMeanSame(one: string, other: string): boolean {
  const others = readGlob(other);
  return readGlob(one).some((path) => others.some((against) => mayMeet(path, against)));
}

/** Surely where one names a single file; else by how they begin and end, and how deep they go. */
function mayMeet(one: string, other: string): boolean {
  if (isOneFile(one)) return matchesAny(one, [other]);
  if (isOneFile(other)) return matchesAny(other, [one]);
  const [head, otherHead] = [headOf(one), headOf(other)];
  const [tail, otherTail] = [tailOf(one), tailOf(other)];
  const [depth, otherDepth] = [depthOf(one), depthOf(other)];
  if (depth !== undefined && otherDepth !== undefined && depth !== otherDepth) return false;
  return (
    (head.startsWith(otherHead) || otherHead.startsWith(head)) &&
    (tail.endsWith(otherTail) || otherTail.endsWith(tail))
  );
}

const wildcard = /[*?[\]\\]/;
const fileName = /[^/.]\.[^/.]+$/;

/** Without a slash, it matches in any folder. */
function isOneFile(glob: string): boolean {
  return glob.includes('/') && !wildcard.test(glob) && fileName.test(glob);
}

function headOf(glob: string): string {
  if (!glob.includes('/')) return '';
  return wildcard.test(glob) ? glob.slice(0, glob.search(wildcard)) : `${glob}/`;
}

/** Empty for what may be a folder. */
function tailOf(glob: string): string {
  const rest = /[^*?[\]\\]*$/.exec(glob)?.[0] ?? '';
  return (rest === glob ? fileName : /\.[^/.]+$/).test(rest) ? rest : '';
}

/** Of the files that it means; undefined if they may be at several. */
function depthOf(glob: string): number | undefined {
  const isOfFiles = glob.includes('/') && !glob.includes('**') && tailOf(glob) !== '';
  return isOfFiles ? glob.split('/').length : undefined;
}

const mostAlternatives = 200;

/** Lines of a file mean the file; on some disks case makes no difference. */
function readGlob(glob: string): readonly string[] {
  const plain = glob.replace(/:\d+(?:-\d+)?$/, '').toLowerCase();
  let paths = [plain.replace(/^\.?\//, '').replace(/\/$/, '')];
  while (paths.some((path) => braces.test(path))) {
    paths = paths.flatMap((path) => {
      const [whole = '', inside = ''] = braces.exec(path) ?? [];
      return whole === '' ? [path] : inside.split(',').map((part) => path.replace(whole, () => part));
    });
    if (paths.length > mostAlternatives) return ['**'];
  }
  return paths;
}

const braces = /\{([^{}]*)\}/;
