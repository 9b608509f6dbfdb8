// Pure but for the parser. The work with each of its new functions failing: tests that only load it stay green.
import path from 'node:path';
import type { Variant } from '../git/tree/vary.ts';
import { type FileChange, join, withText } from './change.ts';
import { type Hunk, hunksOf, isWithoutCode, textWithout } from './hunks.ts';
import { mayParse } from './same-code.ts';
import { bangs, insideOf } from './statements.ts';

/** What else changed in old files is as it was. Undefined where no function is new, or a new file has more. */
export function hollowOf(sources: readonly FileChange[]): Variant | undefined {
  const hollow: Variant[] = [];
  let fails = false;
  for (const change of sources) {
    const hunks = hunksOf(change).filter((hunk) => !isWithoutCode(hunk));
    if (hunks.length === 0) continue;
    const bang = bangs[path.extname(change.file)];
    const instead = hunks.flatMap((hunk) => hollowHunk(hunk, bang) ?? []);
    const text = textWithout(change, instead);
    if (instead.length < hunks.length || !mayParse(change.file, text)) return undefined;
    fails ||= instead.some(({ removed }) => removed.some((line) => bang && line.includes(bang)));
    hollow.push(withText(change, text));
  }
  return fails ? join(...hollow) : undefined;
}

/** `removed`: its lines in the hollow work. */
function hollowHunk(hunk: Hunk, bang: string | undefined): Hunk | undefined {
  if (bang !== undefined && isOfFunctions(hunk, bang))
    return { ...hunk, removed: hunk.added.flatMap((line) => failing(line, bang)) };
  return hunk.change.before && hunk;
}

/** What begins at the margin is no value that a test could compare. */
function isOfFunctions({ added, removed }: Hunk, bang: string): boolean {
  const code = added.filter((line) => !/^\s*(?:$|[)\]}>;]|\/\/|#|\/?\*|"""|''')/.test(line));
  const isHead = (line = ''): boolean => head.test(line) || oneLine.test(line);
  const isHidden = bang === bangs['.js'] && !code.some((line) => exporting.test(line));
  return (
    removed.every((line) => line.trim() === '') &&
    (/^\S/.test(code[0] ?? ' ') || isHead(code[0])) &&
    code.every(
      (line) => /^\s/.test(line) || isHead(line) || margin.test(line) || (isHidden && value.test(line)),
    )
  );
}

const exporting = /^(?:export\s*\{|module\b)/;
const value = /^(?:const|let|var)\s/;
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
