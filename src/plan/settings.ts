// The settings in a plan's front matter: few, because a plan is not a program.
import { z } from 'zod';
import { parseDuration } from '../duration.ts';
import { nearest } from '../nearest.ts';
import type { Plan, PlanNote } from './plan.ts';
import { isFolderInside } from './task.ts';

const time = z
  .string()
  .refine((text) => (parseDuration(text) ?? 0) > 0, {
    error: 'must be a time with its unit, e.g. 90s, 10m or 4h',
    abort: true,
  })
  .transform((text) => parseDuration(text) ?? 0);
const word = z.string().regex(/^[^\s-]\S*$/, 'must be one word');
const role = z.string().regex(/^[^\s-]\S*$/, 'must be model[:effort], e.g. sonnet:high');
const count = z.int('must be a whole number').min(1, 'must be 1 or more');

const settingsSchema = z.strictObject({
  model: word.optional(),
  effort: word.optional(),
  /** Model and effort per role, as model[:effort]. */
  roles: z
    .strictObject({
      plan: role.optional(),
      task: role.optional(),
      review: role.optional(),
      fix: role.optional(),
    })
    .optional(),
  /** Fresh sessions before a task fails. */
  attempts: count.optional(),
  /** Of several layers' caps, the smallest applies. */
  budgets: z
    .strictObject({
      maxCost: z.number('must be a number of US dollars').positive('must be more than 0').optional(),
      maxTokens: count.optional(),
      /** Written as 4h; milliseconds once parsed. */
      maxTime: time.optional(),
      maxSessions: count.optional(),
    })
    .optional(),
  /** How tasks must be closed for exit code 0. */
  require: z.enum(['proven', 'passed'], 'must be proven or passed').optional(),
  branch: word.optional(),
  /** Stage names in order; empty: no review. */
  review: z.array(word, 'must be a list of stage names').optional(),
  /** Of the checks, relative to the root. */
  cwd: z.string().refine(isFolderInside, 'must be a folder inside the repository').optional(),
});

/** Times are in milliseconds. */
export type PlanSettings = Readonly<z.output<typeof settingsSchema>>;

/** An unknown key or invalid value is left out, with an error note. */
export function readSettings(plan: Plan): Readonly<{ settings: PlanSettings; notes: readonly PlanNote[] }> {
  const written = Object.fromEntries([...plan.settings].map(([key, { value }]) => [key, value]));
  const whole = settingsSchema.safeParse(written);
  if (whole.success) return { settings: whole.data, notes: [] };
  const wrong = new Set(
    whole.error.issues.flatMap((issue) =>
      issue.path.length > 0 ? [String(issue.path[0])] : unknownIn(issue),
    ),
  );
  const rest = Object.entries(written).filter(([key]) => !wrong.has(key));
  return {
    settings: settingsSchema.parse(Object.fromEntries(rest)),
    notes: whole.error.issues.flatMap((issue) => notesOf(issue, plan)),
  };
}

export function isSettingOfPlan(key: string): boolean {
  return Object.hasOwn(settingsSchema.shape, key);
}

type Issue = z.core.$ZodIssue;

function unknownIn(issue: Issue): string[] {
  return issue.code === 'unrecognized_keys' ? issue.keys : [];
}

function notesOf(issue: Issue, plan: Plan): PlanNote[] {
  const keys = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') return [settingNote(keys, sentenceOf(issue), plan)];
  const { shape } = settingsSchema;
  const [outer] = keys;
  const isInner = outer === 'roles' || outer === 'budgets';
  const known = Object.keys(isInner ? shape[outer].unwrap().shape : shape);
  return issue.keys.map((key) => {
    const meant = nearest(key, known);
    const help = meant ? `did you mean \`${meant}\`?` : `known are ${known.join(', ')}`;
    return settingNote([...keys, key], `is not a plan setting: ${help}`, plan);
  });
}

function sentenceOf(issue: Issue): string {
  if (issue.code !== 'invalid_type' || issue.message.startsWith('must')) return issue.message;
  const types: Readonly<Record<string, string>> = { object: 'a map of keys', string: 'text' };
  return `must be ${types[issue.expected] ?? `of type ${issue.expected}`}`;
}

function settingNote(path: readonly string[], says: string, plan: Plan): PlanNote {
  const entry = plan.settings.get(path[0] ?? '');
  const place = entry?.inner?.get(path[1] ?? '') ?? entry?.place ?? { line: 1, column: 1, offset: 0 };
  return { rule: 'front-matter', severity: 'error', message: `\`${path.join('.')}\` ${says}`, place };
}
