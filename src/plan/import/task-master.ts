// Task Master's `tasks.json` (task-master-ai 0.x: lists by tag, or the older single list) as a plan; subtasks become
// steps.
import { z } from 'zod';
import { type ImportedPlan, type ImportedTask, isTaskId } from './imported.ts';

const id = z.union([z.string(), z.number()]).transform(String);
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const status = z.string().default('pending');

const dependencies = z.array(id).nullish();
const subtask = z.looseObject({ id, title: text, description: text, details: text, status, dependencies });
const task = z.looseObject({
  id,
  title: text,
  description: text,
  details: text,
  testStrategy: text,
  status,
  dependencies,
  subtasks: z.array(subtask).nullish(),
});
const list = z.looseObject({ tasks: z.array(task) });
const tagged = z.record(z.string(), z.unknown());

type Source = z.output<typeof task>;

/** `''` for the only list of the older form. */
export function tagsOf(value: unknown): readonly string[] {
  if (list.safeParse(value).success) return [''];
  const tags = tagged.safeParse(value);
  return tags.success ? Object.keys(tags.data).filter((tag) => list.safeParse(tags.data[tag]).success) : [];
}

export function readTaskMaster(value: unknown, tag: string): ImportedPlan {
  const { tasks, metadata } = list.parse(tag === '' ? value : tagged.parse(value)[tag]);
  const left = tasks.filter(isLeftOut);
  const kept = tasks.filter((one) => !isLeftOut(one));
  const names = nameTasks(kept);
  const description = z.looseObject({ description: z.string() }).safeParse(metadata);
  return {
    title: tag === '' || tag === 'master' ? 'Task Master' : tag,
    overview: [
      description.success ? description.data.description : '',
      ...left.map((one) => `Left out (${one.status}): ${one.id} ${one.title}\n${one.description}`),
    ].join('\n\n'),
    tasks: kept.map((one) => readTask(one, { names, kept })),
    notes: [
      ...left.map(
        (one) =>
          `task ${one.id} is ${one.status}, so it is not a task of the plan: its text is in the overview`,
      ),
      ...kept.flatMap((one) => notesOf(one, names)),
    ],
  };
}

function isLeftOut({ status: said }: Source): boolean {
  return said === 'cancelled' || said === 'deferred';
}

function isDone({ status: said }: Readonly<{ status: string }>): boolean {
  return said === 'done' || said === 'completed';
}

function nameTasks(tasks: readonly Source[]): ReadonlyMap<string, string> {
  const ids = tasks.map((one) => one.id);
  const areFine = ids.every(isTaskId) && new Set(ids).size === ids.length;
  return new Map(ids.map((own, at) => [own, areFine ? own : String(at + 1)]));
}

function readTask(
  source: Source,
  { names, kept }: Readonly<{ names: ReadonlyMap<string, string>; kept: readonly Source[] }>,
): ImportedTask {
  const done = isDone(source);
  const subtasks = source.subtasks ?? [];
  const steps = subtasks.map((one) => ({
    text: [one.title, one.description].filter((part) => part !== '').join(': '),
    ticked: done || isDone(one),
  }));
  const details = subtasks.filter((one) => one.details !== '').map((one) => `${one.title}:\n${one.details}`);
  return {
    id: names.get(source.id) ?? source.id,
    title: source.title,
    steps: steps.length > 0 ? steps : [{ text: source.title, ticked: done }],
    criteria: source.testStrategy === '' ? [] : [source.testStrategy],
    depends: kept.length < 2 ? [] : dependsOf(source, names),
    text: [source.description, source.details, ...details].filter((part) => part !== '').join('\n\n'),
  };
}

/** A subtask of another task is a step there, so that task is waited for. */
function dependsOf(source: Source, names: ReadonlyMap<string, string>): readonly string[] {
  // A bare number is that of a subtask beside it.
  const ofSubtasks = (source.subtasks ?? []).flatMap(({ dependencies }) => dependencies ?? []);
  const wanted = [...(source.dependencies ?? []), ...ofSubtasks.filter((id) => id.includes('.'))];
  const own = names.get(source.id);
  return [...new Set(wanted.flatMap((id) => nameOf(id, names) ?? []))].filter((name) => name !== own);
}

function nameOf(id: string, names: ReadonlyMap<string, string>): string | undefined {
  return names.get(id) ?? names.get(/^([^.]+)\.[^.]+$/.exec(id)?.[1] ?? '');
}

function notesOf(source: Source, names: ReadonlyMap<string, string>): string[] {
  const lost = (source.dependencies ?? []).filter((other) => nameOf(other, names) === undefined);
  const skipped = (source.subtasks ?? []).filter(
    ({ status: said }) => said === 'cancelled' || said === 'deferred',
  );
  const known = new Set(
    Object.keys(task.shape).concat('priority', 'previousStatus', 'updatedAt', 'createdAt'),
  );
  const unknown = Object.keys(source).filter((key) => !known.has(key));
  return [
    ...(names.get(source.id) === source.id
      ? []
      : [`task ${source.id} is task ${names.get(source.id)} of the plan`]),
    ...lost.map((other) => `task ${source.id} waited for task ${other}, which is not a task of the plan`),
    ...skipped.map(
      (one) =>
        `subtask ${source.id}.${one.id} is ${one.status}, but a step like any other: remove it if you do not want it`,
    ),
    ...(source.status === 'blocked' ? [`task ${source.id} is blocked, but open like any other`] : []),
    ...unknown.map((key) => `\`${key}\` of task ${source.id} has no place in a plan`),
  ];
}
