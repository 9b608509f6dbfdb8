// Pure but for the parser. The work with each of its new functions failing: tests that only load it stay green.
import path from 'node:path';
import type { Variant } from '../git/tree/vary.ts';
import { type FileChange, join, withText } from './change.ts';
import { type Hunk, hunksOf, isWithoutCode, textWithout } from './hunks.ts';
import { mayParse } from './same-code.ts';
import { bangs, insideOf } from './statements.ts';

/**
 * What else changed in old files is as it was. Undefined where no function is new, or a new file has more. `tests`: their
 * text; values that it does not name stay.
 */
export function hollowOf(sources: readonly FileChange[], tests = ''): Variant | undefined {
  const named = new Set(tests.match(word));
  const hollow: Variant[] = [];
  let fails = false;
  for (const change of sources) {
    const hunks = hunksOf(change, 0)
      .flatMap(splitAtHead)
      .filter((hunk) => !isWithoutCode(hunk));
    if (hunks.length === 0) continue;
    const bang = bangs[path.extname(change.file)];
    const instead = hunks.flatMap((hunk) => hollowHunk(hunk, { bang, named }) ?? []);
    const text = textWithout(change, instead);
    if (instead.length < hunks.length || !mayParse(change.file, text)) return undefined;
    fails ||= instead.some(({ removed }) => removed.some((line) => bang && line.includes(bang)));
    hollow.push(withText(change, text));
  }
  return fails ? join(...hollow) : undefined;
}

/** A new function right below a changed one. */
function splitAtHead(hunk: Hunk): readonly Hunk[] {
  const { added, removed, from } = hunk;
  const at = added.findIndex((line, index) => index > 0 && /^\S/.test(line) && head.test(line));
  if (at === -1 || removed.length === 0) return [hunk];
  return [
    { ...hunk, added: added.slice(0, at) },
    { ...hunk, from: from + at, removed: [], added: added.slice(at) },
  ];
}

type Means = Readonly<{ bang: string | undefined; named: ReadonlySet<string> }>;

/** `removed`: its lines in the hollow work. */
function hollowHunk(hunk: Hunk, { bang, named }: Means): Hunk | undefined {
  if (bang !== undefined && isOfFunctions(hunk, named))
    return { ...hunk, removed: hunk.added.flatMap((line) => failing(line, bang)) };
  return hunk.change.before && hunk;
}

/** And of values that no test could compare. */
function isOfFunctions({ added, removed }: Hunk, named: ReadonlySet<string>): boolean {
  const code = added.filter((line) => !/^\s*(?:$|[)\]}>;]|\/\/|#|\/?\*|"""|''')/.test(line));
  const [first = ' '] = code;
  let isInValue = false;
  return (
    removed.every((line) => line.trim() === '') &&
    (/^\S/.test(first) || isHead(first)) &&
    code.every((line) => {
      if (/^\S/.test(line)) isInValue = !isHead(line) && !margin.test(line);
      return !isInValue || valuesIn(line).every((name) => !named.has(name));
    })
  );
}

const isHead = (line: string): boolean => head.test(line) || oneLine.test(line);

/** Names that a line sets. */
function valuesIn(line: string): readonly string[] {
  const [left = ''] = line.split('=');
  const keys = [...line.matchAll(/([\w$]+)["']?\s*:/g)].map(([, key = '']) => key);
  return [...(left.match(word) ?? []), ...keys].filter((name) => !keyword.test(name));
}

const word = /[A-Za-z_$][\w$]*/g;
const keyword =
  /^(?:export|default|const|let|var|as|satisfies|if|else|for|while|try|except|with|in|of|string|number|boolean|int|str|float)$/;
const head = /^\s*(?:(?:async )?def\b|\)).*:\s*$|^func\b.*\{\s*$|\)\s*(?::[^{]+)?\{\s*$|=>\s*\{\s*$/;
const rubyHead = /^\s*def\b/;
const oneLine =
  /^(?<arrow>.*=>\s*)(?![\s{])[^{]*?(?<end>[;,]*)$|^(?<def>\s*(?:async )?def\b.*\).*?:\s*)\S.*$/;
const margin =
  /^(?:import|from|package|require|use|module [A-Z]|end|["']use|(?:export |default |abstract |async |declare )*(?:class|def|func|function|type|interface|enum))\b|^(?:export\s*[{*]|@)/;

function failing(line: string, bang: string): readonly string[] {
  const { arrow, end, def } = oneLine.exec(line)?.groups ?? {};
  if (arrow !== undefined) return [`${arrow}{ ${bang} }${end}`];
  if (def !== undefined) return [`${def}${bang}`];
  const isFunction = head.test(line) || (bang === bangs['.rb'] && rubyHead.test(line));
  return isFunction ? [line, `${insideOf(line)}${bang}`] : [line];
}
