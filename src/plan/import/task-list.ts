// A list of tasks in JSON or front matter (Task Master, a Ralph loop, Cursor) as a plan. Tools name the same things
// differently, so names are made alike first; what has no place in a plan is left out.
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
  const entries = Object.entries(record.parse(value));
  return Object.fromEntries(entries.map(([key, inner]) => [usualNames[key] ?? key, inner]));
}

const record = z.record(z.string(), z.unknown()).catch({});
const text = z.union([z.string(), z.number()]).transform(String).catch('');
/** Some tools write lines for a list. */
const texts = z.preprocess((value) => (typeof value === 'string' ? value.split('\n') : value), z.array(text));
const part = z.object({
  ...{ id: text, title: text, description: text, details: text, status: text, notes: text },
  dependsOn: texts.optional().catch(undefined),
});
const listOf = <Item extends z.ZodType>(item: Item) => z.array(z.preprocess(withUsualNames, item));
const entry = part.extend({
  criteria: texts.catch([]),
  steps: listOf(part).catch([]),
  /** In words it is no order. */
  priority: z.number().catch(Number.MAX_SAFE_INTEGER),
  passes: z.boolean().optional().catch(undefined),
});
const about = z.object({ project: text, name: text, overview: text, description: text, branchName: text });
type Entry = z.output<typeof entry>;

/** `about`: the object that holds the list under `key`. */
export type TaskList = Readonly<{ key: string; entries: unknown; about: unknown }>;

const listKeys = ['tasks', 'userStories', 'user_stories', 'stories', 'features', 'todos'];

export function findList(value: unknown): TaskList | undefined {
  if (Array.isArray(value)) return { key: '', entries: value, about: {} };
  const holder = record.parse(value);
  const key = listKeys.find((name) => Array.isArray(holder[name]));
  return key === undefined ? undefined : { key, entries: holder[key], about: holder };
}

/** Task Master's file has lists by tag. */
export function findTagged(value: unknown): ReadonlyMap<string, TaskList> {
  const tags = Object.entries(record.parse(value)).flatMap(([tag, inner]) => {
    const found = findList(inner);
    return found?.key === 'tasks' ? [[tag, found] as const] : [];
  });
  return new Map(tags);
}

/** `title` is that of a list without one. Throws a Failure for an entry without words. */
export function readList(list: TaskList, title: string): ImportedPlan {
  const entries = listOf(entry).parse(list.entries);
  const wordless = entries.findIndex((one) => titleOf(one) === '');
  if (wordless >= 0)
    throw new Failure('plan', `a task cannot be imported: ${list.key}[${wordless}] has no title`);
  const kept = entries.filter((one) => !isLeftOut(one)).toSorted((a, b) => a.priority - b.priority);
  const ids = idsOf(kept.map(({ id }) => id || undefined));
  const names = new Map(kept.map(({ id }, at) => [id, ids[at] ?? '']));
  const head = about.parse(list.about);
  const { description } = about.parse(record.parse(record.parse(list.about)['metadata']));
  const cut = [...entries, ...kept.flatMap(({ steps }) => steps)].filter(isLeftOut);
  return {
    title: head.project || head.name || title,
    overview: head.overview || head.description || description,
    ...defined({ branch: head.branchName || undefined }),
    tasks: kept.map((one, at) => readTask(one, ids[at] ?? '', names)),
    notes: cut.map((one) => `"${titleOf(one)}" is ${one.status}, so it is not in the plan`),
  };
}

function isLeftOut({ status }: Pick<Entry, 'status'>): boolean {
  return status === 'cancelled' || status === 'deferred';
}

function titleOf({ title, description }: Pick<Entry, 'title' | 'description'>): string {
  return title || description;
}

/** The step has all of a longer one. */
const longestTitle = 100;

function readTask(one: Entry, own: string, names: ReadonlyMap<string, string>): ImportedTask {
  const isDone = one.passes ?? /^(?:completed?|done|passed)$/i.test(one.status);
  const steps = one.steps.filter((step) => !isLeftOut(step));
  const details = steps.map((step) => step.details && `${step.title}:\n${step.details}`);
  const boxes = steps.map((step) => ({
    text: join([step.title, step.description], ': '),
    ticked: isDone || /^(?:completed?|done)$/i.test(step.status),
  }));
  return {
    id: own,
    title: shorten(titleOf(one), longestTitle),
    steps: boxes.length > 0 ? boxes : [{ text: titleOf(one), ticked: isDone }],
    criteria: one.criteria.filter((line) => line.trim() !== ''),
    ...defined({ depends: dependsOf(one, own, names) }),
    text: join([one.title && one.description, one.details, ...details, one.notes], '\n\n'),
  };
}

/** A subtask of another task is a step there, so that task is waited for; a bare number is a subtask beside it. */
function dependsOf(one: Entry, own: string, names: ReadonlyMap<string, string>): string[] | undefined {
  if (!one.dependsOn) return undefined;
  const ofSteps = one.steps.flatMap(({ dependsOn = [] }) => dependsOn.filter((id) => id.includes('.')));
  const wanted = [...one.dependsOn, ...ofSteps].flatMap(
    (id) => names.get(id) ?? names.get(/^([^.]+)\.[^.]+$/.exec(id)?.[1] ?? '') ?? [],
  );
  return [...new Set(wanted)].filter((name) => name !== own);
}

function join(parts: readonly string[], gap: string): string {
  return parts.filter((one) => one !== '').join(gap);
}
