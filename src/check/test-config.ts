// A table of the configuration files that decide what a test runner runs: they are part of a check's definition. Linter,
// compiler and build files are left out: ordinary work changes them, and `guard-file.ts` reports loosening.
import path from 'node:path';
import { blockOf, sectionOf } from './config-part.ts';
import { type Definition, define, foldersAbove, placeOf, type ReadFile } from './named.ts';
import { readOptions } from './options.ts';
import { parseObject } from './package-script.ts';

/** The configuration a test runner reads if it is started like this in the folder. */
export function nameTestConfig(
  program: string,
  args: readonly string[],
  { folder, read }: Readonly<{ folder: string; read: ReadFile }>,
): readonly Definition[] {
  const runner = runners.find(({ programs }) => programs.test(program));
  if (!runner) return [];
  const { options } = readOptions(args, runner.options ?? []);
  const named = (runner.options ?? []).map((name) => options.get(name)).find((value) => value);
  if (named !== undefined) {
    const file = placeOf(folder, named);
    const text = file === undefined ? undefined : read(file);
    return file === undefined || text === undefined
      ? []
      : [define(file, undefined, text), ...nameLoaded({ file, text, program }, read)];
  }
  for (const at of foldersAbove(folder)) {
    for (const source of runner.sources) {
      const found = readSource(at, source, read);
      const whole = found && read(found.file);
      if (found && whole !== undefined)
        return [
          { ...found, readBy: program },
          ...nameLoaded({ file: found.file, text: whole, program }, read),
        ];
    }
  }
  return [];
}

/** Files that the configuration makes the runner load first, by a relative path: ordinary work may change them. */
function nameLoaded(
  { file, text, program }: Readonly<{ file: string; text: string; program: string }>,
  read: ReadFile,
): readonly Definition[] {
  const values = [...text.matchAll(loads)].flatMap(([, value = '']) => [
    ...value.matchAll(/["']([^"']+)["']/g),
  ]);
  const names = values.map(([, name = '']) => name.replace(/^<rootDir>\//, './'));
  return names.flatMap((name) => {
    const place = placeOf(path.posix.dirname(file), name);
    const found = ['', '.js', '.ts', '.mjs', '.mts', '.cjs'].find(
      (end) => read(`${place}${end}`) !== undefined,
    );
    if (place === undefined || found === undefined) return [];
    const loaded = `${place}${found}`;
    return [{ ...define(loaded, undefined, read(loaded) ?? ''), readBy: program, mayChange: true as const }];
  });
}

const loads =
  /\b(?:setupFiles(?:AfterEnv)?|globalSetup|globalTeardown|require|bootstrap|testRunner|runner)["']?\s*[:=]\s*(\[[^\]]*\]|["'][^"']*["'])/g;

/** A file that counts as a whole, or a part of one. */
type Source = string | Readonly<{ file: string; key: string; part: (text: string) => string | undefined }>;

type Runner = Readonly<{
  programs: RegExp;
  /** In the order the program looks for them; the first existing one counts. */
  sources: readonly Source[];
  /** Options that name the file. */
  options?: readonly string[];
}>;

const script = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'];
const anyOf = (name: string, endings: readonly string[]): readonly string[] =>
  endings.map((ending) => `${name}.${ending}`);
const inPackage = (key: string): Source => ({
  file: 'package.json',
  key,
  part: (text) => {
    const value = parseObject(text)?.[key];
    return value === undefined ? undefined : JSON.stringify(value);
  },
});
const inSection = (file: string, section: string): Source => ({
  file,
  key: section,
  part: (text) => sectionOf(text, section),
});
const inBlock = (file: string, key: string): Source => ({ file, key, part: (text) => blockOf(text, key) });

const runners: readonly Runner[] = [
  {
    programs: /^vitest$/,
    sources: [
      ...anyOf('vitest.config', script),
      ...anyOf('vite.config', script).map((file) => inBlock(file, 'test')),
    ],
    options: ['--config', '-c'],
  },
  {
    programs: /^jest$/,
    sources: [...anyOf('jest.config', [...script, 'json']), inPackage('jest')],
    options: ['--config', '-c'],
  },
  {
    programs: /^_?mocha$/,
    sources: [...anyOf('.mocharc', ['js', 'cjs', 'yaml', 'yml', 'jsonc', 'json']), inPackage('mocha')],
    options: ['--config'],
  },
  {
    programs: /^ava$/,
    sources: [...anyOf('ava.config', ['js', 'cjs', 'mjs']), inPackage('ava')],
    options: ['--config'],
  },
  { programs: /^playwright$/, sources: anyOf('playwright.config', script), options: ['--config', '-c'] },
  { programs: /^cypress$/, sources: anyOf('cypress.config', script), options: ['--config-file', '-C'] },
  { programs: /^karma$/, sources: anyOf('karma.conf', script) },
  { programs: /^tap$/, sources: ['.taprc', inPackage('tap')] },
  {
    programs: /^(?:c8|nyc)$/,
    sources: ['.c8rc.json', '.nycrc', '.nycrc.json', inPackage('c8'), inPackage('nyc')],
  },
  {
    programs: /^(?:pytest|py\.test)$/,
    sources: [
      ...['pytest.toml', '.pytest.toml', 'pytest.ini', '.pytest.ini'],
      inSection('pyproject.toml', 'tool.pytest.ini_options'),
      inSection('pyproject.toml', 'tool.pytest'),
      inSection('tox.ini', 'pytest'),
      inSection('setup.cfg', 'tool:pytest'),
    ],
    options: ['-c', '--config-file'],
  },
  {
    programs: /^tox$/,
    sources: ['tox.ini', inSection('pyproject.toml', 'tool.tox')],
    options: ['-c', '--conf'],
  },
  { programs: /^nox$/, sources: ['noxfile.py'], options: ['-f', '--noxfile'] },
  { programs: /^cargo$/, sources: ['.cargo/config.toml', '.cargo/config'] },
  { programs: /^cargo-nextest$/, sources: ['.config/nextest.toml'] },
  {
    programs: /^phpunit$/,
    sources: ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml'],
    options: ['--configuration', '-c'],
  },
  { programs: /^rspec$/, sources: ['.rspec'] },
  { programs: /^(?:turbo|turborepo)$/, sources: ['turbo.json', 'turbo.jsonc'] },
  { programs: /^nx$/, sources: ['nx.json'] },
  { programs: /^wireit$/, sources: [inPackage('wireit')] },
  { programs: /^pre-commit$/, sources: ['.pre-commit-config.yaml'], options: ['-c', '--config'] },
];

function readSource(folder: string, source: Source, read: ReadFile): Definition | undefined {
  const file = path.posix.join(folder, typeof source === 'string' ? source : source.file);
  const text = read(file);
  if (text === undefined) return undefined;
  if (typeof source === 'string') return define(file, undefined, text);
  const part = source.part(text);
  return part === undefined ? undefined : define(file, source.key, part);
}
