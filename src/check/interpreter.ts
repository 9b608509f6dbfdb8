// A table of programs that run a code file: shells, node, python and the like. Finds the file among their arguments, and
// reads only a shell script's content, which may name more files.
import path from 'node:path';
import { isTestFile } from './language.ts';
import { define, type Found, join, nothing, placeOf, type ReadFile } from './named.ts';
import { readOptions } from './options.ts';
import { isPythonTool } from './python-shadows.ts';
import type { SimpleCommand } from './shell-words.ts';

type Where = Readonly<{ folder: string; read: ReadFile }>;

/** What a shell is told to run: text, a file, or its input; undefined if the program is not a shell. */
export function nameShellInput(
  program: string,
  args: readonly string[],
  { input, ...where }: Where & Readonly<{ input: SimpleCommand }>,
): Found | undefined {
  if (/^(?:source|\.)$/.test(program)) return nameScriptFile(args[0] ?? '', { ...where, isShell: true });
  if (!/^(?:ba|da|z|k|a|mk)?sh$/.test(program)) return undefined;
  const { options, rest } = readOptions(args, ['-o', '-O', '--rcfile', '--init-file'], { stop: true });
  const [first] = rest;
  const isText = [...options.keys()].some((name) => /^-[a-z]*c[a-z]*$/.test(name));
  if (isText)
    return { definitions: [], runs: [{ text: rest.length > 0 ? (first ?? '') : '', folder: where.folder }] };
  if (first !== undefined) return nameScriptFile(first, { ...where, isShell: true });
  const fromFile =
    input.inputFile === undefined ? nothing : nameScriptFile(input.inputFile, { ...where, isShell: true });
  const fromText = input.inputText === undefined ? [] : [{ text: input.inputText, folder: where.folder }];
  return join([fromFile, { definitions: [], runs: fromText }]);
}

/** The code file an interpreter runs, and files it loads before; undefined if the program is not an interpreter. */
export function nameInterpreted(program: string, args: readonly string[], where: Where): Found | undefined {
  const interpreter = interpreters.find(({ programs }) => programs.test(program));
  if (!interpreter) return undefined;
  const { options, values, rest } = readOptions(args, interpreter.valued, { stop: true });
  const loaded = values.map(([name, file]) =>
    interpreter.loads?.includes(name) ? nameScriptFile(file, where) : nameEnvFile(name, file, where),
  );
  const module = options.get('-m');
  if (module !== undefined && /^python/.test(program))
    return nameModule(module, args.slice(args.indexOf(module) + 1), where);
  if (interpreter.inline.some((name) => options.has(name))) return join(loaded);
  const verbs = interpreter.verbs;
  const file = verbs?.test(rest[0] ?? '')
    ? readOptions(rest.slice(1), interpreter.valued, { stop: true }).rest[0]
    : rest[0];
  const found = (interpreter.endings ?? ['']).map((ending) =>
    nameScriptFile(`${file ?? ''}${ending}`, where),
  );
  return join([...loaded, found.find(({ definitions }) => definitions.length > 0) ?? nothing]);
}

/** A code file that is run, unless it contains tests, which may grow; a shell script may name more. */
export function nameScriptFile(
  name: string,
  { folder, read, isShell }: Where & Readonly<{ isShell?: boolean }>,
): Found {
  const file = placeOf(folder, name);
  const text = file === undefined ? undefined : read(file);
  if (file === undefined || text === undefined || isTestFile(file)) return nothing;
  const followed = isShell || /\.(?:ba|z|k)?sh$/.test(file) || /^#!.*\b(?:ba|da|z|k|a)?sh\b/.test(text);
  const own = path.posix.dirname(file);
  return {
    definitions: [define(file, undefined, text)],
    runs: followed ? [{ text: placeOwnFolder(text, path.posix.relative(folder, own) || '.'), folder }] : [],
  };
}

/** Variables that the program is started with: ordinary work may change them. */
function nameEnvFile(option: string, name: string, { folder, read }: Where): Found {
  const file = /^--env-file/.test(option) ? placeOf(folder, name) : undefined;
  const text = file === undefined ? undefined : read(file);
  if (file === undefined || text === undefined) return nothing;
  return { definitions: [{ ...define(file, undefined, text), readBy: option, mayChange: true }], runs: [] };
}

type Interpreter = Readonly<{
  programs: RegExp;
  /** Options whose value is the next word. */
  valued: readonly string[];
  /** Those whose value is a file that is run first. */
  loads?: readonly string[];
  /** Options that bring their own code or run tests: no file is named. */
  inline: readonly string[];
  /** Words before the file. */
  verbs?: RegExp;
  /** Extensions that may be left out. */
  endings?: readonly string[];
}>;

const nodeLoads = ['-r', '--require', '--import', '--loader', '--experimental-loader'];
const nodeValued = [
  ...nodeLoads,
  '-C',
  '--conditions',
  '--env-file',
  '--env-file-if-exists',
  '--test-reporter',
  '--test-reporter-destination',
  '--test-name-pattern',
  '--test-concurrency',
  '--tsconfig',
  '-e',
  '--eval',
  '-p',
  '--print',
  '--input-type',
  '--run',
];

const interpreters: readonly Interpreter[] = [
  {
    programs: /^(?:node|nodejs|tsx|ts-node|ts-node-esm|esno|vite-node|jiti|swc-node|babel-node)$/,
    valued: nodeValued,
    loads: nodeLoads,
    inline: ['-e', '--eval', '-p', '--print', '--test', '--run'],
    verbs: /^watch$/,
    endings: ['', '.js', '.mjs', '.cjs', '.ts', '/index.js'],
  },
  {
    programs: /^python[\d.]*$|^pypy\d*$/,
    valued: ['-m', '-c', '-W', '-X'],
    inline: ['-c'],
    endings: ['', '/__main__.py'],
  },
  {
    programs: /^deno$/,
    valued: ['-c', '--config', '--import-map', '--env-file'],
    inline: ['eval'],
    verbs: /^run$/,
  },
  {
    programs: /^bun$/,
    valued: ['-r', '--preload', '-e', '-c', '--config', '--cwd'],
    loads: ['-r', '--preload'],
    inline: ['-e'],
    verbs: /^run$/,
  },
  { programs: /^ruby[\d.]*$/, valued: ['-e', '-I', '-r'], inline: ['-e'] },
  { programs: /^perl$/, valued: ['-e', '-E', '-I', '-M'], inline: ['-e', '-E'] },
  { programs: /^php[\d.]*$/, valued: ['-r', '-d', '-c'], inline: ['-r'] },
  {
    programs:
      /^(?:lua|luajit|Rscript|julia|pwsh|powershell|osascript|expect|groovy|elixir|java|kotlin|scala)$/,
    valued: ['-e', '-cp', '-classpath', '-Command', '-c'],
    inline: ['-e', '-Command', '-c', '-jar'],
  },
  {
    programs: /^go$/,
    valued: ['-C', '-tags', '-ldflags', '-mod'],
    inline: [],
    verbs: /^run$/,
    endings: ['', '/main.go'],
  },
];

/** `python -m`: a module of the repository, else the program of that name. */
function nameModule(module: string, args: readonly string[], where: Where): Found {
  const base = module.replaceAll('.', '/');
  const found = [`${base}.py`, `${base}/__main__.py`].map((file) => nameScriptFile(file, where));
  const own = isPythonTool(module) ? undefined : found.find(({ definitions }) => definitions.length > 0);
  const words = [module, ...args];
  return (
    own ?? {
      definitions: [],
      runs: [{ text: words.map((word) => `'${word}'`).join(' '), folder: where.folder }],
    }
  );
}

/** Substitutes a script's own folder where it asks for it in the usual ways. */
function placeOwnFolder(text: string, folder: string): string {
  const source = String.raw`"?\$(?:0|\{0\}|BASH_SOURCE|\{BASH_SOURCE(?:\[0\])?(?:-\$0)?\})"?`;
  return text
    .replace(new RegExp(String.raw`\$\(\s*dirname\s+(?:--\s+)?${source}\s*\)`, 'g'), folder)
    .replace(/\$\{(?:0|BASH_SOURCE(?:\[0\])?)%\/\*\}/g, folder)
    .replace(/\$\(\s*cd\s+(?:--\s+)?"?([^"$()&;]+)"?\s*(?:>\s*\S+\s*)?(?:&&|;)\s*pwd[^)]*\)/g, '$1');
}
