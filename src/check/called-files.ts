// Pure. The code files that a check runs: those its own words name, and those of the scripts, recipes and shell files that
// it calls. Tests are left out, for work may add to them; what files a runner reads, their names tell (`proof/classes.ts`).
import path from 'node:path';
import { isTestFile } from './language.ts';
import { readScriptCall, textsOfScripts } from './package-scripts.ts';
import { placeOf, type ReadFile } from './read-file.ts';
import { readRecipeCall, readRecipes } from './recipes.ts';
import { programName, readCommands, type SimpleCommand } from './simple-commands.ts';

/** What a command calls. `recipes`: package.json, a Makefile and the like, where it names a script or target of theirs. */
export type Called = Readonly<{
  files: readonly string[];
  recipes: readonly string[];
  programs: readonly string[];
}>;

const mostTexts = 300;

/** Follows a command through what it runs. `cwd`: its folder, relative to the root. */
export function findCalled(command: string, cwd: string, read: ReadFile): Called {
  const files = new Set<string>();
  const recipes = new Set<string>();
  const programs = new Set<string>();
  const seen = new Set<string>();
  const queue = [
    { text: command, folder: path.posix.normalize(cwd === '' ? '.' : cwd).replace(/(?<=.)\/$/, '') },
  ];
  for (const { text, folder } of queue) {
    if (seen.has(`${folder}\n${text}`) || seen.size >= mostTexts) continue;
    seen.add(`${folder}\n${text}`);
    for (const simple of readCommands(text, folder)) {
      programs.add(programName(simple.program));
      const behind = textsBehind(simple, read);
      for (const file of behind.files) recipes.add(file);
      queue.push(...behind.texts);
      for (const file of filesRun(simple, read)) {
        files.add(file);
        const content = read(file) ?? '';
        if (
          /\.(?:ba|z|k)?sh$/.test(file) ||
          /^#!.*\b(?:ba|da|z|k|a)?sh\b/.test(content) ||
          isGivenToShell(simple)
        )
          queue.push({
            text: placeOwnFolder(
              content,
              path.posix.relative(simple.folder, path.posix.dirname(file)) || '.',
            ),
            folder: simple.folder,
          });
      }
    }
  }
  return { files: [...files], recipes: [...recipes], programs: [...programs] };
}

const shell = /^(?:ba|da|z|k|a)?sh$|^(?:source|\.)$/;
const interpreter = new RegExp(
  `${shell.source}|^(?:node|tsx|ts-node|bun|deno|python[\\d.]*|pypy\\d*|ruby|perl|php|Rscript|lua)$`,
);

const isGivenToShell = ({ program }: SimpleCommand): boolean => shell.test(programName(program));

/** The program itself, what an interpreter is given, and words such as `./x`. */
function filesRun({ program, args, folder }: SimpleCommand, read: ReadFile): readonly string[] {
  const isInterpreter = interpreter.test(programName(program));
  const first = args.findIndex((word) => !/^-|^run$/.test(word));
  const module = args[args.indexOf('-m') + 1] ?? '';
  const named = [
    ...(/[/]|\.\w+$/.test(program) ? [program] : []),
    ...args.filter(
      (word, at) =>
        word.startsWith('./') || (isInterpreter && (at === first || loads.test(args[at - 1] ?? ''))),
    ),
    ...(args.includes('-m') && isInterpreter ? modulePlaces(module) : []),
    ...args.flatMap((word) => /^--(?:import|require|loader)=(.+)/.exec(word)?.[1] ?? []),
  ];
  return named.flatMap((name) => {
    const file = placeOf(folder, name);
    const isCode = file !== undefined && read(file) !== undefined && !isTestFile(file);
    return isCode && !/(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)\//.test(file) ? [file] : [];
  });
}

const loads = /^(?:-r|--require|--import|--loader|--preload)$/;

function modulePlaces(module: string): readonly string[] {
  const place = module.replaceAll('.', '/');
  return [`${place}.py`, `${place}/__main__.py`, `${place}/__init__.py`];
}

type Behind = Readonly<{
  files: readonly string[];
  texts: readonly Readonly<{ text: string; folder: string }>[];
}>;

function textsBehind(simple: SimpleCommand, read: ReadFile): Behind {
  const scripts = readScriptCall(simple, read);
  if (scripts)
    return {
      files: scripts.file === undefined ? [] : [scripts.file],
      texts: textsOfScripts(scripts).map((text) => ({ text, folder: scripts.folder })),
    };
  const recipes = readRecipeCall(simple, read);
  if (!recipes || 'missing' in recipes) return { files: [], texts: [] };
  const { file, text, folder, targets } = recipes;
  const known = readRecipes(file, text);
  const first = [...known.keys()].find((name) => !name.startsWith('.'));
  const wanted = new Set(targets.length > 0 ? targets : [first ?? '']);
  // Iterating over a set also visits what is added meanwhile.
  for (const name of wanted)
    for (const word of expand(known.get(name) ?? '', text).split(/[\s,[\](){}'"]+/))
      if (known.has(word)) wanted.add(word);
  const places = [...text.matchAll(/^\s*-?include\s+(\S+)|^import\s+['"](.+)['"]/gm)].flatMap(
    ([, one, other]) => placeOf(path.posix.dirname(file), one ?? other ?? '') ?? [],
  );
  const included = places.flatMap((place) => [...readRecipes(place, read(place) ?? '').values()]);
  const lines = [...[...wanted].map((name) => known.get(name) ?? ''), ...included];
  return { files: [file, ...places], texts: lines.map((line) => ({ text: expand(line, text), folder })) };
}

function expand(line: string, text: string): string {
  const values = new Map(
    [...text.matchAll(/^(?:export\s+)?([A-Za-z_]\w*)\s*(?:[:?+]?=|:)\s*(.+)$/gm)].map(
      ([, name = '', value = '']) => [name, value.replace(/^(['"])(.*)\1$/, '$2')],
    ),
  );
  const fill = (one: string): string =>
    one.replace(/\$[({](\w+)[)}]|\{\{\s*\.?(\w+)\s*\}\}/g, (whole, make, other) =>
      make === 'MAKE' ? 'make' : (values.get(make ?? other) ?? whole),
    );
  return fill(fill(line));
}

/** `$(dirname "$0")` and its like, which a script uses for its own folder. */
function placeOwnFolder(text: string, folder: string): string {
  const source = String.raw`"?\$(?:0|\{0\}|BASH_SOURCE|\{BASH_SOURCE(?:\[0\])?(?:-\$0)?\})"?`;
  return text
    .replace(new RegExp(String.raw`\$\(\s*dirname\s+(?:--\s+)?${source}\s*\)`, 'g'), folder)
    .replace(/\$\{(?:0|BASH_SOURCE(?:\[0\])?)%\/\*\}/g, folder)
    .replace(/\$\(\s*cd\s+(?:--\s+)?"?([^"$()&;]+)"?\s*(?:>\s*\S+\s*)?(?:&&|;)\s*pwd[^)]*\)/g, '$1');
}
