// Pure. Which files decide a check although their names do not say so: the program that its command runs, and what a
// runner's settings load before the tests. Words are compared, nothing is followed.
import path from 'node:path';

/** The files among `files` that the commands run or that settings load. `settings`: texts of configuration files. */
export function findNamedFiles(
  files: readonly string[],
  { commands, settings }: Readonly<{ commands: readonly string[]; settings: readonly string[] }>,
): ReadonlySet<string> {
  const run = new Set(commands.flatMap(programsOf));
  const loaded = settings.flatMap(setupsOf);
  return new Set(files.filter((file) => run.has(file) || loaded.some((name) => isMeant(file, name))));
}

const interpreter =
  /^(?:.*\/)?(?:(?:ba|z|da)?sh|node|bun|deno|tsx|ts-node|python[\d.]*|ruby|perl|php|Rscript|lua|make|source|\.)$/;

/** Of each simple command, the file that it runs: itself, or what an interpreter is given. */
function programsOf(command: string): readonly string[] {
  const commands: string[][] = [[]];
  for (const [token] of command.matchAll(
    /(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s;|&()"'\\])+|&&|\|\||[;|&()\n]/g,
  )) {
    if (/^(?:&&|\|\||[;|&()\n])$/.test(token)) commands.push([]);
    else commands.at(-1)?.push(token.replaceAll(/["']/g, ''));
  }
  return commands.flatMap((words) => {
    const at = words.findIndex((word) => !/^\w+=/.test(word) && !prefixes.has(word));
    const [program = '', ...rest] = words.slice(Math.max(at, 0));
    const file = interpreter.test(program)
      ? rest.find((word) => !word.startsWith('-') && word !== 'run')
      : program;
    return file === undefined ? [] : [path.posix.normalize(file)];
  });
}

const prefixes = new Set('exec env time then do else ! npx'.split(' '));

const setupKey =
  /(?:setup\w*|globalSetup|globalTeardown|require|import|preload|plugins?|snapshotSerializers|testEnvironment|runner|reporters?|loader|file)["']?\s*[:=]\s*(\[[^\]]*\]|["'][^"'\n]*["']|[^\s,}]+)|(?:-r|-p|--require|--import|--loader|--preload|--setup\w*)[ =](\S+)/g;

/** Names that a configuration text gives to what is loaded before tests. */
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
