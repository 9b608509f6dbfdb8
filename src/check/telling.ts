// The one line of a check's output that tells a person most about why it is red. A guess for reading, never for judging.
import { stripVTControlCharacters } from 'node:util';

/** Most of a line that is shown, UTF-16 units. */
const longest = 160;

/** Kinds of lines, the most telling first; of a kind the first line is taken. Runners say the reason before they count. */
const kinds: readonly RegExp[] = [
  // error TS2304: …, error[E0382]: …, src/a.c:3:1: error: …, TypeError: …, AssertionError [ERR_…]: …, fatal: …
  /(?:^|[\s:])(?:fatal )?(?:\w*Error|\w*Exception|error|fatal)(?:\[\w+\]| \[\w+\]| [A-Z]+\d+)?:\s*\S/i,
  // thread 'main' panicked at …, panic: …, Segmentation fault
  /\bpanicked at\b|^panic:|\bsegmentation fault\b/i,
  /\b(?:command not found|no such file or directory|cannot find|not found|permission denied)\b/i,
  /\bexpected\b.+\b(?:got|received|but|to (?:be|equal|match|have|contain))\b|^\s*E\s{2,}\S/i,
  // --- FAIL: TestX, FAILED tests/a.py::test_b, not ok 3 - …, ✖ …, × …
  /^\s*(?:-+ )?(?:FAIL(?:ED)?\b|not ok\b|[✖✗×]\s)/,
];

/** The line, trimmed and cut; none of them telling: the last; nothing printed: `undefined`. */
export function tellingLine(output: string): string | undefined {
  const lines = stripVTControlCharacters(output)
    .split(/\r*\n/)
    .map((line) => line.slice(line.lastIndexOf('\r') + 1).trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line));
  const telling = kinds
    .map((kind) => lines.find((line) => kind.test(line)))
    .find((line) => line !== undefined);
  const line = telling ?? lines.at(-1);
  return line === undefined || line.length <= longest ? line : `${line.slice(0, longest - 1).trimEnd()}…`;
}
