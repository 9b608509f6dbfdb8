// Parses a unified diff as git prints it with `a/` and `b/` prefixes. Other or truncated text yields what could be parsed,
// never an error.

/** A removed or added line; `line` counts from 1 in the old file for `-`, in the new one for `+`. */
export type DiffLine = Readonly<{ sign: '+' | '-'; text: string; line: number }>;

/** One file of a diff. `from` is its old name if different; `file` is the remaining name. */
export type FileDiff = Readonly<{
  file: string;
  from?: string;
  status: 'added' | 'modified' | 'deleted' | 'renamed';
  lines: readonly DiffLine[];
}>;

/** The files of a unified diff in order. */
export function readDiff(diff: string): readonly FileDiff[] {
  const files: Draft[] = [];
  let hunk: Hunk | undefined;
  for (const line of diff.split('\n')) {
    const file = files.at(-1);
    if (file && hunk && isInside(hunk) && /^[-+ \\]|^\r?$/.test(line)) {
      readHunkLine(file, hunk, line);
    } else {
      hunk = readHunkHeader(line);
      if (line.startsWith('diff --git ')) files.push(startFile(line));
      else if (file && !hunk) readFileHeader(file, line);
    }
  }
  return files;
}

type Draft = { file: string; from?: string; status: FileDiff['status']; lines: DiffLine[] };
type Hunk = { oldLine: number; oldLeft: number; newLine: number; newLeft: number };

const isInside = (hunk: Hunk): boolean => hunk.oldLeft > 0 || hunk.newLeft > 0;

function readHunkHeader(line: string): Hunk | undefined {
  const found = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
  if (!found) return undefined;
  const [, oldLine, oldLeft = '1', newLine, newLeft = '1'] = found;
  return {
    oldLine: Number(oldLine),
    oldLeft: Number(oldLeft),
    newLine: Number(newLine),
    newLeft: Number(newLeft),
  };
}

function readHunkLine(file: Draft, hunk: Hunk, line: string): void {
  const sign = line.charAt(0);
  if (sign === '\\') return;
  const text = line.slice(1).replace(/\r$/, '');
  if (sign === '-') file.lines.push({ sign, text, line: hunk.oldLine });
  else if (sign === '+') file.lines.push({ sign, text, line: hunk.newLine });
  if (sign !== '+') {
    hunk.oldLine += 1;
    hunk.oldLeft -= 1;
  }
  if (sign !== '-') {
    hunk.newLine += 1;
    hunk.newLeft -= 1;
  }
}

function startFile(line: string): Draft {
  const names = line.slice('diff --git '.length);
  const quoted = /^(?:"(?:\\.|[^"\\])*"|\S+) ("(?:\\.|[^"\\])*")$/.exec(names)?.[1];
  const half = (names.length - 1) / 2;
  const isSame = names.slice(1, half) === names.slice(half + 2);
  const plain = isSame ? names.slice(half + 1) : names.slice(names.lastIndexOf(' b/') + 1);
  return { file: readName(quoted ?? plain), status: 'modified', lines: [] };
}

function readFileHeader(file: Draft, line: string): void {
  const [, key, name = ''] =
    /^(--- |\+\+\+ |rename from |rename to |new file mode |deleted file mode )(.*)$/.exec(line) ?? [];
  if (key === '+++ ' && !name.startsWith('/dev/null')) file.file = readName(name);
  if (key === '--- ' && file.status === 'deleted') file.file = readName(name);
  if (key === 'new file mode ') file.status = 'added';
  if (key === 'deleted file mode ') file.status = 'deleted';
  if (key === 'rename from ') {
    file.from = unquote(name);
    file.status = 'renamed';
  }
  if (key === 'rename to ') file.file = unquote(name);
}

/** A name without its `a/` or `b/`; git ends names that contain a space with a tab. */
const readName = (name: string): string => unquote(name.replace(/[\t\r]+$/, '')).replace(/^[ab]\//, '');

/** Undoes git's C-style quoting, including octal bytes. */
function unquote(name: string): string {
  if (!/^".*"$/.test(name)) return name;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (const [part, octal, letter] of name.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gsu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 0xff);
    else bytes.push(...encoder.encode(letter === undefined ? part : (escapes[letter] ?? letter)));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
};
