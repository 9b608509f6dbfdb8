// `prd.json` of the Ralph loops as a plan: user stories with acceptance criteria, or features with steps.
import { z } from 'zod';
import { type ImportedPlan, type ImportedTask, idsOf } from './imported.ts';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const texts = listOf(z.string());
function listOf<Item extends z.ZodType>(item: Item) {
  const lines = (value: unknown) =>
    typeof value === 'string' ? value.split('\n').filter((line) => line.trim() !== '') : (value ?? []);
  return z.preprocess(lines, z.array(item));
}
/** Some tools write it as a text. */
const flag = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean().nullish(),
);

const criterion = z.union([
  z.string(),
  z
    .looseObject({ text: z.string().optional(), description: z.string().optional(), testCommand: text })
    .transform(({ text: words, description, testCommand }) =>
      [words ?? description ?? '', testCommand === '' ? '' : `\`${testCommand}\``]
        .filter((part) => part !== '')
        .join(': '),
    ),
]);

const otherNames: Readonly<Record<string, string>> = {
  name: 'title',
  acceptance: 'acceptanceCriteria',
  acceptance_criteria: 'acceptanceCriteria',
  depends_on: 'dependsOn',
  dependencies: 'dependsOn',
};

const story = z.looseObject({
  id: z.union([z.string(), z.number()]).transform(String).optional(),
  title: text,
  category: text,
  description: text,
  acceptanceCriteria: listOf(criterion),
  steps: texts,
  priority: z.union([z.number(), z.string()]).nullish(),
  dependsOn: z.array(z.union([z.string(), z.number()]).transform(String)).nullish(),
  passes: flag,
  status: text,
  notes: text,
});
const named = z.preprocess(withUsualNames, story);
const prd = z.looseObject({
  project: text,
  branchName: text,
  description: text,
  userStories: z.array(named).min(1),
});
const titled = named.refine(({ title, description }) => title !== '' || description !== '');
const bare = z.array(story.extend({ description: z.string(), passes: z.boolean() })).min(1);

/** In all but the first, each story must have words. */
const lists = ['userStories', 'user_stories', 'stories', 'features'];

function withUsualNames(value: unknown): unknown {
  const object = z.record(z.string(), z.unknown()).safeParse(value);
  if (!object.success) return value;
  const entries = Object.entries(object.data);
  const taken = new Set(entries.map(([key]) => key));
  return Object.fromEntries(
    entries.map(([key, inner]) => {
      const usual = otherNames[key] ?? key;
      return [taken.has(usual) ? key : usual, inner];
    }),
  );
}

function withUsualList(value: unknown): unknown {
  const object = z.record(z.string(), z.unknown()).safeParse(value);
  if (!object.success || 'userStories' in object.data) return value;
  const list = lists.find((key) => z.array(titled).min(1).safeParse(object.data[key]).success);
  return list === undefined ? value : { ...object.data, userStories: object.data[list] };
}

export function isPrd(value: unknown): boolean {
  return prd.safeParse(withUsualList(value)).success || bare.safeParse(value).success;
}

/** The first empty list, whose stories are still to be written. */
export function emptyListOf(value: unknown): string | undefined {
  return lists.find((key) => z.looseObject({ [key]: z.tuple([]) }).safeParse(value).success);
}

export function misfitOf(value: unknown): string | undefined {
  const object = z.record(z.string(), z.unknown()).safeParse(value);
  for (const key of object.success ? lists : []) {
    const list = z.array(z.looseObject({})).safeParse(object.data?.[key]);
    const [issue] = list.success ? (z.array(titled).safeParse(list.data).error?.issues ?? []) : [];
    if (issue === undefined) continue;
    const [at, ...field] = issue.path;
    const name = [`${key}[${String(at)}]`, ...field.map(String)].join('.');
    return field.length === 0 ? `${name} has no title` : `${name}: ${issue.message}`;
  }
  return undefined;
}

export function readPrd(value: unknown): ImportedPlan {
  const whole = prd.safeParse(withUsualList(value));
  const { project = '', branchName = '', description = '' } = whole.success ? whole.data : {};
  const stories = whole.success ? whole.data.userStories : bare.parse(value);
  const sorted = stories.toSorted((one, other) => rankOf(one) - rankOf(other));
  const own = sorted.map((one) => one.id ?? '');
  const ids = idsOf(own);
  const names = new Map(own.map((id, at) => [id, ids[at] ?? '']));
  const tasks = sorted.map((one, at) => ({
    ...readStory(one, ids[at] ?? ''),
    ...dependsOf(one, names),
  }));
  const known = new Set(Object.keys(story.shape));
  return {
    title: project || 'PRD',
    overview: description,
    ...(branchName === '' ? {} : { branch: branchName }),
    tasks,
    notes: [
      ...(own.every((id, at) => id === ids[at]) || own.every((id) => id === '')
        ? []
        : sorted.map((one, at) => `story ${one.id ?? '?'} is task ${at + 1} of the plan`)),
      ...[...new Set(sorted.flatMap((one) => Object.keys(one)))]
        .filter((key) => !known.has(key))
        .map((key) => {
          const [first, ...more] = sorted.flatMap((one, at) => (key in one ? [tasks[at]?.id] : []));
          const others = more.length > 0 ? ` (and of ${more.length} more)` : '';
          return `\`${key}\` of task ${first}${others} has no place in a plan`;
        }),
    ],
  };
}

/** A priority in words is not an order. */
function rankOf({ priority }: z.output<typeof story>): number {
  return typeof priority === 'number' ? priority : Number.MAX_SAFE_INTEGER;
}

function isDone({ passes, status }: z.output<typeof story>): boolean {
  return passes ?? /^(?:completed?|done|passed)$/i.test(status);
}

function dependsOf({ dependsOn }: z.output<typeof story>, names: ReadonlyMap<string, string>) {
  return dependsOn ? { depends: dependsOn.flatMap((other) => names.get(other) ?? []) } : {};
}

function readStory(one: z.output<typeof story>, id: string): ImportedTask {
  const title = one.title || one.description;
  const steps = one.steps.length > 0 ? one.steps : [title];
  return {
    id,
    title,
    steps: steps.map((step) => ({ text: step, ticked: isDone(one) })),
    criteria: one.acceptanceCriteria,
    text: [one.title === '' ? '' : one.description, one.notes].filter((part) => part !== '').join('\n\n'),
  };
}
