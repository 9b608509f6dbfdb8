// Finds what a check names that does not exist: a script of package.json, a target of make, just or task, a code file. Says
// nothing if a command could create it or if it cannot be sure.
import { nearest } from '../nearest.ts';
import { placeCommands } from './definition.ts';
import { findUpward, placeOf, type ReadFile } from './named.ts';
import { readPackageCall } from './package-call.ts';
import { parseObject } from './package-script.ts';
import { readRecipeCall } from './recipe-tool.ts';
import { programName, unwrap } from './wrapper.ts';

/** What is missing: its name as a text would use it, and the sentence that says so. */
export type Absent = Readonly<{ name: string; says: string }>;

/** The first thing that a check's command names and that is missing; `cwd` and `read` as for `namedByCheck`. */
export function findAbsent(command: string, cwd: string, read: ReadFile): Absent | undefined {
  // What follows a condition may never run, and not every `cd` leads to a known folder.
  if (/\|\||(?:^|[\s;])(?:if|while|until|case|for)\s|\(\)|\bPATH=|\bcd\s+["']?(?:\.\.|[-$~])/.test(command))
    return undefined;
  const placed = placeCommands({ text: command, folder: cwd });
  for (const [index, { command: simple, folder }] of placed.entries()) {
    const inner = unwrap(simple.words);
    if (!inner) continue;
    const call = { program: inner.program, args: inner.args, folder, read };
    const absent =
      findAbsentScript(call) ?? findAbsentTarget(call) ?? (index === 0 ? findAbsentFile(call) : undefined);
    if (absent) return absent;
  }
  return undefined;
}

type Call = Readonly<{ program: string; args: readonly string[]; folder: string; read: ReadFile }>;

/** Names of scripts and targets as people write them; any other may be an expansion or a pattern. */
const plainName = /^[\w][\w.-]*(?::[\w.-]+)*$/;

function findAbsentScript({ program, args, folder, read }: Call): Absent | undefined {
  const call = readPackageCall(programName(program), args);
  if (!call || call.bare || call.workspaces.length > 0 || call.file !== 'package.json') return undefined;
  // yarn and bun use the same word for programs, files and scripts; npm starts a server.js without a script.
  if (/^(?:yarn|bun)$/.test(program) || args.includes('--if-present')) return undefined;
  const start = call.folder === undefined ? folder : placeOf(folder, call.folder);
  const [name = ''] = call.names;
  if (start === undefined || !plainName.test(name) || /^(?:start|stop|restart)$/.test(name)) return undefined;
  const found = findUpward(start, ['package.json'], read);
  if (!found) return { name: 'package.json', says: 'there is no package.json' };
  const parsed = parseObject(found.text);
  const scripts = (parsed?.['scripts'] ?? {}) as Readonly<Record<string, unknown>>;
  if (!parsed || Object.hasOwn(scripts, name)) return undefined;
  return { name, says: `${found.file} has no script ${name}${meaning(name, Object.keys(scripts))}` };
}

function findAbsentTarget({ program, args, folder, read }: Call): Absent | undefined {
  const call = readRecipeCall(programName(program), args, { folder, read });
  if (!call) return undefined;
  if ('isMissing' in call) return { name: call.name, says: `there is no ${call.name}` };
  const [main] = call.files;
  // Included files, patterns and computed targets may provide any name.
  if (!main || call.files.some(({ book }) => book.includes.length > 0)) return undefined;
  const names = [...main.book.recipes.keys()];
  if (/[%$]/.test(names.join(' ')) || /^\s*(?:mod|import)\b|\$\(eval\b/m.test(main.text)) return undefined;
  const name = call.targets
    .slice(0, isJust(program) ? 1 : undefined)
    .find((target) => !names.includes(target));
  const isFile = name !== undefined && read(placeOf(call.folder, name) ?? '') !== undefined;
  if (name === undefined || isFile || !plainName.test(name)) return undefined;
  return { name, says: `${main.file} has no target ${name}${meaning(name, names)}` };
}

/** What follows a recipe of just are its arguments. */
function isJust(program: string): boolean {
  return programName(program) === 'just';
}

function meaning(name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  return meant === undefined ? '' : ` (did you mean ${meant}?)`;
}

const code = /\.(?:(?:ba|z)?sh|py|[cm]?[jt]s|rb|pl|php)$/;
const runners = /^(?:(?:ba|da|z|k)?sh|python[\d.]*|node|ruby|perl|php)$/;
/** Folders whose content is installed or built. */
const made = /(?:^|\/)(?:node_modules|vendor|\.?venv|env|build|dist|out|target|coverage|tmp)\//;

/** A code file that the command begins with, by itself or after its interpreter. */
function findAbsentFile({ program, args, folder, read }: Call): Absent | undefined {
  const named = runners.test(program) ? (args[0] ?? '') : program.includes('/') ? program : '';
  const file = placeOf(folder, named);
  const isKnown = code.test(named) || /^\.\/(?:gradlew|mvnw)$/.test(named);
  if (file === undefined || named.startsWith('/') || !isKnown || made.test(`${file}/`)) return undefined;
  return read(file) === undefined
    ? { name: file.replace(/^.*\//, ''), says: `there is no ${file}` }
    : undefined;
}
