// Pure but for the parser. Statements inside a hunk's additions, and whether a hunk is executed.
import path from 'node:path';
import { type Hunk, textWithout } from './hunks.ts';
import { isSameCode, mayParse } from './same-code.ts';

/** Longer additions may hide statements that nobody misses. */
const fewLines = 4;

/** The largest first: a line with the deeper ones that follow it. */
export function statementsOf(hunk: Hunk): readonly Hunk[] {
  if (hunk.added.filter((line) => line.trim() !== '').length <= fewLines) return [];
  return hunk.added
    .flatMap((_, at) => statementAt(hunk, at) ?? [])
    .filter((part) => isOwnStatement(part))
    .sort((one, other) => other.added.length - one.added.length);
}

function isOwnStatement(part: Hunk): boolean {
  const { file, after } = part.change;
  const without = textWithout(part.change, [part]);
  return mayParse(file, without) && !isSameCode(file, after?.text ?? '', without);
}

function statementAt(hunk: Hunk, at: number): Hunk | undefined {
  const { added } = hunk;
  const first = added[at] ?? '';
  if (/^\s*(?:$|\/\/|#|\*|\/\*|[)\]}])/.test(first)) return undefined;
  const rest = added.slice(at + 1);
  const depth = depthOf(first);
  const found = rest.findIndex((line) => line.trim() !== '' && depthOf(line) <= depth);
  let count = found === -1 ? rest.length : found;
  // The line that closes a block belongs to it.
  if (count > 0 && depthOf(rest[count] ?? '') === depth && /^\s*[)\]}]/.test(rest[count] ?? '')) count += 1;
  const lines = added.slice(at, at + 1 + count);
  while (lines.at(-1)?.trim() === '') lines.pop();
  if (lines.length === added.length) return undefined;
  return { change: hunk.change, from: hunk.from + at, removed: [], added: lines };
}

const depthOf = (line: string): number => (/^\s*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length;

/** Something fails where the hunk begins; undefined if there is no place for that. */
export function failingAt(hunk: Hunk): string | undefined {
  const { file } = hunk.change;
  const bang = bangs[path.extname(file)];
  const first = hunk.added.findIndex((line) => line.trim() !== '');
  if (bang === undefined || first === -1) return undefined;
  const line = hunk.added[first] ?? '';
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  const inside = `${insideOf(line)}${bang}`;
  const before = [...hunk.added.slice(0, first), `${indent}${bang}`, ...hunk.added.slice(first)];
  const after = [...hunk.added.slice(0, first + 1), inside, ...hunk.added.slice(first + 1)];
  const isHead =
    /^\s*(?:async |export |default |public |private |static )*(?:def|class|func|function)\b/.test(line);
  const tries = isHead ? [after] : [before, after];
  return tries
    .map((removed) => textWithout(hunk.change, [{ ...hunk, removed }]))
    .find((text) => mayParse(file, text));
}

export function insideOf(line: string): string {
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  return `${indent}${indent.includes('\t') ? '\t' : '    '}`;
}

const script = 'throw new Error("executed");';
export const bangs: Readonly<Record<string, string>> = {
  '.py': 'raise SystemError("executed")',
  '.rb': 'raise "executed"',
  '.go': 'panic("executed")',
  '.js': script,
  '.mjs': script,
  '.cjs': script,
  '.ts': script,
  '.mts': script,
  '.cts': script,
};
