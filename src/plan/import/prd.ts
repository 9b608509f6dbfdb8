// `prd.json` of the Ralph loops as a plan: user stories with acceptance criteria, or a bare list of features with steps.
import { z } from 'zod';
import { type ImportedPlan, type ImportedTask, isTaskId } from './imported.ts';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const texts = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? []);

const story = z.looseObject({
  id: z.union([z.string(), z.number()]).transform(String).optional(),
  title: text,
  category: text,
  description: text,
  acceptanceCriteria: texts,
  steps: texts,
  priority: z.number().nullish(),
  dependsOn: z.array(z.union([z.string(), z.number()]).transform(String)).nullish(),
  passes: z.boolean().default(false),
  notes: text,
});
const prd = z.looseObject({
  project: text,
  branchName: text,
  description: text,
  userStories: z.array(story).min(1),
});
const bare = z.array(story.extend({ description: z.string(), passes: z.boolean() })).min(1);

/** True for a value of either form. */
export function isPrd(value: unknown): boolean {
  return prd.safeParse(value).success || bare.safeParse(value).success;
}

/** True for one whose stories are still to be written. */
export function isEmptyPrd(value: unknown): boolean {
  return z.looseObject({ userStories: z.tuple([]) }).safeParse(value).success;
}

/** Parses either form; stories by priority. */
export function readPrd(value: unknown): ImportedPlan {
  const whole = prd.safeParse(value);
  const { project = '', branchName = '', description = '' } = whole.success ? whole.data : {};
  const stories = whole.success ? whole.data.userStories : bare.parse(value);
  const most = Number.MAX_SAFE_INTEGER;
  const sorted = stories.toSorted((one, other) => (one.priority ?? most) - (other.priority ?? most));
  const ids = sorted.map((one) => one.id ?? '');
  const areFine = ids.every(isTaskId) && new Set(ids).size === ids.length;
  const names = new Map(ids.map((id, at) => [id, areFine ? id : String(at + 1)]));
  const tasks = sorted.map((one, at) => ({
    ...readStory(one, areFine ? (ids[at] ?? '') : String(at + 1)),
    ...dependsOf(one, names),
  }));
  const known = new Set(Object.keys(story.shape));
  return {
    title: project || 'PRD',
    overview: description,
    ...(branchName === '' ? {} : { branch: branchName }),
    tasks,
    notes: [
      ...(areFine || ids.every((id) => id === '')
        ? []
        : sorted.map((one, at) => `story ${one.id ?? '?'} is task ${at + 1} of the plan`)),
      ...sorted.flatMap((one, at) =>
        Object.keys(one)
          .filter((key) => !known.has(key))
          .map((key) => `\`${key}\` of task ${tasks[at]?.id} has no place in a plan`),
      ),
    ],
  };
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
    steps: steps.map((step) => ({ text: step, ticked: one.passes })),
    criteria: one.acceptanceCriteria,
    text: [one.title === '' ? '' : one.description, one.notes].filter((part) => part !== '').join('\n\n'),
  };
}
