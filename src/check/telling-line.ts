// Picks the line of a check's output that best tells a person why it is red. Only shown, never judged.
import { stripVTControlCharacters } from 'node:util';
import { shorten } from '../shorten.ts';

/** How much of a line is shown, in UTF-16 units. */
const longest = 160;

/** Kinds of lines, most telling first; the first line of a kind is taken. Runners state the reason before they count. */
const kinds: readonly RegExp[] = [
  // error TS2304: …, error[E0382]: …, src/a.c:3:1: error: …, TypeError: …, AssertionError [ERR_…]: …, fatal: …
  /(?:^|[\s:])(?:fatal )?(?:\w*Error|\w*Exception|error|fatal)(?:\[\w+\]| \[\w+\]| [A-Z]+\d+)?:\s*\S/i,
  // thread 'main' panicked at …, panic: …, Segmentation fault
  /\bpanicked at\b|^panic:|\bsegmentation fault\b/i,
  /\b(?:command not found|no such file or directory|cannot find|not found|permission denied|missing script)\b/i,
  /\bexpected\b.+\b(?:got|received|but|to (?:be|equal|match|have|contain))\b|^\s*E\s{2,}\S/i,
  // --- FAIL: TestX, FAILED tests/a.py::test_b, not ok 3 - …, ✖ …, × …
  /^\s*(?:-+ )?(?:FAIL(?:ED)?\b|not ok\b|[✖✗×]\s)/,
];

/**
 * The line, trimmed and cut, with what it announces; if none is telling, the last one; `undefined` if nothing was printed.
 */
export function tellingLine(output: string): string | undefined {
  const lines = stripVTControlCharacters(output)
    .split(/\r*\n/)
    .map((line) => line.slice(line.lastIndexOf('\r') + 1).trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !legend.test(line) && !allClear.test(line));
  const telling = kinds.map((kind) => lines.findIndex((line) => kind.test(line))).find((at) => at !== -1);
  const line = wholeOf(lines, telling ?? lines.length - 1);
  return line === undefined ? undefined : shorten(line, longest);
}

/** Which colour or sign stands for which side of a diff. */
const legend = /^\+ actual - expected(?: \.\.\. Lines skipped)?$/;

/** `✖ 53 problems (0 errors, 53 warnings)`, which a passing linter prints before the tests that failed. */
const allClear = /[( ]0 (?:errors|failures|failed)\b/;

/** `error: |-`, as in TAP results: the key's text begins on the next line. */
const blockHead = /^\w+: [|>][-+]?$/;

/** A line that ends with a colon announces the next one; for a diff, both sides. */
function wholeOf(lines: readonly string[], at: number): string | undefined {
  const line = lines[at];
  if (line === undefined) return undefined;
  if (blockHead.test(line)) return wholeOf(lines, at + 1);
  if (!line.endsWith(':')) return line;
  const [next, after] = lines.slice(at + 1);
  const isDifference = next?.startsWith('+ ') && after?.startsWith('- ');
  return [line, next, ...(isDifference ? [after] : [])].filter((part) => part !== undefined).join(' ');
}
