// Reads the YAML block before a plan into keys, values and places. Which keys are allowed it does not know.
import type { RootContent } from 'mdast';
import { isMap, isScalar, LineCounter, type Pair, parseDocument, type YAMLMap } from 'yaml';
import { noteAt, type Source } from './place.ts';
import type { Place, Plan, PlanNote } from './plan.ts';

type Settings = Plan['settings'];
type Entry = { value: unknown; place: Place; inner: Map<string, Place> };

/** The settings as written, and what could not be read. */
export type FrontMatter = Readonly<{ settings: Settings; notes: readonly PlanNote[] }>;

const nothing: FrontMatter = { settings: new Map(), notes: [] };

/** Reads the front matter; YAML that cannot be read is a note. */
export function readFrontMatter(first: RootContent | undefined, source: Source): FrontMatter {
  if (first?.type !== 'yaml') {
    const isOpened = /^\uFEFF?---[ \t]*(?:\r\n|\n|\r)[ \t]*[\w-]+:(?:\s|$)/.test(source.text);
    return isOpened ? wrong('is not closed: end it with a line `---`', 0, source) : nothing;
  }
  const start = (first.position?.start.offset ?? 0) + 3;
  const end = first.position?.end.offset ?? start;
  // The closing fence is cut off and the opening one's line end kept, so that offsets only differ by `start`.
  const yaml = source.text.slice(start, end).replace(/---[ \t]*$/, '');
  try {
    return readYaml(yaml, start, source);
  } catch (error) {
    return wrong(`cannot be read: ${firstLine(error)}`, start, source);
  }
}

function readYaml(yaml: string, start: number, source: Source): FrontMatter {
  const document = parseDocument(yaml, { lineCounter: new LineCounter(), prettyErrors: false });
  const [error] = document.errors;
  if (error) return wrong(`is no valid YAML: ${firstLine(error)}`, start + error.pos[0], source);
  if (document.contents === null) return nothing;
  if (!isMap(document.contents)) return wrong('must be a list of `key: value` lines', start, source);
  const placeOf = (pair: Pair) => source.placeAt(start + offsetOf(pair));
  const values: Record<string, unknown> = document.toJS({ maxAliasCount: 20 });
  const entries = document.contents.items.map((pair): [string, Entry] => {
    const key = nameOf(pair);
    return [key, { value: values[key], place: placeOf(pair), inner: innerPlaces(pair, placeOf) }];
  });
  return { settings: new Map(entries), notes: [] };
}

function innerPlaces(pair: Pair, placeOf: (pair: Pair) => Place): Map<string, Place> {
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

function wrong(what: string, offset: number, source: Source): FrontMatter {
  const note = noteAt(source, offset, {
    rule: 'front-matter',
    severity: 'error',
    message: `the front matter ${what}`,
  });
  return { settings: new Map(), notes: [note] };
}
