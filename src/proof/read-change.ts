// Reads a change between two commits from git, with the files that decide a check though their names do not say so.
import path from 'node:path';
import { findCalled } from '../check/called-files.ts';
import { classify, type FileClass, isCode, isRunnableTest, isTestHelper } from '../check/classes.ts';
import type { ReadFile } from '../check/read-file.ts';
import { defined } from '../defined.ts';
import { readBlobs, readObjects } from '../git/run/read-objects.ts';
import type { Repo } from '../git/run/repo.ts';
import { changedFiles } from '../git/tree/changes.ts';
import type { TreeEntry } from '../git/tree/tree-entry.ts';
import type { Check } from '../plan/plan.ts';
import { type Change, type FileAt, type FileChange, splitTests } from './change.ts';

/** A longer file is put back as a whole. */
const mostBytes = 1024 * 1024;

/** Without the files in `except` (the plan). `checks`: by which it is judged. */
export async function readChange(
  repo: Repo,
  { base, head }: Readonly<{ base: string; head: string }>,
  { checks, except = [] }: Readonly<{ checks: readonly Check[]; except?: readonly string[] }>,
): Promise<Change> {
  const entries = (await changedFiles(repo, base, head)).filter(({ file }) => !except.includes(file));
  const texts = await readTexts(
    repo,
    entries.flatMap(({ was, is }) => [was, is].filter((at) => at !== undefined)),
  );
  const { settings, read } = await readSettings(repo, head);
  const names = entries.map(({ file }) => file);
  const named = findNamedFiles(names, { checks, settings, read });
  const compared = findComparedFiles(names, checks);
  const added = entries.flatMap(({ file, was }) => (was ? [] : file));
  const besideTests = findBesideTests(added, await listFiles(repo, base));
  const changes = entries.map(
    ({ file, from, was, is }): FileChange => ({
      ...{ file, kind: compared.has(file) ? 'support' : kindOf(file, from, named) },
      ...defined({ from, before: withText(was, texts), after: withText(is, texts) }),
      isBesideTests: besideTests.has(file),
    }),
  );
  return changes.flatMap(splitTests);
}

function kindOf(file: string, from: string | undefined, named: ReadonlySet<string>): FileClass {
  const now = classify(file, named);
  return from !== undefined && now === 'source' ? classify(from, named) : now;
}

type Texts = ReadonlyMap<string, string>;

function withText(at: TreeEntry | undefined, texts: Texts): FileAt | undefined {
  return at && { ...at, ...defined({ text: at.mode.startsWith('100') ? texts.get(at.oid) : undefined }) };
}

/** Of plain files without a zero byte, by object. */
async function readTexts(repo: Repo, files: readonly TreeEntry[]): Promise<Texts> {
  const oids = [...new Set(files.flatMap(({ mode, oid }) => (mode.startsWith('100') ? oid : [])))];
  if (oids.length === 0) return new Map();
  const input = oids.map((oid) => `${oid}\n`).join('');
  const sizes = await repo.git(['cat-file', '--batch-check=%(objectname) %(objectsize)'], { input });
  const small = sizes
    .trim()
    .split('\n')
    .flatMap((line) => (Number(line.split(' ')[1]) <= mostBytes ? (line.split(' ')[0] ?? '') : []));
  const found = await readObjects(repo, small);
  return new Map(
    found.flatMap((object) =>
      object && !object.body.includes(0) ? [[object.oid, object.body.toString('utf8')]] : [],
    ),
  );
}

const tellsSetup =
  /(?:^|\/)(?:package\.json|\.mocharc[^/]*|\.rspec|(?:jest|vitest|vite|ava|playwright|cypress|karma)\.config\.[^/]+|bunfig\.toml|pyproject\.toml|pytest\.ini|setup\.cfg)$/;
const callsOthers =
  /(?:^|\/)(?:package\.json|(?:GNUm|[Mm])akefile|\.?[Jj]ustfile|[Tt]askfile\.[^/]+|[^/]+\.sh)$/;
const mostSettings = 80;

/** `read`: the text of what calls or sets up others; empty for another file of the commit. */
async function readSettings(
  repo: Repo,
  head: string,
): Promise<Readonly<{ settings: readonly string[]; read: ReadFile }>> {
  const names = await listFiles(repo, head);
  const telling = names
    .filter((name) => tellsSetup.test(name) || callsOthers.test(name))
    .slice(0, mostSettings);
  const texts = new Map(names.map((name) => [name, '']));
  for (const [name, text] of await readBlobs(repo, head, telling))
    if (text.length < mostBytes) texts.set(name, text);
  const settings = telling.filter((name) => tellsSetup.test(name)).map((name) => texts.get(name) ?? '');
  return { settings, read: (name) => texts.get(name) };
}

async function listFiles(repo: Repo, commit: string): Promise<readonly string[]> {
  return (await repo.git(['ls-tree', '-r', '-z', '--name-only', commit])).split('\0');
}

type Command = Pick<Check, 'command' | 'cwd'>;

/** `settings`: texts of configuration files. `read`: a file of the work. */
type Naming = Readonly<{ checks: readonly Command[]; settings: readonly string[]; read: ReadFile }>;

export function findNamedFiles(
  files: readonly string[],
  { checks, settings, read }: Naming,
): ReadonlySet<string> {
  const run = checks.flatMap(({ command, cwd }) => findCalled(command, cwd, read).files);
  const words = [...settings, ...checks.map(({ command }) => command)].join('\n');
  const configs = [...words.matchAll(configOption)].map(([, name = '']) => name);
  const loaded = [...settings.flatMap(setupsOf), ...configs];
  return new Set([...run, ...files.filter((file) => loaded.some((name) => isMeant(file, name)))]);
}

/** Data that a check compares with what a program printed. */
function findComparedFiles(files: readonly string[], checks: readonly Command[]): ReadonlySet<string> {
  const words = new Set(
    checks
      .filter(({ command }) => /(?:^|[\s;&|(])(?:diff|cmp|comm)\s/.test(command))
      .flatMap(({ command, cwd }) =>
        (command.match(/[\w./-]+/g) ?? []).map((word) => path.posix.join(cwd, word)),
      ),
  );
  return new Set(files.filter((file) => words.has(file) && ['docs', 'support'].includes(classify(file))));
}

/** `added`: new files. `old`: those before. */
function findBesideTests(added: readonly string[], old: readonly string[]): ReadonlySet<string> {
  const code = Map.groupBy(old.filter(isCode), (file) => path.posix.dirname(file));
  const isBeside = (file: string): boolean =>
    code.get(path.posix.dirname(file))?.every((one) => isRunnableTest(one) || isTestHelper(one)) ?? false;
  return new Set(added.filter((file) => isCode(file) && isBeside(file)));
}

const setupKey =
  /(?:setup\w*|globalSetup|globalTeardown|require|import|preload|plugins?|snapshotSerializers|testEnvironment|runner|reporters?|loader|file)["']?\s*[:=]\s*(\[[^\]]*\]|["'][^"'\n]*["']|[^\s,}]+)|(?:-r|-p|--require|--import|--loader|--preload|--setup\w*)[ =](\S+)/g;

/** Only their options name a configuration: a program's own would be a file of the product. */
const runners =
  'addopts|ava|behat|biome|c8|coverage|cucumber(?:-js)?|cypress|eslint|flake8|golangci-lint|jasmine|jest|karma|mocha|mypy|nightwatch|nose2|nyc|oxlint|php(?:stan|unit)|playwright|pylint|pytest|rspec|rubocop|ruff|stylelint|tap|testem|tox|vitest|wdio';
const option = String.raw`-c(?=[ =]\S+\.(?:json|ya?ml|toml|ini|cfg)\b)|--(?!no-|print-|find-)(?:[\w-]+-)?config(?:-file|-path)?|--rcfile|--opts`;
const configOption = new RegExp(
  String.raw`(?<![\w-])(?=-)(?<=\b(?:${runners})(?:\.\w+)?[\s=][^\n&|;,]*)(?:${option})[ =]([\w@./-]*[./][\w@./-]*)`,
  'g',
);

function setupsOf(text: string): readonly string[] {
  return [...text.matchAll(setupKey)].flatMap(([, value = '', option = '']) =>
    [...`${value} ${option}`.matchAll(/[\w@./-]*[\w-]/g)]
      .map(([name]) => name)
      .filter((name) => /[./]/.test(name)),
  );
}

/** A name in settings may lack its extension, and is relative to some folder. */
function isMeant(file: string, name: string): boolean {
  const meant = path.posix.normalize(name.replace(/^(?:\.{0,2}\/)+/, ''));
  return [file, file.replace(/\.\w+$/, '')].some((known) => known === meant || known.endsWith(`/${meant}`));
}
