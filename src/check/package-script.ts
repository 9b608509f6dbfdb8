// Finds the scripts of package.json (and tasks of deno.json) that a package manager runs. Lists no folders, so workspaces
// are found by name only; `package-call.ts` parses the command lines.

import path from 'node:path';
import { quoteForShell } from '../shell-word.ts';
import { define, type Found, findUpward, join, nothing, placeOf, type ReadFile } from './named.ts';
import { type PackageCall, readPackageCall } from './package-call.ts';

/** The scripts a command runs, with what runs before and after each; undefined if the program is not a package manager. */
export function namePackageScripts(
  program: string,
  args: readonly string[],
  { folder, read }: Readonly<{ folder: string; read: ReadFile }>,
): Found | undefined {
  const call = readPackageCall(program, args);
  if (!call) return undefined;
  const start = call.folder === undefined ? folder : (placeOf(folder, call.folder) ?? folder);
  const names = call.file === 'deno.json' ? ['deno.json', 'deno.jsonc', 'package.json'] : [call.file];
  const found = findUpward(start, names, read);
  if (!found) return nothing;
  const packages =
    call.workspaces.length === 0
      ? [found]
      : call.workspaces.flatMap((name) => findWorkspace(found, name, read));
  return join(packages.map((at) => nameScripts(at, call)));
}

type Package = Readonly<{ file: string; folder: string; text: string }>;
/** The packages that a workspace's name, path or `*` means, as far as they can be found without listing folders. */
function findWorkspace(root: Package, wanted: string, read: ReadFile): readonly Package[] {
  const listed = parseObject(root.text)?.['workspaces'];
  const named = Array.isArray(listed) ? listed : (listed as { packages?: unknown } | undefined)?.packages;
  const globs: readonly string[] = Array.isArray(named) ? named.map(String) : [];
  const name = wanted.replace(/^\.\.\.\^?|\^?\.\.\.$|^\{|\}$/g, '');
  const last = name.replace(/^.*\//, '');
  const guesses = [...globs, 'packages/*', 'apps/*'].map((glob) => glob.replace(/\*+.*$/, last));
  const folders = wanted === '*' ? globs : [name, ...guesses];
  const found = folders.flatMap((folder) => {
    const at = placeOf(root.folder, folder);
    const file = at === undefined ? undefined : path.posix.join(at, 'package.json');
    const text = file === undefined ? undefined : read(file);
    return at !== undefined && file !== undefined && text !== undefined ? [{ file, folder: at, text }] : [];
  });
  const exact = found.filter(({ text }) => parseObject(text)?.['name'] === name);
  return wanted === '*' ? found : (exact.length > 0 ? exact : found).slice(0, 1);
}

function nameScripts(at: Package, call: PackageCall): Found {
  const section = path.posix.basename(at.file).startsWith('deno') ? 'tasks' : 'scripts';
  const parsed = parseObject(at.text);
  // Text that does not parse may say anything: all of it counts.
  if (!parsed) return { definitions: [define(at.file, undefined, at.text)], runs: [] };
  const scripts = (parsed[section] ?? {}) as Readonly<Record<string, unknown>>;
  const names = call.names.flatMap((name) => matchNames(name, Object.keys(scripts)));
  const whole = names
    .flatMap((name) => [`pre${name}`, name, `post${name}`])
    .filter((name) => Object.hasOwn(scripts, name));
  const isBinary = call.bare && names.every((name) => !Object.hasOwn(scripts, name));
  if (isBinary)
    return { definitions: [], runs: [{ text: quote([...call.names, ...call.more]), folder: at.folder }] };
  return {
    definitions: whole.map((name) => define(at.file, `${section}.${name}`, textOf(scripts[name]))),
    runs: whole.map((name) => {
      const more = names.includes(name) ? ` ${quote(call.more)}` : '';
      return { text: textOf(scripts[name]) + more, folder: at.folder };
    }),
  };
}

/**
 * Script names that a word of npm-run-all means: itself, or what its `*` matches within one `:` part and `**` across all.
 */
function matchNames(word: string, names: readonly string[]): readonly string[] {
  const [name = ''] = word.split(' ');
  if (!name.includes('*')) return [name];
  const source = name
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, (stars) => (stars === '*' ? '[^:]*' : '.*'));
  return names.filter((other) => new RegExp(`^${source}$`).test(other));
}

const quote = (words: readonly string[]): string => words.map(quoteForShell).join(' ');

function textOf(script: unknown): string {
  if (typeof script === 'string') return script;
  const command = (script as { command?: unknown } | null)?.command;
  return typeof command === 'string' ? command : (JSON.stringify(script) ?? '');
}

/** A JSON object, with `//` comment lines allowed; undefined for other text. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  for (const tried of [text, text.replace(/^[ \t]*\/\/.*$/gm, '')]) {
    try {
      const value: unknown = JSON.parse(tried.replace(/^\uFEFF/, ''));
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? (value as Record<string, unknown>)
        : undefined;
    } catch {}
  }
  return undefined;
}
