// A table of programs that run another command given as their arguments, and how to find that command.
import { readOptions } from './options.ts';

/** The program a command comes down to; `through` names the wrappers on the way, outermost first. */
export type Inner = Readonly<{ program: string; args: readonly string[]; through: readonly string[] }>;

/** Strips assignments and wrappers from a command's words; undefined if nothing is left. */
export function unwrap(words: readonly string[]): Inner | undefined {
  const through: string[] = [];
  let left = dropAssignments(words);
  for (let passes = 0; passes < passLimit; passes += 1) {
    const [program = '', ...args] = left;
    if (program === '') return undefined;
    const name = programName(program);
    const verb = args.find((arg) => !arg.startsWith('-'));
    const [key, wrapper] =
      [`${name} ${verb ?? ''}`, name].map((at) => [at, wrappers[at]] as const).find(([, at]) => at) ?? [];
    if (!key || !wrapper) return { program, args, through };
    const after = key === name ? args : args.slice(args.indexOf(verb ?? '') + 1);
    const rest = readOptions(after, wrapper.values ?? [], { stop: true }).rest.slice(wrapper.skip ?? 0);
    if (rest.length === 0) return { program, args, through };
    through.push(name);
    left = wrapper.shellText ? ['sh', '-c', rest.join(' ')] : dropAssignments(rest);
  }
  return undefined;
}

/** A program's name without its folder, version and Windows extensions. */
export function programName(program: string): string {
  return program
    .replace(/^.*\//, '')
    .replace(/\.(?:exe|cmd|ps1)$/i, '')
    .replace(/@[\w.^~-]+$/, '');
}

type Wrapper = Readonly<{
  /** Options whose value is the next word. */
  values?: readonly string[];
  /** Plain words before the command, such as `timeout`'s duration. */
  skip?: number;
  /** Its words are one shell text. */
  shellText?: boolean;
}>;

const passLimit = 12;
const plain: Wrapper = {};
const runner: Wrapper = { values: ['-p', '--package', '-w', '--workspace', '-C', '--prefix', '--filter'] };
const pythonRunner: Wrapper = {
  values: [
    '--with',
    '--extra',
    '--group',
    '-p',
    '--python',
    '--project',
    '--directory',
    '--env-file',
    '-e',
    '--env',
    '-C',
  ],
};

const wrappers: Readonly<Record<string, Wrapper>> = {
  timeout: { values: ['-k', '--kill-after', '-s', '--signal'], skip: 1 },
  gtimeout: { values: ['-k', '--kill-after', '-s', '--signal'], skip: 1 },
  env: { values: ['-u', '--unset', '-C', '--chdir'] },
  nice: { values: ['-n', '--adjustment'] },
  ionice: { values: ['-c', '-n', '-t'] },
  time: { values: ['-f', '-o'] },
  stdbuf: { values: ['-i', '-o', '-e'] },
  sudo: { values: ['-u', '-g', '-h', '-p', '-C'] },
  'xvfb-run': { values: ['-n', '-s', '-e', '-f', '--server-args', '--server-num'] },
  xargs: { values: ['-n', '-I', '-P', '-L', '-d', '-a', '-s', '-E'] },
  exec: { values: ['-a'] },
  eval: { shellText: true },
  nohup: plain,
  setsid: plain,
  command: plain,
  builtin: plain,
  unbuffer: plain,
  caffeinate: plain,
  'cross-env': plain,
  'cross-env-shell': { shellText: true },
  dotenv: { values: ['-e', '-f', '-v', '-p', '-c'] },
  'dotenvx run': { values: ['-f', '-e'] },
  'doppler run': { values: ['-p', '-c'] },
  'op run': { values: ['--env-file'] },
  'direnv exec': { skip: 1 },
  'mise exec': plain,
  'mise x': plain,
  npx: runner,
  bunx: runner,
  'npm exec': runner,
  'npm x': runner,
  'pnpm exec': runner,
  'pnpm dlx': runner,
  'yarn exec': runner,
  'yarn dlx': runner,
  'bun x': runner,
  'poetry run': pythonRunner,
  'uv run': pythonRunner,
  'pipenv run': pythonRunner,
  'pdm run': pythonRunner,
  'rye run': pythonRunner,
  'hatch run': pythonRunner,
  'bundle exec': plain,
  c8: { values: ['-r', '--reporter', '--config', '-c'] },
  nyc: { values: ['-r', '--reporter', '--config'] },
};

function dropAssignments(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !/^[A-Za-z_]\w*\+?=/.test(word));
  return first < 0 ? [] : words.slice(first);
}
