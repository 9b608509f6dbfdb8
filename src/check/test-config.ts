// A table of the configuration files that decide what a test runner runs: they are part of a check's definition. Linter,
// compiler and build files are left out: ordinary work changes them, and `guard-file.ts` reports loosening.
import path from 'node:path';
import { type Definition, define, foldersAbove, placeOf, type ReadFile } from './named.ts';
import { readOptions } from './options.ts';
import { parseObject } from './package-script.ts';

/** The configuration a test runner reads when it is started so in the folder. */
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
    return file === undefined || text === undefined ? [] : [define(file, undefined, text)];
  }
  for (const at of foldersAbove(folder)) {
    for (const source of runner.sources) {
      const found = readSource(at, source, read);
      if (found) return [{ ...found, readBy: program }];
    }
  }
  return [];
}

/** A file that counts whole, or a part of one. */
type Source = string | Readonly<{ file: string; key: string; part: (text: string) => string | undefined }>;

type Runner = Readonly<{
  programs: RegExp;
  /** In the order the program looks for them; the first that is there counts. */
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
      'pytest.ini',
      '.pytest.ini',
      inSection('pyproject.toml', 'tool.pytest.ini_options'),
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

/** A `[section]` of an INI or TOML file and those below it, to the next other one. */
export function sectionOf(text: string, section: string): string | undefined {
  const lines = text.split(/\r?\n/);
  let isInside = false;
  const kept = lines.filter((line) => {
    const header = /^\s*\[+([^\]]+)\]+/.exec(line)?.[1]?.trim();
    if (header !== undefined) isInside = header === section || header.startsWith(`${section}.`);
    return isInside;
  });
  return kept.length === 0 ? undefined : kept.join('\n').trimEnd();
}

/** The text of `key: {…}` in a script, by its braces. */
function blockOf(text: string, key: string): string | undefined {
  const start = new RegExp(`(?:^|[{,\\s])${key}\\s*:\\s*\\{`).exec(text);
  if (!start) return undefined;
  const open = start.index + start[0].length - 1;
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text.charAt(at) === '{') depth += 1;
    if (text.charAt(at) === '}') depth -= 1;
    if (depth === 0) return text.slice(start.index, at + 1);
  }
  return text.slice(start.index);
}
