// Picks the line of a check's output that best tells why it is red; only shown, never judged.
import { stripVTControlCharacters } from 'node:util';
import { shorten } from '../shorten.ts';

/** In UTF-16 units. */
const longest = 160;

/** eslint's stylish format: `21:1  error  …  max-len`. */
const stylish = /^\d+:\d+\s+error\s+\S/;

/** Most telling first; of a kind, its first line. Runners state the reason before they count. */
const kinds: readonly RegExp[] = [
  stylish,
  // error TS2304: …, error[E0382]: …, AssertionError [ERR_…]: …, fatal: …
  /(?:^|[\s:])(?:fatal )?(?:\w*Error|\w*Exception|error|fatal)(?:\[\w+\]| \[\w+\]| [A-Z]+\d+)?:\s*\S/i,
  // thread 'main' panicked at …, panic: …
  /\bpanicked at\b|^panic:|\bsegmentation fault\b/i,
  /\b(?:command not found|no such file or directory|cannot find|not found|permission denied|missing script)\b/i,
  // AVA
  /^Difference \(- actual, \+ expected\):$/,
  /\bexpected\b.+\b(?:got|received|but|to (?:be|equal|match|have|contain))\b|^\s*E\s{2,}\S/i,
  // --- FAIL: TestX, FAILED tests/a.py::test_b, not ok 3 - …, ✖ …
  /^\s*(?:-+ )?(?:FAIL(?:ED)?\b|not ok\b|[✖✗✘×]\s)/,
];

/** If none is telling, the last three; undefined if nothing was printed. */
export function tellingLine(output: string): string | undefined {
  const lines = stripVTControlCharacters(output)
    .split(/\r*\n/)
    .map((line) => line.slice(line.lastIndexOf('\r') + 1).trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !legend.test(line) && !allClear.test(line));
  const telling = kinds.map((kind) => lines.findIndex((line) => kind.test(line))).find((at) => at !== -1);
  if (telling === undefined)
    return lines.length === 0
      ? undefined
      : lines
          .slice(-3)
          .map((line) => shorten(line, longest))
          .join('\n');
  return shorten(wholeOf(lines, telling) ?? '', longest);
}

const legend = /^\+ actual - expected(?: \.\.\. Lines skipped)?$/;

/** `✖ 53 problems (0 errors, 53 warnings)`: the linter passed. */
const allClear = /[( ]0 (?:errors|failures|failed)\b/;

/** `error: |-`, as in TAP: the text begins on the next line. */
const blockHead = /^\w+: [|>][-+]?$/;

/** A colon at its end announces the next line: `to be equal:`, uvu's `to be equal:  (is)`. */
const announcing = /:(?:\s+\(\w+\))?$/;

function wholeOf(lines: readonly string[], at: number): string | undefined {
  const line = lines[at];
  if (line === undefined) return undefined;
  if (blockHead.test(line)) return wholeOf(lines, at + 1);
  if (stylish.test(line)) {
    const file = lines.slice(0, at).findLast((one) => !/^\d+:\d+\s/.test(one));
    return `${file ?? ''}:${line.replaceAll(/\s{2,}/g, ' ')}`;
  }
  if (!announcing.test(line)) return line;
  const [next, after] = lines.slice(at + 1);
  const isDifference = /^\+\+? ?\S.*\n-|^--? ?\S.*\n\+/.test(`${next}\n${after}`);
  const parts = [line, next, ...(isDifference ? [after] : [])].filter((part) => part !== undefined);
  return parts.join(' ').replaceAll(/\s{2,}/g, ' ');
}
