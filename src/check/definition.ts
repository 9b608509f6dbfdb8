// What a check depends on: the scripts, files and targets that decide what its command does, found by following it through
// package.json, Makefiles, shell scripts and wrappers. Tests are not part of it, and names computed at run time are missed.
import path from 'node:path';
import { defined } from '../defined.ts';
import { nameInterpreted, nameScriptFile, nameShellInput } from './interpreter.ts';
import {
  type Definition,
  type Found,
  join,
  nothing,
  placeOf,
  type ReadFile,
  type ShellText,
} from './named.ts';
import { namePackageScripts } from './package-script.ts';
import { nameRecipes } from './recipe-tool.ts';
import { nameInstalled, nameRunnerFiles } from './runner-files.ts';
import { readCommands, type SimpleCommand } from './shell-words.ts';
import { nameTestConfig } from './test-config.ts';
import { programName, unwrap } from './wrapper.ts';

export type { Definition, ReadFile } from './named.ts';

/**
 * The definitions behind a check's command. `cwd` is its folder relative to the repository's root (`.` for the root
 * itself); `read` gets paths relative to the root.
 */
export function namedByCheck(command: string, cwd: string, read: ReadFile): readonly Definition[] {
  const definitions = new Map<string, Definition>();
  const queue: ShellText[] = [
    { text: command, folder: path.posix.normalize(cwd === '' ? '.' : cwd).replace(/(?<=.)\/$/, '') },
  ];
  const seen = new Set<string>();
  for (const shell of queue) {
    const key = `${shell.folder}\n${shell.text}`;
    if (seen.has(key) || seen.size >= textLimit) continue;
    seen.add(key);
    const found = join(
      placeCommands(shell).map((placed) => nameCommand(placed.command, placed.folder, read)),
    );
    for (const definition of found.definitions) definitions.set(identify(definition), definition);
    queue.push(...found.runs);
  }
  return [...definitions.values()];
}

/** A definition that has changed, with what changed in words. `mayChange`: it may be the work, so it is asked about. */
export type ChangedDefinition = Readonly<{
  file: string;
  key?: string;
  detail: string;
  mayChange?: true;
  /** Replaces `detail` if it says more. */
  complaint?: string;
}>;

/**
 * Globs of what a task may change, relative to the root, and how a glob matches a file. `text`: what the task says in
 * words.
 */
export type Declared = Readonly<{
  globs: readonly string[];
  matches: (file: string, globs: readonly string[]) => boolean;
  text?: string;
}>;

/**
 * Definitions that were changed, deleted, or are now overruled by others. `declared` is the task's `files:`, which it may
 * change: a file by any glob that is more than wildcards, a part of a file (a script in package.json) only by the file's
 * own name. A new definition counts only if it hooks into an existing one, or if a program reads it by itself. A file that
 * the task's text names is also exempt from being asked about.
 */
export function changedDefinitions(
  before: readonly Definition[],
  after: readonly Definition[],
  declared: Declared,
): readonly ChangedDefinition[] {
  const [was, now] = [byIdentity(before), byIdentity(after)];
  const changed = before.filter((definition) => now.get(identify(definition))?.digest !== definition.digest);
  const left = before.filter((definition) => now.has(identify(definition)));
  const isNew = (definition: Definition): boolean =>
    !was.has(identify(definition)) && (definition.readBy !== undefined || hooksInto(definition, left));
  return [...changed, ...after.filter(isNew)]
    .filter((definition) => !declared.globs.some((glob) => isDeclared(definition, glob, declared.matches)))
    .map((definition) => describeChange(was.get(identify(definition)), now.get(identify(definition))))
    .filter(({ file, mayChange }) => !mayChange || !namesFile(declared.text ?? '', file));
}

/** The first file of these definitions that a task may change by its `files:`. */
export function findDeclared(
  definitions: readonly Definition[],
  { globs, matches }: Declared,
): string | undefined {
  return definitions.find((definition) => globs.some((glob) => isDeclared(definition, glob, matches)))?.file;
}

function describeChange(was: Definition | undefined, now: Definition | undefined): ChangedDefinition {
  const { file = '', key, mayChange } = was ?? now ?? {};
  const detail = formatChange(was, now);
  const isRead = mayChange || (!was && now?.readBy !== undefined);
  const complaint = was ? undefined : now?.complaint;
  return { file, ...defined({ key, complaint }), detail, ...(isRead ? { mayChange: true } : {}) };
}

/** Whether a text names a file by its path, or by its last name. */
export function namesFile(text: string, file: string): boolean {
  const name = path.posix.basename(file).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\w.-])${name}(?![\\w-]|\\.\\w)`).test(text);
}

/**
 * The definitions that apply from now on, after a person changed files while nothing else ran: `left` is what was named
 * before that, `now` after it. What the person did not touch stays as it was at the `start`, whether or not it has changed
 * since. `changed` names what was accepted.
 */
export function mergeDefinitions(
  { start, left, now }: Readonly<Record<'start' | 'left' | 'now', readonly Definition[]>>,
  files: readonly string[],
): Readonly<{ definitions: readonly Definition[]; changed: readonly string[] }> {
  const [was, is] = [byIdentity(left), byIdentity(now)];
  const touched = [...new Map([...was, ...is]).values()].filter(
    (one) => files.includes(one.file) && was.get(identify(one))?.digest !== is.get(identify(one))?.digest,
  );
  const ids = new Set(touched.map(identify));
  return {
    definitions: [
      ...start.filter((one) => !ids.has(identify(one))),
      ...now.filter((one) => ids.has(identify(one))),
    ],
    changed: touched.map(nameDefinition),
  };
}

/** As a person is told of it: `scripts.test in package.json`, or the file. */
export function nameDefinition({ file, key }: Pick<Definition, 'file' | 'key'>): string {
  return key === undefined ? file : `${key} in ${file}`;
}

const textLimit = 300;

const byIdentity = (definitions: readonly Definition[]): ReadonlyMap<string, Definition> =>
  new Map(definitions.map((definition) => [identify(definition), definition]));

const identify = ({ file, key }: Definition): string => `${file}\n${key ?? ''}`;

/** `pretest` or `posttest` beside an existing `test`, or a second recipe for an existing target. */
function hooksInto({ file, key = '' }: Definition, before: readonly Definition[]): boolean {
  if (/^target /.test(key)) return before.some((other) => other.key === key);
  const owner = /^(scripts|tasks)\.(?:pre|post)(.+)$/.exec(key);
  return (
    owner !== null && before.some((other) => other.file === file && other.key === `${owner[1]}.${owner[2]}`)
  );
}

function isDeclared({ file, key }: Definition, entry: string, matches: Declared['matches']): boolean {
  const glob = path.posix.normalize(entry.trim());
  if (glob === file) return true;
  if (key !== undefined || !/[^*/.]/.test(glob)) return false;
  // A glob without a slash would match in any folder: here it means the root.
  return file.startsWith(`${glob.replace(/\/$/, '')}/`) || matches(file, [`./${glob}`]);
}

function formatChange(was: Definition | undefined, now: Definition | undefined): string {
  const named = (definition: Definition): string => definition.key ?? definition.file;
  const quote = (text: string): string => {
    const line = [...text.replace(/\s+/g, ' ').trim()];
    return `“${line.length > 160 ? `${line.slice(0, 159).join('')}…` : line.join('')}”`;
  };
  if (was && !now) return `${named(was)} was deleted, or no longer decides what the check runs`;
  if (!was)
    return now ? `${named(now)} was added${now.text === '' ? '' : `: ${quote(now.text)}`}` : 'changed';
  if (was.key === undefined || !now) return `${named(was)} was changed`;
  return `${was.key} was ${quote(was.text)}, is now ${quote(now.text)}`;
}

/** A command and its folder, relative to the root. */
export type Placed = Readonly<{ command: SimpleCommand; folder: string }>;

/** The commands of a text, each with the folder that earlier `cd`s lead to. */
export function placeCommands({ text, folder }: ShellText): readonly Placed[] {
  const folders = [folder];
  const placed: Placed[] = [];
  for (const piece of readCommands(text)) {
    const here = folders.at(-1) ?? folder;
    if (piece === 'open') folders.push(here);
    else if (piece === 'close') folders.splice(Math.max(1, folders.length - 1));
    else if (/^(?:cd|pushd)$/.test(piece.words[0] ?? '')) {
      const target = piece.words.slice(1).find((word) => word !== '--') ?? '';
      folders[folders.length - 1] = placeOf(here, target) ?? here;
    } else placed.push({ command: piece, folder: here });
  }
  return placed;
}

/**
 * What one command of a shell text names if it runs in the folder: strips wrappers, then asks each finder in turn. Follows
 * nothing further.
 */
function nameCommand(command: SimpleCommand, folder: string, read: ReadFile): Found {
  const inner = unwrap(command.words);
  if (!inner) return nothing;
  const program = programName(inner.program);
  const where = { folder, read };
  const paths = assigned(command, 'PYTHONPATH').split(':');
  const configs = [...inner.through, program].flatMap((name) =>
    [nameTestConfig, nameRunnerFiles].flatMap((find) =>
      find(name, name === program ? [...inner.args, ...paths] : [], where),
    ),
  );
  const isOwn =
    /[/]|\.\w+$/.test(inner.program) &&
    !/(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)\//.test(inner.program);
  const installed = isOwn ? [] : nameInstalled(program, where);
  const own = isOwn ? nameScriptFile(inner.program, where) : nothing;
  const named =
    own.definitions.length > 0
      ? own
      : join([
          nameShellInput(program, inner.args, { ...where, input: command }) ??
            namePackageScripts(program, inner.args, where) ??
            nameRecipes(program, inner.args, where) ??
            nothing,
          nameInterpreted(program, inner.args, where) ?? nothing,
          nameQuoted(program, inner.args, folder),
          { definitions: [], runs: [{ text: `node ${assigned(command, 'NODE_OPTIONS')}`, folder }] },
        ]);
  return join([{ definitions: [...configs, ...installed], runs: [] }, named]);
}

/** What a variable is set to before the program; empty if it is not. */
function assigned({ words }: SimpleCommand, name: string): string {
  return words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}

/** Commands that other programs take as arguments: `concurrently "npm run x" npm:y`, `find -exec`. */
function nameQuoted(program: string, args: readonly string[], folder: string): Found {
  return { definitions: [], runs: quotedTexts(program, args).map((text) => ({ text, folder })) };
}

function quotedTexts(program: string, args: readonly string[]): readonly string[] {
  if (/^(?:concurrently|conc|start-server-and-test|nix-shell|watchexec|nodemon|su)$/.test(program))
    return args.map((arg) => arg.replace(/^npm:/, 'npm run '));
  if (/^(?:tox|nox|hatch)$/.test(program)) return ['pytest'];
  if (program === 'find' && args.includes('-exec')) return [args.slice(args.indexOf('-exec') + 1).join(' ')];
  if (program === 'coverage' && args[0] === 'run') return [`python ${args.slice(1).join(' ')}`];
  return [];
}
