// Which tasks may be worked on at once, the best first; if in doubt, two globs (git/tree/glob.ts) can mean one file.
import { isClosed, isRequired, type Plan, type Task, waitsOf } from '../plan.ts';

export type TaskChoice = Readonly<{
  /** Worked on, or waiting to land. */
  underWay: ReadonlySet<string>;
  /** Ids that failed, are parked, skipped or not asked for. What waits for them keeps waiting. */
  excluded?: ReadonlySet<string>;
  most?: number;
  /** The file for which a task must be alone without saying so: checks are made of it. */
  aloneFor?: (task: Task) => string | undefined;
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
    if ([...beside, ...chosen].every((other) => mayRunTogether(task, other, choice))) chosen.push(task);
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

export function mayRunTogether(
  one: Task,
  other: Task,
  { aloneFor }: Pick<TaskChoice, 'aloneFor'> = {},
): boolean {
  const mustBeAlone = (task: Task) => task.exclusive === true || aloneFor?.(task) !== undefined;
  return !mustBeAlone(one) && !mustBeAlone(other) && !findOverlap(one.files, other.files);
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

type Segment = typeof folders | readonly Token[];
/** `*`, `?` for one unknown character, or `=` and the character itself. */
type Token = string;

const folders = '**';

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
  const [some, others] = [readGlob(one), readGlob(other)];
  // A bare name would match below any folder, so there a name with an extension is not taken for one.
  const below = some.isBare || others.isBare ? 'belowFolder' : 'below';
  return some[below].some((path) => others[below].some((against) => meet(path, against, segmentRules)));
}

type Rules<Unit> = Readonly<{
  isStar: (unit: Unit) => boolean;
  areSame: (one: Unit, other: Unit) => boolean;
}>;

function meet<Unit>(one: readonly Unit[], other: readonly Unit[], rules: Rules<Unit>): boolean {
  let below: boolean[] = [];
  for (let i = one.length; i >= 0; i -= 1) {
    const row: boolean[] = [];
    for (let j = other.length; j >= 0; j -= 1) {
      const [a, b] = [one[i], other[j]];
      if (a === undefined && b === undefined) row[j] = true;
      else if (a !== undefined && rules.isStar(a)) row[j] = below[j] === true || row[j + 1] === true;
      else if (b !== undefined && rules.isStar(b)) row[j] = row[j + 1] === true || below[j] === true;
      else row[j] = a !== undefined && b !== undefined && below[j + 1] === true && rules.areSame(a, b);
    }
    below = row;
  }
  return below[0] === true;
}

const tokenRules: Rules<Token> = {
  isStar: (token) => token === '*',
  areSame: (one, other) => one === other || one === '?' || other === '?',
};

const segmentRules: Rules<Segment> = {
  isStar: (segment) => segment === folders,
  areSame: (one, other) => one !== folders && other !== folders && meet(one, other, tokenRules),
};

type Path = readonly Segment[];

/** With everything below them: always, or only if they look like a folder. */
type Globbed = Readonly<{ isBare: boolean; below: readonly Path[]; belowFolder: readonly Path[] }>;

const known = new Map<string, Globbed>();

/** Without a slash, it matches in any folder. */
function readGlob(glob: string): Globbed {
  const before = known.get(glob);
  if (before) return before;
  // Lines of a file mean the file; on some disks case makes no difference.
  const plain = glob.replace(/:\d+(?:-\d+)?$/, '').toLowerCase();
  const isBare = !plain.replace(/\/$/, '').includes('/');
  const isFile = /[^/.]\.[^/.]+$/.test(plain);
  const paths = expandBraces(plain.replace(/^\.?\//, '').replace(/\/$/, '')).map((path): Path => {
    const segments = path.split('/').map(readSegment);
    return isBare ? [folders, ...segments] : segments;
  });
  const below = paths.map((path) => [...path, folders] as const);
  const globbed = { isBare, below, belowFolder: isFile ? paths : below };
  known.set(glob, globbed);
  return globbed;
}

const mostAlternatives = 200;

function expandBraces(glob: string): readonly string[] {
  let paths = [glob];
  while (paths.some((path) => braces.test(path))) {
    paths = paths.flatMap((path) => {
      const [whole = '', inside = ''] = braces.exec(path) ?? [];
      return whole === '' ? [path] : inside.split(',').map((part) => path.replace(whole, () => part));
    });
    if (paths.length > mostAlternatives) return [folders];
  }
  return paths;
}

const braces = /\{([^{}]*)\}/;

function readSegment(segment: string): Segment {
  if (segment.includes(folders)) return folders;
  const tokens = segment.match(/\[[!^]?\]?[^\]]*\]|\\.|[\s\S]/gu) ?? [];
  return tokens.map((token) => {
    if (token === '*' || token === '?') return token;
    if (token.length > 1 && token.startsWith('[')) return '?';
    return `=${token.length > 1 && token.startsWith('\\') ? token.slice(1) : token}`;
  });
}
