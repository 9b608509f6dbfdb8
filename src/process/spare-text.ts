// How a waiting shell is told to become a program: same process, the program's own folder, environment and input. Text
// only; it starts nothing.
import { quote } from './launch-text.ts';

/** What a shell becomes. `file`: absolute, or with a slash in it; `env`: the whole environment. */
export type Become = Readonly<{
  file: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** `pipe`: it reads what comes on descriptor 3. `closed`: /dev/null. */
  input: 'pipe' | 'closed';
}>;

/** Longer ones are left to Node, which tells when the system finds them too long. */
const mostBytes = 64 * 1024;

/** Variables that dash itself reads or sets when they are assigned. */
const shellsOwn: ReadonlySet<string> = new Set(['OPTIND', 'LINENO', 'PPID', 'IFS']);

/** What a waiting dash reads on its input; undefined for what it cannot say. */
export function becomeScript({ file, args, cwd, env, input }: Become): string | undefined {
  const names = Object.keys(env);
  if (names.some((name) => !/^[A-Za-z_]\w*$/.test(name) || shellsOwn.has(name))) return undefined;
  const assigned = Object.entries(env).map(([name, value]) => `${name}=${quote(value)}`);
  const words = [...assigned, 'exec', ...[file, ...args].map(quote)].join(' ');
  // In braces: of a script that is cut off nothing is run. What cd exports is no variable of the program's.
  const script = `{ cd ${quote(cwd)} && unset PATH PWD OLDPWD && ${words} ${redirections[input]}; exit 126\n}\n`;
  return script.includes('\0') || Buffer.byteLength(script) > mostBytes ? undefined : script;
}

const redirections = { pipe: '<&3 3<&-', closed: '</dev/null 3<&-' };
