// Pure but for the parser. The hunks of a changed source.
import { structuredPatch } from 'diff';
import type { Variant } from '../git/tree/vary.ts';
import { type FileChange, join, withText } from './change.ts';
import { commentMark, isSameCode, mayParse } from './same-code.ts';

/** `from`: the first line now; a new file is one hunk. */
export type Hunk = Readonly<{
  change: FileChange;
  from: number;
  removed: readonly string[];
  added: readonly string[];
}>;

/** Unchanged lines between the changes of one hunk, at most. */
const mostBetween = 1;

/** None if the file is gone, no text, or only renamed. */
export function hunksOf(change: FileChange, between = mostBetween): readonly Hunk[] {
  const { before, after } = change;
  if (after?.text === undefined) return [];
  const now = linesOf(after.text);
  if (!before) return [{ change, from: 1, removed: [], added: now }];
  if (before.text === undefined) return [];
  const hunks: Hunk[] = [];
  for (const hunk of changesBetween(before.text, after.text)) {
    const last = hunks.at(-1);
    const end = last ? last.from + last.added.length : 0;
    if (!last || hunk.from - end > between) {
      hunks.push({ change, ...hunk });
      continue;
    }
    const same = now.slice(end - 1, hunk.from - 1);
    const removed = [...last.removed, ...same, ...hunk.removed];
    hunks[hunks.length - 1] = { ...last, removed, added: [...last.added, ...same, ...hunk.added] };
  }
  return hunks;
}

/** More changed lines are not told apart. */
const mostEdits = 10_000;

function changesBetween(before: string, after: string): readonly Omit<Hunk, 'change'>[] {
  const options = { context: 0, maxEditLength: mostEdits };
  const patch = structuredPatch('', '', before, after, '', '', options);
  if (!patch) return [{ from: 1, removed: linesOf(before), added: linesOf(after) }];
  return patch.hunks.map(({ newStart, lines }) => {
    const own = (mark: string) => lines.flatMap((line) => (line.startsWith(mark) ? line.slice(1) : []));
    return { from: newStart, removed: own('-'), added: own('+') };
  });
}

/** It changes only comments, layout, types. */
export function isWithoutCode(hunk: Hunk): boolean {
  const { file, before, after } = hunk.change;
  if (!before) return hunk.added.every((line) => line.trim() === '');
  return isSameCode(file, after?.text ?? '', textWithout(hunk.change, [hunk]));
}

export function onlyRemoves({ added }: Hunk): boolean {
  return added.every((line) => /^\s*(?:$|\/\/|#|\*|\/\*)/.test(line));
}

/** Lines that count: the more, the sooner it is tried. */
export function sizeOf(hunks: readonly Hunk[]): number {
  const filled = (lines: readonly string[]): number => lines.filter((line) => line.trim() !== '').length;
  return hunks.reduce((sum, { added, removed }) => sum + Math.max(filled(added), filled(removed) / 2), 0);
}

/** What is taken back together: one hunk, or as many of a file as it takes to parse. */
export function groupHunks(hunks: readonly Hunk[]): readonly (readonly Hunk[])[] {
  const groups: (readonly Hunk[])[] = [];
  let open: readonly Hunk[] = [];
  for (const hunk of hunks) {
    if (open.length > 0 && open[0]?.change !== hunk.change) {
      groups.push(open);
      open = [];
    }
    open = [...open, hunk];
    const { change } = hunk;
    if (change.before && !mayParse(change.file, textWithout(change, open))) continue;
    groups.push(open);
    open = [];
  }
  return open.length > 0 ? [...groups, open] : groups;
}

/** `commented`: additions stay as comments, where they can: a test that looks for words does not miss them. */
export function takeBack(hunks: readonly Hunk[], { commented = true } = {}): Variant {
  const byFile = [...Map.groupBy(hunks, ({ change }) => change)];
  return join(...byFile.map(([change, own]) => takeBackOf(change, own, commented)));
}

function takeBackOf(change: FileChange, hunks: readonly Hunk[], commented: boolean): Variant {
  const { file, before } = change;
  const mark = commented ? commentMark(file) : undefined;
  const plain = textWithout(change, hunks);
  if (mark !== undefined) {
    const noted = hunks.map(({ removed, added, ...hunk }) => {
      return { ...hunk, added, removed: [...removed, ...added.map((line) => mark + line)] };
    });
    const text = textWithout(change, noted);
    if (isSameCode(file, plain, text) && mayParse(file, text)) return withText(change, text);
  }
  return before ? withText(change, plain) : new Map([[file, undefined]]);
}

export function textWithout({ after }: FileChange, hunks: readonly Hunk[]): string {
  let lines = linesOf(after?.text ?? '');
  for (const { from, removed, added } of [...hunks].sort((one, other) => other.from - one.from))
    lines = [...lines.slice(0, from - 1), ...removed, ...lines.slice(from - 1 + added.length)];
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** Words that the change brings: hunks that share one cannot do without each other. */
export function newWords(hunks: readonly Hunk[]): ReadonlySet<string> {
  const known = wordsIn(hunks.map(({ change }) => change.before?.text ?? '').join('\n'));
  return new Set(
    [...wordsIn(hunks.flatMap(({ added }) => added).join('\n'))].filter((word) => !known.has(word)),
  );
}

const wordsIn = (text: string): ReadonlySet<string> => new Set(text.match(/[A-Za-z_$][\w$]{2,}/g) ?? []);

export function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
