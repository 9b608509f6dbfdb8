// The front matter of a plan, and the few settings that it may hold: a plan is not a program.
import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { z } from 'zod';
import { parseDuration } from '../duration.ts';
import { nearest } from '../nearest.ts';
import type { Plan, PlanNote, TextPosition } from './plan.ts';
import { isFolderInside } from './task.ts';
import type { Source } from './text-position.ts';

const word = z.string('must be text').regex(/^[^\s-]\S*$/, 'must be one word');
const role = z.string('must be text').regex(/^[^\s-]\S*$/, 'must be model[:effort], e.g. sonnet:high');
const time = z
  .string('must be text')
  .refine((text) => (parseDuration(text) ?? 0) > 0, {
    error: 'must be a time with its unit, e.g. 90s, 10m or 4h',
    abort: true,
  })
  .transform((text) => parseDuration(text) ?? 0);
const count = z.int('must be a whole number').min(1, 'must be 1 or more');

const settingsSchema = z.strictObject({
  model: word.optional(),
  effort: word.optional(),
  /** Model and effort per role, as model[:effort]. */
  roles: z
    .strictObject(
      { plan: role.optional(), task: role.optional(), review: role.optional(), fix: role.optional() },
      'must be a map of keys',
    )
    .optional(),
  /** Fresh sessions before a task fails. */
  attempts: count.optional(),
  /** Of several layers' caps, the smallest applies. */
  budgets: z
    .strictObject(
      {
        maxCost: z.number('must be a number of US dollars').positive('must be more than 0').optional(),
        maxTokens: count.optional(),
        /** Written as 4h; milliseconds once parsed. */
        maxTime: time.optional(),
        maxSessions: count.optional(),
      },
      'must be a map of keys',
    )
    .optional(),
  /** How tasks must be closed for exit code 0. */
  require: z.enum(['proven', 'passed'], 'must be proven or passed').optional(),
  branch: word.optional(),
  /** Stage names in order; empty: no review. */
  review: z.array(word, 'must be a list of stage names').optional(),
  /** Of the checks, relative to the root. */
  cwd: z.string('must be text').refine(isFolderInside, 'must be a folder inside the repository').optional(),
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
  if (issue.code !== 'unrecognized_keys') return [settingNote(keys, issue.message, plan)];
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

function settingNote(path: readonly string[], says: string, plan: Plan): PlanNote {
  const entry = plan.settings.get(path[0] ?? '');
  const place = entry?.inner?.get(path[1] ?? '') ?? entry?.place ?? { line: 1, column: 1, offset: 0 };
  return { rule: 'front-matter', severity: 'error', message: `\`${path.join('.')}\` ${says}`, place };
}

type Entry = { value: unknown; place: TextPosition; inner: Map<string, TextPosition> };

/** `end`: where the markdown begins. */
export type FrontMatter = FrontMatterContent & Readonly<{ end: number }>;
type FrontMatterContent = Readonly<{
  settings: Plan['settings'];
  mistake?: Readonly<{ offset: number; message: string }>;
}>;

const fenced = /^\uFEFF?---[ \t]*(?:\r\n|\n|\r)((?:[\s\S]*?[\n\r])??)---[ \t]*(?=[\n\r]|$)/;
const keyLine = /^[ \t]*(?:- )?(?:[\w-]+|"[^"\n\r]*"|'[^'\n\r]*'):(?!\/\/)|^[ \t]*\{/;

/** A rule `---` above other text is not front matter. */
export function readFrontMatter(source: Source): FrontMatter {
  const { text } = source;
  const nothing = { settings: new Map(), end: text.startsWith('\uFEFF') ? 1 : 0 };
  const block = findBlock(text);
  if (block) return { ...readBlock(block, source), end: block.end };
  const below = /^\uFEFF?---[ \t]*(?:\r\n|\n|\r)([^\n\r]*)/.exec(text)?.[1];
  if (below === undefined || !keyLine.test(below)) return nothing;
  return { ...nothing, ...wrong('is not closed: end it with a line `---`', 0) };
}

export function endOfFrontMatter(text: string): number {
  return findBlock(text)?.end ?? (text.startsWith('\uFEFF') ? 1 : 0);
}

type Block = Readonly<{ yaml: string; start: number; end: number }>;

function findBlock(text: string): Block | undefined {
  const match = fenced.exec(text);
  const yaml = match?.[1];
  if (!match || yaml === undefined || !isYaml(yaml)) return undefined;
  const start = match[0].indexOf('---', text.startsWith('\uFEFF') ? 1 : 0) + 3;
  const lineEnd = /^[ \t]*(?:\r\n|\n|\r)/.exec(match[0].slice(start))?.[0].length ?? 0;
  return { yaml, start: start + lineEnd, end: match[0].length };
}

/** A comment cannot be a heading if the whole block is a map. */
function isYaml(yaml: string): boolean {
  const first = yaml.split(/[\n\r]+/).find((line) => line.trim() !== '');
  if (first === undefined || keyLine.test(first)) return true;
  if (!/^[ \t]*#/.test(first)) return false;
  const { contents, errors } = parseDocument(yaml, { prettyErrors: false });
  return errors.length === 0 && (contents === null || isMap(contents));
}

function readBlock({ yaml, start }: Block, source: Source): FrontMatterContent {
  try {
    return readYaml(yaml, start, source);
  } catch (error) {
    return wrong(`cannot be read: ${firstLine(error)}`, start);
  }
}

function readYaml(yaml: string, start: number, source: Source): FrontMatterContent {
  // The library's warnings would go to the terminal, past every reporter.
  const options = { prettyErrors: false, logLevel: 'error' } as const;
  const document = parseDocument(yaml, options);
  const [error] = document.errors;
  if (error) return wrong(`is not valid YAML: ${firstLine(error)}`, start + error.pos[0]);
  if (document.contents === null) return { settings: new Map() };
  if (!isMap(document.contents)) return wrong('must be a list of `key: value` lines', start);
  const values: Record<string, unknown> = document.toJS({ maxAliasCount: 20 });
  const placeOf = ({ key }: Pair) => source.placeAt(start + (isScalar(key) ? (key.range?.[0] ?? 0) : 0));
  const entries = document.contents.items.map((pair): [string, Entry] => {
    const name = String(pair.key);
    const below = isMap(pair.value) ? (pair.value as YAMLMap).items : [];
    const inner = new Map(below.map((each) => [String(each.key), placeOf(each)]));
    return [name, { value: values[name], place: placeOf(pair), inner }];
  });
  return { settings: new Map(entries) };
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]?.trim() ?? '';
}

function wrong(what: string, offset: number): FrontMatterContent {
  return { settings: new Map(), mistake: { offset, message: `the front matter ${what}` } };
}
