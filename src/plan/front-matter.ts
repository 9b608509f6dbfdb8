// Parses the YAML block before a plan.
import { isMap, isScalar, LineCounter, type Pair, parseDocument, type YAMLMap } from 'yaml';
import type { Plan, PlanNote, TextPosition } from './plan.ts';
import { noteAt, type Source } from './text-position.ts';

type Settings = Plan['settings'];
type Entry = { value: unknown; place: TextPosition; inner: Map<string, TextPosition> };

/** `end`: where the markdown begins. */
export type FrontMatter = Readonly<{ settings: Settings; notes: readonly PlanNote[]; end: number }>;

const fenced = /^\uFEFF?---[ \t]*(?:\r\n|\n|\r)((?:[\s\S]*?[\n\r])??)---[ \t]*(?=[\n\r]|$)/;
const keyLine = /^[ \t]*(?:- )?(?:[\w-]+|"[^"\n\r]*"|'[^'\n\r]*'):(?!\/\/)|^[ \t]*\{/;

/** A rule `---` above other text is not front matter. */
export function readFrontMatter(source: Source): FrontMatter {
  const { text } = source;
  const nothing = { settings: new Map(), notes: [], end: text.startsWith('\uFEFF') ? 1 : 0 };
  const block = findBlock(text);
  if (block) return { ...readBlock(block, source), end: block.end };
  const below = /^\uFEFF?---[ \t]*(?:\r\n|\n|\r)([^\n\r]*)/.exec(text)?.[1];
  if (below === undefined || !keyLine.test(below)) return nothing;
  return { ...nothing, ...wrong('is not closed: end it with a line `---`', 0, source) };
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

type FrontMatterContent = Omit<FrontMatter, 'end'>;

function readBlock({ yaml, start }: Block, source: Source): FrontMatterContent {
  try {
    return readYaml(yaml, start, source);
  } catch (error) {
    return wrong(`cannot be read: ${firstLine(error)}`, start, source);
  }
}

function readYaml(yaml: string, start: number, source: Source): FrontMatterContent {
  // The library's warnings would go to the terminal, past every reporter.
  const options = { lineCounter: new LineCounter(), prettyErrors: false, logLevel: 'error' } as const;
  const document = parseDocument(yaml, options);
  const [error] = document.errors;
  if (error) return wrong(`is not valid YAML: ${firstLine(error)}`, start + error.pos[0], source);
  if (document.contents === null) return { settings: new Map(), notes: [] };
  if (!isMap(document.contents)) return wrong('must be a list of `key: value` lines', start, source);
  const placeOf = (pair: Pair) => source.placeAt(start + offsetOf(pair));
  const values: Record<string, unknown> = document.toJS({ maxAliasCount: 20 });
  const entries = document.contents.items.map((pair): [string, Entry] => {
    const key = nameOf(pair);
    return [key, { value: values[key], place: placeOf(pair), inner: innerPlaces(pair, placeOf) }];
  });
  return { settings: new Map(entries), notes: [] };
}

function innerPlaces(pair: Pair, placeOf: (pair: Pair) => TextPosition): Map<string, TextPosition> {
  if (!isMap(pair.value)) return new Map();
  return new Map((pair.value as YAMLMap).items.map((inner) => [nameOf(inner), placeOf(inner)]));
}

function nameOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
}

function offsetOf(pair: Pair): number {
  return isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]?.trim() ?? '';
}

function wrong(what: string, offset: number, source: Source): FrontMatterContent {
  const note = noteAt(source, offset, {
    rule: 'front-matter',
    severity: 'error',
    message: `the front matter ${what}`,
  });
  return { settings: new Map(), notes: [note] };
}
