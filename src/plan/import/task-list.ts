// A list of tasks in JSON or front matter (Task Master, a Ralph loop, Cursor) as a plan. Tools name the same things
// differently, so names are made alike first.
import { z } from 'zod';
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import { shorten } from '../../shorten.ts';
import { type ImportedPlan, type ImportedTask, idsOf } from './imported.ts';

const usualNames: Readonly<Record<string, string>> = {
  name: 'title',
  content: 'title',
  acceptance: 'criteria',
  acceptanceCriteria: 'criteria',
  acceptance_criteria: 'criteria',
  testStrategy: 'criteria',
  depends_on: 'dependsOn',
  dependencies: 'dependsOn',
  subtasks: 'steps',
};

function withUsualNames(value: unknown): unknown {
  if (typeof value === 'string') return { title: value };
  const entries = Object.entries(record.safeParse(value).data ?? {});
  const isTaken = (name: string) => entries.some(([key]) => key === name);
  const renamed = entries.map(([key, inner]) => {
    const usual = usualNames[key] ?? key;
    return [isTaken(usual) ? key : usual, inner];
  });
  return Object.fromEntries(renamed);
}

const record = z.record(z.string(), z.unknown());
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const id = z.union([z.string(), z.number()]).transform(String);
/** Some tools write a flag as a text, or lines for a list. */
const flag = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean().nullish(),
);
function listOf<Item extends z.ZodType>(item: Item) {
  const lines = (value: unknown) =>
    typeof value === 'string' ? value.split('\n').filter((line) => line.trim() !== '') : (value ?? []);
  return z.preprocess(lines, z.array(item));
}

const criterion = z.union([
  z.string(),
  z
    .looseObject({ text, description: text, testCommand: text })
    .transform(({ text: words, description, testCommand }) =>
      join([words || description, testCommand && `\`${testCommand}\``], ': '),
    ),
]);
const part = {
  id: id.optional(),
  title: text,
  description: text,
  details: text,
  status: text,
  dependsOn: z.array(id).nullish(),
};
const entry = z
  .looseObject({
    ...part,
    criteria: listOf(criterion),
    steps: listOf(z.preprocess(withUsualNames, z.looseObject(part))),
    priority: z.unknown().optional(),
    passes: flag,
    notes: text,
  })
  .refine(({ title, description }) => title !== '' || description !== '', 'it has no title');
const list = z.array(z.preprocess(withUsualNames, entry));
type Entry = z.output<typeof entry>;

/** Of no use to a plan, and nobody's loss. */
const dropped = ['category', 'previousStatus', 'updatedAt', 'createdAt'];
const known = new Set([...Object.keys(entry.shape), ...dropped]);

/** `about`: the object that holds the list under `key`. */
export type TaskList = Readonly<{ key: string; entries: unknown; about: Readonly<Record<string, unknown>> }>;

const listKeys = ['tasks', 'userStories', 'user_stories', 'stories', 'features', 'todos'];

export function findList(value: unknown): TaskList | undefined {
  if (Array.isArray(value)) return { key: '', entries: value, about: {} };
  const about = record.safeParse(value).data ?? {};
  const key = listKeys.find((name) => Array.isArray(about[name]));
  return key === undefined ? undefined : { key, entries: about[key], about };
}

/** Task Master's file has lists by tag. */
export function findTagged(value: unknown): ReadonlyMap<string, TaskList> {
  const tags = Object.entries(record.safeParse(value).data ?? {}).flatMap(([tag, inner]) => {
    const found = findList(inner);
    return found?.key === 'tasks' ? [[tag, found] as const] : [];
  });
  return new Map(tags);
}

/** `title` is that of a list without one. Throws a Failure for a list that is not of tasks. */
export function readList({ key, entries, about }: TaskList, title: string): ImportedPlan {
  const read = list.safeParse(entries);
  if (!read.success) {
    const [issue] = read.error.issues;
    const [at, ...field] = issue?.path ?? [];
    const place = [`${key}[${String(at)}]`, ...field.map(String)].join('.');
    throw new Failure('plan', `a task cannot be imported: ${place}: ${issue?.message}`);
  }
  const left = read.data.filter(isLeftOut);
  const kept = read.data
    .filter((one) => !isLeftOut(one))
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  const ids = idsOf(kept.map((one) => one.id));
  const names = new Map(kept.map((one, at) => [one.id ?? '', ids[at] ?? '']));
  const nameOf = (other: string) => names.get(other) ?? names.get(/^([^.]+)\.[^.]+$/.exec(other)?.[1] ?? '');
  const head = z.looseObject({ ...headParts, metadata: z.looseObject(headParts).optional() }).parse(about);
  return {
    title: head.project || head.name || title,
    overview: join(
      [
        head.overview || head.description || head.metadata?.description,
        ...left.map(
          (one) => `Left out (${one.status}): ${join([one.id, titleOf(one)], ' ')}\n${one.description}`,
        ),
      ],
      '\n\n',
    ),
    ...defined({ branch: head.branchName || undefined }),
    tasks: kept.map((one, at) => readTask(one, ids[at] ?? '', nameOf)),
    notes: [
      ...[...left, ...kept.flatMap(({ steps }) => steps.filter(isLeftOut))].map(
        (one) => `"${titleOf(one)}" is ${one.status}, so it is not in the plan`,
      ),
      ...kept.flatMap((one, at) => notesOf(one, ids[at] ?? '', nameOf)),
      ...unknownKeys(kept, ids),
    ],
  };
}

const headParts = { project: text, name: text, overview: text, description: text, branchName: text };

function isLeftOut({ status }: Pick<Entry, 'status'>): boolean {
  return status === 'cancelled' || status === 'deferred';
}

/** A priority in words is not an order. */
function rankOf({ priority }: Entry): number {
  return typeof priority === 'number' ? priority : Number.MAX_SAFE_INTEGER;
}

function titleOf({ title, description }: Pick<Entry, 'title' | 'description'>): string {
  return title || description;
}

/** The step has all of a longer one. */
const longestTitle = 100;

function readTask(one: Entry, own: string, nameOf: NameOf): ImportedTask {
  const isDone = one.passes ?? /^(?:completed?|done|passed)$/i.test(one.status);
  const steps = one.steps.filter((step) => !isLeftOut(step));
  const details = steps.map((step) => step.details && `${step.title}:\n${step.details}`);
  const texts = steps.map((step) => ({
    text: join([step.title, step.description], ': '),
    ticked: isDone || /^(?:completed?|done)$/i.test(step.status),
  }));
  return {
    id: own,
    title: shorten(titleOf(one), longestTitle),
    steps: texts.length > 0 ? texts : [{ text: titleOf(one), ticked: isDone }],
    criteria: one.criteria,
    depends: dependsOf(one, own, nameOf),
    text: join([one.title && one.description, one.details, ...details, one.notes], '\n\n'),
  };
}

/** The task of the plan that another, or a subtask of it, is. */
type NameOf = (other: string) => string | undefined;

/** A subtask of another task is a step there, so that task is waited for; a bare number is a subtask beside it. */
function dependsOf(one: Entry, own: string, nameOf: NameOf): string[] | undefined {
  if (!one.dependsOn) return undefined;
  const ofSteps = one.steps
    .flatMap(({ dependsOn }) => dependsOn ?? [])
    .filter((other) => other.includes('.'));
  const wanted = [...one.dependsOn, ...ofSteps].flatMap((other) => nameOf(other) ?? []);
  return [...new Set(wanted)].filter((name) => name !== own);
}

function notesOf({ id: before, dependsOn }: Entry, own: string, nameOf: NameOf): string[] {
  const lost = (dependsOn ?? []).filter((other) => nameOf(other) === undefined);
  return [
    ...(before === undefined || before === own ? [] : [`task ${before} is task ${own} of the plan`]),
    ...lost.map((other) => `task ${own} waited for task ${other}, which is not a task of the plan`),
  ];
}

function unknownKeys(kept: readonly Entry[], ids: readonly string[]): string[] {
  const keys = new Set(kept.flatMap((one) => Object.keys(one)).filter((key) => !known.has(key)));
  return [...keys].map((key) => {
    const [first, ...more] = ids.filter((_, at) => key in (kept[at] ?? {}));
    const others = more.length > 0 ? ` (and of ${more.length} more)` : '';
    return `\`${key}\` of task ${first}${others} has no place in a plan`;
  });
}

function join(parts: readonly (string | undefined)[], gap: string): string {
  return parts.filter((one) => one).join(gap);
}
