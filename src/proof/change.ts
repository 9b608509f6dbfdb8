// Pure. A change as experiments see it: its files with their texts before and after, and variants of the result that an
// experiment puts in their place.
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

/** The changed lines in the output of `git diff --unified=0` for one file. */
export function readRanges(diff: string): readonly LineRange[] {
  return [...diff.matchAll(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/gm)].map(
    ([, oldFrom, oldCount = '1', newFrom, newCount = '1']) => ({
      before: spanOf(Number(oldFrom), Number(oldCount)),
      after: spanOf(Number(newFrom), Number(newCount)),
    }),
  );
}

/** git names the line before an empty range. */
const spanOf = (from: number, count: number): Span => [count === 0 ? from + 1 : from, count];
