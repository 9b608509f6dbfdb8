// Pure but for the parser. The work with each of its new functions failing: tests that only load it stay green.
import path from 'node:path';
import type { Variant } from '../git/tree/vary.ts';
import type { FileChange } from './change.ts';
import { type Hunk, hunksOf, isWithoutCode, textWithout } from './hunks.ts';
import { mayParse } from './same-code.ts';
import { bangs, insideOf } from './statements.ts';

/** Undefined where the work is not new functions alone: tests may need the rest. */
export function hollowOf(sources: readonly FileChange[]): Variant | undefined {
  const hollow = new Map<string, { mode: string; text: string }>();
  for (const change of sources) {
    const hunks = hunksOf(change).filter((hunk) => !isWithoutCode(hunk));
    if (hunks.length === 0) continue;
    const text = hollowText(change, hunks);
    if (text === undefined) return undefined;
    hollow.set(change.file, { mode: change.after?.mode ?? '100644', text });
  }
  return hollow.size === 0 ? undefined : hollow;
}

function hollowText(change: FileChange, hunks: readonly Hunk[]): string | undefined {
  const bang = bangs[path.extname(change.file)];
  if (bang === undefined || !hunks.every(isOfFunctions)) return undefined;
  const text = textWithout(
    change,
    hunks.map((hunk) => ({ ...hunk, removed: hunk.added.flatMap((line) => failing(line, bang)) })),
  );
  return text !== change.after?.text && mayParse(change.file, text) ? text : undefined;
}

/** What begins at the margin is no value that a test could compare. */
function isOfFunctions({ added, removed }: Hunk): boolean {
  const code = added.filter((line) => !/^\s*(?:$|[)\]}>;]|\/\/|#|\/?\*|"""|''')/.test(line));
  const isHead = (line = ''): boolean => head.test(line) || oneLine.test(line);
  return (
    removed.every((line) => line.trim() === '') &&
    (/^\S/.test(code[0] ?? ' ') || isHead(code[0])) &&
    code.every((line) => /^\s/.test(line) || isHead(line) || margin.test(line))
  );
}

const head = /^\s*(?:(?:async )?def\b|\)).*:\s*$|^func\b.*\{\s*$|\)\s*(?::[^{]+)?\{\s*$|=>\s*\{\s*$/;
const rubyHead = /^\s*def\b/;
const oneLine =
  /^(?<arrow>.*=>\s*)(?![\s{])[^{]*?(?<end>[;,]*)$|^(?<def>\s*(?:async )?def\b.*\).*?:\s*)\S.*$/;
const margin =
  /^(?:import|from|package|require|use|module|end|["']use|(?:export |default |abstract |async )*(?:class|def|func|function))\b|^(?:export\s*[{*]|@)/;

function failing(line: string, bang: string): readonly string[] {
  const { arrow, end, def } = oneLine.exec(line)?.groups ?? {};
  if (arrow !== undefined) return [`${arrow}{ ${bang} }${end}`];
  if (def !== undefined) return [`${def}${bang}`];
  const isHead = head.test(line) || (bang === bangs['.rb'] && rubyHead.test(line));
  return isHead ? [line, `${insideOf(line)}${bang}`] : [line];
}
