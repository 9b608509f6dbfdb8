// The front matter of a plan, and the few settings that it may hold: a plan is not a program.
import { isMap, isScalar, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { nearest } from '../nearest.ts';
import type { Plan, PlanNote, TextPosition } from './plan.ts';
import { isFolderInside } from './task.ts';
import type { Source } from './text-position.ts';

/** Their values are judged with all other settings'. */
const settingNames: readonly string[] = [
  ...['model', 'effort', 'roles', 'attempts', 'budgets', 'require', 'branch', 'review', 'cwd'],
];

export function isSettingOfPlan(key: string): boolean {
  return settingNames.includes(key);
}

/** Of the checks, relative to the root; undefined if it is none. */
export function folderIn({ settings }: Pick<Plan, 'settings'>): string | undefined {
  const cwd = settings.has('cwd') ? settings.get('cwd')?.value : '.';
  return typeof cwd === 'string' && isFolderInside(cwd) ? cwd : undefined;
}

/** A plan is not a program: it has no other keys, and no values but words and numbers. */
export function judgeSettings(plan: Plan): readonly Pick<PlanNote, 'message' | 'place'>[] {
  return [...plan.settings].flatMap(([key, { value, place, inner }]) => {
    const says = isSettingOfPlan(key) ? judgeValue(key, value, plan) : formatUnknown(key);
    if (says !== undefined) return { message: `\`${key}\` ${says}`, place };
    const parts = value instanceof Object ? Object.entries(value) : [['', value] as const];
    const bad = key === 'cwd' ? undefined : parts.find(([, part]) => !isPlain(part));
    const words = `\`${key}\` must be words, and none may begin with a dash`;
    return bad ? { message: words, place: inner?.get(bad[0]) ?? place } : [];
  });
}

function formatUnknown(key: string): string {
  const meant = nearest(key, settingNames);
  return `is not a plan setting: ${meant ? `did you mean \`${meant}\`?` : `known are ${settingNames.join(', ')}`}`;
}

function judgeValue(key: string, value: unknown, plan: Plan): string | undefined {
  if (key === 'cwd' && folderIn(plan) === undefined) return 'must be a folder inside the repository';
  // What closes a task unchecked is a person's to say.
  if (key === 'require' && value !== 'proven' && value !== 'passed') return 'must be proven or passed';
  // Beside a model, nobody else would judge it.
  return key === 'effort' && typeof value !== 'string' ? 'must be text' : undefined;
}

function isPlain(part: unknown): boolean {
  return typeof part === 'number' || /^[^\s-]\S*$/.test(`${part}`);
}

type Entry = { value: unknown; place: TextPosition; inner: Map<string, TextPosition> };

/** `end`: where the markdown begins. */
export type FrontMatter = FrontMatterContent & Readonly<{ end: number }>;
type FrontMatterContent = Readonly<{
  settings: Plan['settings'];
  mistake?: Readonly<{ offset: number; message: string }>;
}>;

const fenced = /^\uFEFF?(?:[ \t]*[\n\r])*---[ \t]*(?:\r\n|\n|\r)((?:[\s\S]*?[\n\r])??)---[ \t]*(?=[\n\r]|$)/d;
const keyLine = /^[ \t]*(?:- )?(?:[\w-]+|"[^"\n\r]*"|'[^'\n\r]*'):(?!\/\/)|^[ \t]*\{/;

/** A rule `---` above other text is not front matter. */
export function readFrontMatter(source: Source): FrontMatter {
  const { text } = source;
  const nothing = { settings: new Map(), end: text.startsWith('\uFEFF') ? 1 : 0 };
  const block = findBlock(text);
  if (block) return { ...readBlock(block, source), end: block.end };
  const below = /^\uFEFF?(?:[ \t]*[\n\r])*---[ \t]*(?:\r\n|\n|\r)([^\n\r]*)/.exec(text)?.[1];
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
  return { yaml, start: match.indices?.[1]?.[0] ?? 0, end: match[0].length };
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
