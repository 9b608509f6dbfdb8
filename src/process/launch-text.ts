// How a program's run is written for a POSIX shell that reads its script from a pipe, and how its end is read from the
// shell's outputs. It starts nothing.

/** Characters of a nonce, which ends both outputs of one errand. */
export const nonceBytes = 32;

/** The script of errands, one after the other; undefined for what a shell cannot say: an environment that lacks a variable of the shell's own, a name that is none of a shell's. */
export function errandScript(
  errands: readonly Errand[],
  base: Readonly<Record<string, string>>,
  nonce: string,
): string | undefined {
  const commands = errands.map((errand) => commandOf(errand, base));
  const [first] = errands;
  if (!first || commands.some((command) => command === undefined)) return undefined;
  const steps = commands.map((command, at) =>
    at === commands.length - 1 ? command : `o${at}=$(${command}) && printf '%s\\0' "$o${at}"`,
  );
  // In braces: of a script that is cut off, because pawl was killed while it wrote it, nothing is run.
  return `{ cd ${quote(first.cwd)} && ${steps.join(' && ')}\n}\nprintf '%03d${nonce}' $?; printf ${nonce} >&2; cd /\n`;
}

function commandOf(errand: Errand, base: Readonly<Record<string, string>>): string | undefined {
  const { file, args, env, input } = errand;
  if (Object.keys(base).some((name) => env[name] === undefined)) return undefined;
  const added = Object.entries(env).filter(([name, value]) => base[name] !== value);
  if (added.some(([name]) => !/^[A-Za-z_]\w*$/.test(name))) return undefined;
  const words = [...added.map(([name, value]) => `${name}=${quote(value)}`), ...[file, ...args].map(quote)];
  if (words.some((word) => word.includes('\0'))) return undefined;
  const command = words.join(' ');
  const parts =
    input === undefined ? [] : partsOf(input).filter((part) => isPrinted(part) || part.length > 0);
  if (parts.length === 0) return `${command} </dev/null`;
  const format = parts.map((part) => (isPrinted(part) ? '%s' : octal(Buffer.from(part)))).join('');
  const printed = parts.filter(isPrinted).map(({ printedBy }) => ` "$o${printedBy}"`);
  return `printf '${format}'${printed.join('')} | ${command}`;
}

/** The parts of an input. */
export function partsOf(input: Input): readonly (string | Uint8Array | Printed)[] {
  return typeof input === 'string' || input instanceof Uint8Array ? [input] : input;
}

/** Whether a part is what an earlier errand printed. */
export function isPrinted(part: string | Uint8Array | Printed): part is Printed {
  return typeof part === 'object' && 'printedBy' in part;
}

/** What came on one output so far. */
export type Readout = { chunks: Buffer[]; size: number };

/** The bytes before an output's end, once that has come. */
export function readEnd({ chunks, size }: Readout, nonce: string): Buffer | undefined {
  if (size < nonceBytes) return undefined;
  const last = chunks.at(-1);
  // Joined only where the end is split: an output of many chunks is looked at with each.
  const tail = last && last.length >= nonceBytes ? last : Buffer.concat(chunks.slice(-nonceBytes));
  if (tail.toString('latin1', tail.length - nonceBytes) !== nonce) return undefined;
  return Buffer.concat(chunks).subarray(0, size - nonceBytes);
}

/** Standard output and exit code, which the shell wrote between it and the nonce. Before the last errand's output stands what each of `count` earlier ones printed. */
export function splitCode(
  bytes: Buffer,
  count = 0,
): Readonly<{ stdout: Buffer; printed: readonly string[]; code: number | null }> {
  const end = bytes.length - codeBytes;
  return {
    ...splitPrinted(bytes.subarray(0, end), count),
    code: codeOf(Number(bytes.toString('latin1', end))),
  };
}

/** Output without its end: what each of `count` errands printed, and the rest. */
export function splitPrinted(
  bytes: Buffer,
  count: number,
): Readonly<{ stdout: Buffer; printed: readonly string[] }> {
  const printed: string[] = [];
  let from = 0;
  for (let to = bytes.indexOf(0); printed.length < count && to >= 0; to = bytes.indexOf(0, from)) {
    printed.push(bytes.toString('utf8', from, to));
    from = to + 1;
  }
  return { stdout: bytes.subarray(from), printed };
}

/** Characters of an exit code. */
export const codeBytes = 3;

/** A shell tells a signal as 128 and its number; 129 is what git ends with when it was asked wrongly. */
function codeOf(code: number): number | null {
  return code > 129 ? null : code;
}

/** Text as one word of a POSIX shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Bytes as a format of printf; without a dash, which would begin an option. */
function octal(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    const char = String.fromCharCode(byte);
    text += /[A-Za-z0-9 ./_:=]/.test(char) ? char : `\\${byte.toString(8).padStart(3, '0')}`;
  }
  return text;
}

/** A program to run to its end. */
export type Errand = Readonly<{
  /** Absolute. */
  file: string;
  args: readonly string[];
  cwd: string;
  /** Its whole environment; at least what the launcher has. */
  env: Readonly<Record<string, string>>;
  /** Absent: /dev/null. */
  input?: Input;
}>;

/** What a program reads, in parts. */
export type Input = string | Uint8Array | readonly (string | Uint8Array | Printed)[];

/** What an earlier errand of the same launch printed, by its place from 0; without the ends of lines behind it. */
export type Printed = Readonly<{ printedBy: number }>;
