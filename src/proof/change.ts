// Pure. A change as experiments see it: its files with their texts before and after, and variants of the result that an
// experiment puts in their place.
import { structuredPatch } from 'diff';
import { classify, type FileClass } from '../check/classes.ts';
import type { Variant } from '../git/tree/vary.ts';

/** A file in a tree; `text` is absent for what is no text, or too large to be read. */
export type FileAt = Readonly<{ mode: string; oid: string; text?: string }>;

/** Lines that differ: `before` and `after` are first line (from 1) and count. A count of 0: nothing, before that line. */
export type LineRange = Readonly<{ before: Span; after: Span }>;
type Span = readonly [from: number, count: number];

/** One file of a change; `from`: its name before, if another. */
export type FileChange = Readonly<{
  file: string;
  from?: string;
  before?: FileAt;
  after?: FileAt;
  ranges: readonly LineRange[];
}>;

export type Change = Readonly<{
  files: readonly FileChange[];
  /** Files that a check runs or a runner's settings load. */
  named: ReadonlySet<string>;
}>;

/** The class of a changed file; of its old name where that says more than `source`. */
export function classOf({ named }: Pick<Change, 'named'>, change: FileChange): FileClass {
  const now = classify(change.file, named);
  return change.from !== undefined && now === 'source' ? classify(change.from, named) : now;
}

export function withoutChange({ file, from, before }: FileChange): Variant {
  if (from === undefined || from === file) return new Map([[file, before]]);
  return new Map([
    [file, undefined],
    [from, before],
  ]);
}

export function join(...variants: readonly Variant[]): Variant {
  return new Map(variants.flatMap((variant) => [...variant]));
}

/** More changed lines than this are not told apart. */
const mostEdits = 10_000;

export function rangesBetween(before: string, after: string): readonly LineRange[] {
  const options = { context: 0, maxEditLength: mostEdits };
  const whole = (text: string): Span => [1, text.split('\n').length];
  const patch = structuredPatch('', '', before, after, '', '', options);
  if (!patch) return [{ before: whole(before), after: whole(after) }];
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines }) => ({
    before: [oldStart, oldLines],
    after: [newStart, newLines],
  }));
}
