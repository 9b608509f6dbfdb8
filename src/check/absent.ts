// Finds what a check names that does not exist: a script of package.json, a target of make, just or task, a code file. Says
// nothing if a command could create it or if it cannot be sure.
import { nearest } from '../nearest.ts';
import { readScriptCall } from './package-scripts.ts';
import { placeOf, type ReadFile } from './read-file.ts';
import { readRecipeCall, readRecipes } from './recipes.ts';
import { programName, readCommands, type SimpleCommand } from './simple-commands.ts';

/** What is missing: its name as a text would use it, and the sentence that says so. */
export type Absent = Readonly<{ name: string; says: string }>;

/** The first thing that a check's command names and that is missing; `cwd`: its folder, relative to the root. */
export function findAbsent(command: string, cwd: string, read: ReadFile): Absent | undefined {
  // What follows a condition may never run, and not every `cd` leads to a known folder.
  if (/\|\||(?:^|[\s;])(?:if|while|until|case|for)\s|\(\)|\bPATH=|\bcd\s+["']?(?:\.\.|[-$~])/.test(command))
    return undefined;
  for (const [index, simple] of readCommands(command, cwd).entries()) {
    const absent =
      findAbsentScript(simple, read) ??
      findAbsentTarget(simple, read) ??
      (index === 0 ? findAbsentFile(simple, read) : undefined);
    if (absent) return absent;
  }
  return undefined;
}

/** Names of scripts and targets as people write them; any other may be an expansion or a pattern. */
const plainName = /^[\w][\w.-]*(?::[\w.-]+)*$/;

function findAbsentScript(simple: SimpleCommand, read: ReadFile): Absent | undefined {
  const call = readScriptCall(simple, read);
  const [name = ''] = call?.names ?? [];
  // npm starts a server.js without a script.
  if (!call?.isSure || !call.scripts || !plainName.test(name) || /^(?:start|stop|restart)$/.test(name))
    return undefined;
  if (call.file === undefined) return { name: 'package.json', says: 'there is no package.json' };
  if (Object.hasOwn(call.scripts, name)) return undefined;
  return { name, says: `${call.file} has no script ${name}${meaning(name, Object.keys(call.scripts))}` };
}

function findAbsentTarget(simple: SimpleCommand, read: ReadFile): Absent | undefined {
  const call = readRecipeCall(simple, read);
  if (!call) return undefined;
  if ('missing' in call) return { name: call.missing, says: `there is no ${call.missing}` };
  const { file, text, folder, targets } = call;
  const names = [...readRecipes(file, text).keys()];
  // Included files, patterns and computed targets may provide any name.
  if (/[%$]/.test(names.join(' ')) || /^\s*(?:mod|import|-?include|includes:)\b|\$\(eval\b/m.test(text))
    return undefined;
  // What follows a recipe of just are its arguments.
  const asked = programName(simple.program) === 'just' ? targets.slice(0, 1) : targets;
  const name = asked.find((target) => !names.includes(target));
  const isFile = name !== undefined && read(placeOf(folder, name) ?? '') !== undefined;
  if (name === undefined || isFile || !plainName.test(name)) return undefined;
  return { name, says: `${file} has no target ${name}${meaning(name, names)}` };
}

function meaning(name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  return meant === undefined ? '' : ` (did you mean ${meant}?)`;
}

const code = /\.(?:(?:ba|z)?sh|py|[cm]?[jt]s|rb|pl|php)$/;
const runners = /^(?:(?:ba|da|z|k)?sh|python[\d.]*|node|ruby|perl|php)$/;
const made = /(?:^|\/)(?:node_modules|vendor|\.?venv|env|build|dist|out|target|coverage|tmp)\//;

/** A code file that the command begins with, by itself or after its interpreter. */
function findAbsentFile({ program, args, folder }: SimpleCommand, read: ReadFile): Absent | undefined {
  const named = runners.test(program) ? (args[0] ?? '') : program.includes('/') ? program : '';
  const file = placeOf(folder, named);
  const isKnown = code.test(named) || /^\.\/(?:gradlew|mvnw)$/.test(named);
  if (file === undefined || named.startsWith('/') || !isKnown || made.test(`${file}/`)) return undefined;
  return read(file) === undefined
    ? { name: file.replace(/^.*\//, ''), says: `there is no ${file}` }
    : undefined;
}
