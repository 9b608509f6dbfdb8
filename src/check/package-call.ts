// Parses command lines of npm, pnpm, yarn, bun, `node --run`, npm-run-all, deno and composer for the scripts they run.
import { readOptions, type Words } from './options.ts';

/** Which scripts a command line runs, and where. */
export type PackageCall = Readonly<{
  /** As written; npm-run-all's may contain `*`. */
  names: readonly string[];
  /** Words passed on to the script. */
  more: readonly string[];
  /** Folder named in the command line. */
  folder: string | undefined;
  /** Names, paths or `*` for all. */
  workspaces: readonly string[];
  file: 'package.json' | 'deno.json' | 'composer.json';
  /** A word without `run`, which may also be a program of the package. */
  bare: boolean;
}>;

/** Parses a command line; undefined if it runs no script. */
export function readPackageCall(program: string, args: readonly string[]): PackageCall | undefined {
  if (program === 'node') return readNodeRun(args);
  if (/^(?:run-s|run-p|npm-run-all2?)$/.test(program))
    return callOf(readOptions(args, ['--max-parallel']), { names: args });
  const words = readOptions(args, program === 'pnpm' ? valued.filter((name) => name !== '-w') : valued);
  const [verb = '', next = ''] = words.rest;
  const more = wordsAfter(args, verb, next);
  if (program === 'deno') {
    return verb === 'task' && next ? callOf(words, { names: [next], more, file: 'deno.json' }) : undefined;
  }
  if (program === 'composer') {
    const name = /^run(?:-script)?$/.test(verb) ? next : verb;
    return name === '' ? undefined : callOf(words, { names: [name], file: 'composer.json' });
  }
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(program)) return undefined;
  if (/^(?:run|run-script|rum|urn)$/.test(verb)) return callOf(words, { names: [next], more });
  if (program === 'yarn' && verb === 'workspace') return readYarnWorkspace(words);
  if (program === 'yarn' && verb === 'workspaces') {
    const names = words.rest.slice(words.rest.lastIndexOf('run') + 1);
    return callOf(words, { names: names.slice(0, 1), workspaces: ['*'] });
  }
  const name = /^(?:t|tst)$/.test(verb) ? 'test' : verb;
  if (program === 'bun' && (name === 'test' || builtIn.test(name))) return undefined;
  if (program === 'npm' && !/^(?:test|start|stop|restart)$/.test(name)) return undefined;
  if (name === '' || builtIn.test(name)) return undefined;
  return callOf(words, { names: [name], more: wordsAfter(args, verb), bare: program !== 'npm' });
}

/** Everything after the last of the words, including options. */
function wordsAfter(args: readonly string[], ...words: readonly string[]): readonly string[] {
  const at = words.reduce((from, word) => args.indexOf(word, from) + 1, 0);
  return args.slice(at).filter((word, index) => index > 0 || word !== '--');
}

function callOf(words: Words, more: Partial<PackageCall> & Pick<PackageCall, 'names'>): PackageCall {
  const all = ['--workspaces', '-ws', '-r', '--recursive'].some((name) => words.options.has(name));
  const chosen = words.values.flatMap(([name, value]) =>
    /^(?:-w|--workspace|-F|--filter)$/.test(name) ? [value] : [],
  );
  const folder = ['--prefix', '-C', '--dir', '--cwd']
    .map((name) => words.options.get(name))
    .find((value) => value);
  return { more: [], folder, workspaces: all ? ['*'] : chosen, file: 'package.json', bare: false, ...more };
}

function readNodeRun(args: readonly string[]): PackageCall | undefined {
  const words = readOptions(args, ['--run']);
  const name = words.options.get('--run');
  return name ? callOf(words, { names: [name], more: words.rest }) : undefined;
}

function readYarnWorkspace(words: Words): PackageCall {
  const [, workspace = '', ...rest] = words.rest;
  const [name = '', ...more] = rest[0] === 'run' ? rest.slice(1) : rest;
  return callOf(words, { names: [name], more, workspaces: [workspace] });
}

const valued = [
  '--prefix',
  '-C',
  '--dir',
  '--cwd',
  '-w',
  '--workspace',
  '-F',
  '--filter',
  '--reporter',
  '--loglevel',
  '--script-shell',
  '--config',
  '--workspace-concurrency',
];
/** Verbs of package managers that run no script, where a bare word would otherwise be a script. */
const builtIn =
  /^(?:install|i|ci|add|remove|rm|up|update|link|exec|dlx|x|why|audit|outdated|publish|pack|config|cache|create|init|dedupe|info|view|ls|list|version|npm|set|plugin|build-binary)$/;
