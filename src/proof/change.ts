// Pure. A change as experiments see it, and variants of the result.
import type { FileClass } from '../check/classes.ts';
import type { TreeEntry } from '../git/tree/tree-entry.ts';
import type { Variant } from '../git/tree/vary.ts';

/** `text`: absent for what is no text, or too large. */
export type FileAt = TreeEntry & Readonly<{ text?: string }>;

/** `from`: its name before, if another. */
export type FileChange = Readonly<{
  file: string;
  from?: string;
  before?: FileAt;
  after?: FileAt;
  /** By what checks do with it, else by its name; by its old one where that says more than `source`. */
  kind: FileClass;
  /** New code in a folder that held only tests: what runs these may load it by itself. */
  isBesideTests: boolean;
}>;

export type Change = readonly FileChange[];

export function isEvidence(kind: FileClass): boolean {
  return kind === 'test' || kind === 'support';
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
