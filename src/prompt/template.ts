// Fills `{{NAME}}` placeholders. An unknown name is an error, never empty text.
import { Failure } from '../failure.ts';

/** `file` is for error messages. */
export type Template = Readonly<{
  name: string;
  file: string;
  text: string;
  /** What its `{{agent:NAME}}` placeholders stand for, by whole name. */
  agents?: Values;
}>;

/** Of placeholders, by name. */
export type Values = Readonly<Record<string, string>>;

const place = /\{\{\s*([A-Za-z][A-Za-z0-9_:-]*)\s*\}\}/g;

/**
 * A name without a value throws a Failure with file, line and the known names. `always`: values that are appended where
 * a template, such as another tool's, lacks them.
 */
export function fillTemplate(template: Template, given: Values, always: readonly string[] = []): string {
  const own = withoutNotes(template.text);
  const named = new Set([...own.matchAll(place)].map(([, name]) => name));
  const left = always.filter((name) => !named.has(name)).map((name) => `{{${name}}}`);
  const text = [own, ...left].join('\n\n');
  const values = { ...given, ...template.agents };
  const unknown = findPlaces(text).find(({ name }) => !Object.hasOwn(values, name));
  if (unknown) throw unknownPlace(template, unknown, Object.keys(given));
  // An empty placeholder leaves no gap; values are inserted as they are.
  const wanted = text
    .replaceAll(place, (whole, name: string) => (values[name] ? whole : ''))
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  return `${wanted.replaceAll(place, (_, name: string) => (values[name] ?? '').replace(/^[\r\n]+|[\r\n]+$/g, ''))}\n`;
}

/** Other placeholders stay. */
export function fillKnown(text: string, values: Values): string {
  return withoutNotes(text).replaceAll(place, (whole, name: string) => values[name] ?? whole);
}

export type Placeholder = Readonly<{ whole: string; name: string; line: number }>;

export function findPlaces(text: string): readonly Placeholder[] {
  const plain = withoutNotes(text);
  return [...plain.matchAll(place)].map(({ 0: whole, 1: name = '', index }) => ({
    whole,
    name,
    line: plain.slice(0, index).split('\n').length,
  }));
}

export function unknownPlace(
  { file }: Pick<Template, 'file'>,
  { whole, line }: Placeholder,
  known: readonly string[],
): Failure {
  return new Failure('config', `${file}:${line}: ${whole} is not a placeholder of this template`, {
    hint: `Its placeholders are ${known.toSorted().join(', ')}.`,
  });
}

/**
 * Removes HTML comments, which are notes for editors; lines keep their numbers. The base of a run is a commit, not a
 * branch of a remote.
 */
function withoutNotes(text: string): string {
  return text
    .replaceAll(/<!--[\s\S]*?-->\n?/g, (comment) => '\n'.repeat(comment.split('\n').length - 1))
    .replaceAll(/\borigin\/(?=\{\{\s*DEFAULT_BRANCH\s*\}\})/g, '');
}
