// Finds in a diff what weakens tests or linters, by table: notes for reviewers and the report. Blocks nothing, and ignores
// lines that only moved.
import type { FactOf } from '../event.ts';
import { type DiffLine, type FileDiff, readDiff } from './diff.ts';
import { isContinuousIntegration, loosenings } from './guard-file.ts';
import type { Language, Shape } from './language.ts';
import { findLanguage, isTestFile } from './language.ts';

/** One thing a reviewer should look at; `line` counts from 1 in the new file. */
export type TamperNote = Readonly<{
  kind: FactOf<'tamper-noted'>['kind'];
  file: string;
  line?: number;
  detail: string;
}>;

type Changed = Readonly<{ file: string; status: string }>;

/** What in a unified diff (with `a/` and `b/`) and its list of files weakens tests, linters or CI. */
export function findTamper(diff: string, changed: readonly Changed[]): readonly TamperNote[] {
  const files = readDiff(diff);
  return [
    ...findDeletedTests(files, changed),
    ...files.flatMap((file) => findAddedShapes(file)),
    ...findFewerTests(files),
    ...findEditedCi(files, changed),
  ];
}

function findDeletedTests(files: readonly FileDiff[], changed: readonly Changed[]): TamperNote[] {
  const moved = new Set(files.flatMap(({ from }) => from ?? []));
  const deleted = [...changed, ...files].filter(
    ({ file, status }) => status === 'deleted' && isTestFile(file) && !moved.has(file),
  );
  const renamed = files.filter(({ file, from }) => from && isTestFile(from) && !isTestFile(file));
  return [
    ...unique(deleted.map(({ file }) => file)).map((file) => note('test-deleted', file, 'test file deleted')),
    ...renamed.map(({ file, from }) =>
      note('test-deleted', file, `test file ${from} renamed to one that no runner takes for a test`),
    ),
  ];
}

function findAddedShapes(file: FileDiff): TamperNote[] {
  const language = findLanguage(file.file);
  const notes = addedLines(file, loosenings(file.file)).map(({ line, word, text }) =>
    note('suppression-added', file.file, `${word}: ${clip(text)}`, line),
  );
  if (!language) return notes;
  const take = (kind: TamperNote['kind'], shapes: readonly Shape[]): void => {
    for (const { line, word, text } of addedLines(file, shapes))
      notes.push(note(kind, file.file, `${word}: ${clip(text)}`, line));
  };
  if (isTestFile(file.file) || language.inlineTests) {
    take('test-skipped', language.skips);
    take('only-added', language.onlys);
  }
  take('suppression-added', language.suppressions);
  return notes;
}

type Hit = Readonly<{ line: number; word: string; text: string }>;

/** Added lines that match a pattern, minus as many removed ones that match it. */
function addedLines(file: FileDiff, shapes: readonly Shape[]): Hit[] {
  const hits: Hit[] = [];
  const seen = new Set<number>();
  for (const { pattern, word } of shapes) {
    const matching = file.lines.filter(({ text }) => pattern.test(text));
    const removed = matching.filter(({ sign }) => sign === '-').length;
    for (const { line, text } of matching.filter(({ sign }) => sign === '+').slice(removed)) {
      if (!seen.has(line)) hits.push({ line, word, text });
      seen.add(line);
    }
  }
  return hits.sort((a, b) => a.line - b.line);
}

function findFewerTests(files: readonly FileDiff[]): TamperNote[] {
  const counts = files.map((file) => countDeclarations(file));
  const spare = new Map<string, number>();
  for (const { added, removed } of counts) {
    for (const name of added) spare.set(name, (spare.get(name) ?? 0) + 1);
    for (const name of removed) spare.set(name, (spare.get(name) ?? 0) - 1);
  }
  return counts.flatMap(({ file, added, removed }) => {
    const elsewhere = removed.filter(
      (name) => name !== '' && !added.includes(name) && (spare.get(name) ?? -1) >= 0,
    );
    const fewer = removed.length - added.length - elsewhere.length;
    if (fewer <= 0 || file.status === 'deleted') return [];
    const gone = removed.filter((name) => name !== '' && !added.includes(name) && !elsewhere.includes(name));
    const names = gone
      .slice(0, 5)
      .map((name) => `“${clip(name, 60)}”`)
      .join(', ');
    const count = `${fewer} test declaration${fewer === 1 ? '' : 's'} fewer`;
    return [note('fewer-tests', file.file, names ? `${count}: ${names}` : count)];
  });
}

function countDeclarations(file: FileDiff): { file: FileDiff; added: string[]; removed: string[] } {
  const language = findLanguage(file.file);
  const counts = language && (isTestFile(file.from ?? file.file) || language.inlineTests);
  const names = (sign: DiffLine['sign']): string[] =>
    counts
      ? file.lines.filter((line) => line.sign === sign).flatMap(({ text }) => declaredName(language, text))
      : [];
  return { file, added: names('+'), removed: names('-') };
}

/** The declared test's name, empty if the line does not contain it; none if it declares no test. */
function declaredName({ declaration }: Language, text: string): string[] {
  const found = declaration.exec(text);
  return found ? [found.slice(1).findLast((group) => group !== undefined) ?? ''] : [];
}

function findEditedCi(files: readonly FileDiff[], changed: readonly Changed[]): TamperNote[] {
  const edited = new Map<string, string>();
  for (const { file, status } of [...files, ...changed])
    if (isContinuousIntegration(file)) edited.set(file, status);
  for (const { from } of files) if (from && isContinuousIntegration(from)) edited.set(from, 'renamed');
  return [...edited].map(([file, status]) => note('ci-edited', file, `continuous integration ${status}`));
}

function note(kind: TamperNote['kind'], file: string, detail: string, line?: number): TamperNote {
  return line === undefined ? { kind, file, detail } : { kind, file, line, detail };
}

function clip(text: string, length = 120): string {
  const line = [...text.trim()];
  return line.length <= length ? line.join('') : `${line.slice(0, length - 1).join('')}…`;
}

const unique = (values: readonly string[]): string[] => [...new Set(values)];
