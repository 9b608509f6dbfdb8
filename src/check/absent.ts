// Finds scripts, targets and code files that a check names and that do not exist; says nothing if unsure.
import { programName, readCommands, type SimpleCommand } from './commands.ts';
import { parseObject, placeOf, type ReadFile } from './read-file.ts';
import { findRecipeFile, type RecipeFile } from './scripts.ts';

export type Absent = Readonly<{ name: string; says: string }>;

/** `cwd`: relative to the root. */
export function findAbsent(command: string, cwd: string, read: ReadFile): Absent | undefined {
  // What follows a condition may never run, and not every `cd` leads to a known folder.
  if (/\|\||(?:^|[\s;])(?:if|while|until|case|for)\s|\(\)|\bPATH=|\bcd\s+["']?(?:\.\.|[-$~])/.test(command))
    return undefined;
  for (const [index, simple] of readCommands(command, cwd).entries()) {
    const called = findRecipeFile(simple, read);
    const absent =
      called?.kind === 'script'
        ? findAbsentScript(simple, called)
        : called && findAbsentTarget(simple, called, read);
    const found = absent ?? (index === 0 ? findAbsentFile(simple, read) : undefined);
    if (found) return found;
  }
  return undefined;
}

/** Any other name may be an expansion or a pattern. */
const plainName = /^[\w][\w.-]*(?::[\w.-]+)*$/;

/** After these only a script can be meant; npm starts a server.js without one. */
const surelyScript = /^(?:(?:npm|pnpm)(?: -\S+| --prefix \S+)* (?:run|run-script|test|t|tst)\b|node --run\b)/;
const mayLack = /\s(?:--if-present|-w|--workspaces?|-ws|-r|--recursive|-F|--filter|start|stop|restart)\b/;

function findAbsentScript(
  { words }: SimpleCommand,
  { file, text, recipes, asked }: RecipeFile,
): Absent | undefined {
  const [name = ''] = asked;
  const said = words.join(' ');
  if (!surelyScript.test(said) || mayLack.test(said) || !plainName.test(name)) return undefined;
  if (text === undefined) return { name: 'package.json', says: 'there is no package.json' };
  if (recipes.has(name) || !parseObject(text)) return undefined;
  return { name, says: `${file} has no script ${name}` };
}

function findAbsentTarget(
  { words }: SimpleCommand,
  { file, folder, text, recipes, asked }: RecipeFile,
  read: ReadFile,
): Absent | undefined {
  if (text === undefined) return { name: file, says: `there is no ${file}` };
  const names = [...recipes.keys()];
  // Included files, patterns and computed targets may provide any name.
  if (/[%$]/.test(names.join(' ')) || /^\s*(?:mod|import|-?include|includes:)\b|\$\(eval\b/m.test(text))
    return undefined;
  // After a recipe of just come its arguments.
  const targets = programName(words[0] ?? '') === 'just' ? asked.slice(0, 1) : asked;
  const name = targets.find((target) => !names.includes(target));
  const isFile = name !== undefined && read(placeOf(folder, name) ?? '') !== undefined;
  if (name === undefined || isFile || !plainName.test(name)) return undefined;
  return { name, says: `${file} has no target ${name}` };
}

const code = /\.(?:(?:ba|z)?sh|py|[cm]?[jt]s|rb|pl|php)$/;
const runners = /^(?:(?:ba|da|z|k)?sh|python[\d.]*|node|ruby|perl|php)$/;
const made = /(?:^|\/)(?:node_modules|vendor|\.?venv|env|build|dist|out|target|coverage|tmp)\//;

function findAbsentFile({ words, folder }: SimpleCommand, read: ReadFile): Absent | undefined {
  const [program = '', first = ''] = words;
  const named = runners.test(program) ? first : program.includes('/') ? program : '';
  const file = placeOf(folder, named);
  const isKnown = code.test(named) || /^\.\/(?:gradlew|mvnw)$/.test(named);
  if (file === undefined || named.startsWith('/') || !isKnown || made.test(`${file}/`)) return undefined;
  return read(file) === undefined
    ? { name: file.replace(/^.*\//, ''), says: `there is no ${file}` }
    : undefined;
}
