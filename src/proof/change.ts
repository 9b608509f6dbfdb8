// Pure. A change as experiments see it, and variants of the result.
import type { FileClass } from '../check/classes.ts';
import type { TreeFile, Variant } from '../git/tree/vary.ts';

/** `text`: absent for what is no text, or too large. */
export type FileAt = TreeFile & Readonly<{ text?: string }>;

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

/** Rust's tests stand in the file that they test: one change of its code, with the tests as they are, and one of these. */
export function splitTests(change: FileChange): Change {
  const { file, from, before, after, kind } = change;
  const [was, is] = [before?.text, after?.text];
  if (!file.endsWith('.rs') || kind !== 'source' || from || was === undefined || is === undefined)
    return [change];
  const [old = '', now = ''] = [was, is].map((text) => inlineTests.exec(text)?.[0] ?? '');
  const asBefore = { mode: before?.mode ?? '', text: putTests(was, now) };
  const code = asBefore.text === is ? [] : [{ ...change, before: asBefore }];
  const tests = { ...change, kind: 'test', before: { ...asBefore, text: putTests(is, old) } } as const;
  return old === now ? [change] : [...code, tests];
}

/** A line `}` in a long text ends no module: neither an item nor the file's end follows. */
const inlineTests =
  /^#\[cfg\((?:all\()?test\b.*\]\r?\n(?:#\[.*\n)*(?:pub\S* )?mod \w+ \{\r?\n[\s\S]*?^\}$(?=\s*(?:^[#/a-z]|(?![\s\S])))/m;

const putTests = (text: string, tests: string): string =>
  inlineTests.test(text) ? text.replace(inlineTests, () => tests) : `${text}\n${tests}\n`;

export function join(...variants: readonly Variant[]): Variant {
  return new Map(variants.flatMap((variant) => [...variant]));
}
