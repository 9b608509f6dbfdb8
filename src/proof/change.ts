// Pure. A change as experiments see it, and variants of the result.
import { structuredPatch } from 'diff';
import { classify, type FileClass } from '../check/classes.ts';
import type { TreeEntry } from '../git/tree/tree-entry.ts';
import type { Variant } from '../git/tree/vary.ts';

/** `text`: absent for what is no text, or too large. */
export type FileAt = TreeEntry & Readonly<{ text?: string }>;

/** Lines that differ: first line (from 1) and count. A count of 0: nothing, before that line. */
export type LineRange = Readonly<{ before: Span; after: Span }>;
type Span = readonly [from: number, count: number];

/** `from`: its name before, if another. */
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
  /** Files that a check compares with. */
  compared: ReadonlySet<string>;
  /** New code in folders that held only tests: what runs these may load it by itself. */
  besideTests: ReadonlySet<string>;
}>;

/** Of its old name where that says more than `source`. */
export function classOf({ named, compared }: Change, change: FileChange): FileClass {
  if (compared.has(change.file)) return 'support';
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

/** With another text, whatever it was. */
export function withText({ file, after }: FileChange, text: string): Variant {
  return new Map([[file, { mode: after?.mode ?? '100644', text }]]);
}

export function join(...variants: readonly Variant[]): Variant {
  return new Map(variants.flatMap((variant) => [...variant]));
}

/** More changed lines are not told apart. */
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
