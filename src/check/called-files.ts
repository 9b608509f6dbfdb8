// Pure. The code files that a check runs, also by way of scripts and recipes; not tests, for work may add to them.
import path from 'node:path';
import { classify } from './classes.ts';
import { programName, readCommands, type SimpleCommand } from './commands.ts';
import { placeOf, type ReadFile } from './read-file.ts';
import { findRecipeFile, includesOf, textsBehind } from './scripts.ts';

export type Called = Readonly<{
  files: readonly string[];
  recipes: readonly string[];
  programs: readonly string[];
}>;

const mostTexts = 300;

/** `cwd`: relative to the root. */
export function findCalled(command: string, cwd: string, read: ReadFile): Called {
  const [files, recipes, programs] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const folder = path.posix.normalize(cwd === '' ? '.' : cwd).replace(/(?<=.)\/$/, '');
  const queue = new Map([[`${folder}\n${command}`, { text: command, folder }]]);
  const push = (text: string, at: string): void => {
    if (queue.size < mostTexts) queue.set(`${at}\n${text}`, { text, folder: at });
  };
  // Iterating over a map also visits what is added meanwhile.
  for (const { text, folder: here } of queue.values())
    for (const simple of readCommands(text, here)) {
      programs.add(programName(simple.words[0] ?? ''));
      const called = findRecipeFile(simple, read);
      if (called?.text !== undefined) {
        for (const file of [called.file, ...includesOf(called.file, called.text)]) recipes.add(file);
        for (const behind of textsBehind(called, read)) push(behind, called.folder);
      }
      for (const file of filesRun(simple, read)) {
        files.add(file);
        const content = read(file) ?? '';
        if (isShellFile(file, content, simple))
          push(placeOwnFolder(content, file, simple.folder), simple.folder);
      }
    }
  return { files: [...files], recipes: [...recipes], programs: [...programs] };
}

const shell = /^(?:ba|da|z|k|a)?sh$|^(?:source|\.)$/;

const interpreter = new RegExp(
  `${shell.source}|^(?:node|tsx|ts-node|bun|deno|python[\\d.]*|pypy\\d*|ruby|perl|php|Rscript|lua)$|\\$`,
);

const isShellFile = (file: string, content: string, { words }: SimpleCommand): boolean =>
  /\.(?:ba|z|k)?sh$/.test(file) ||
  /^#!.*\b(?:ba|da|z|k|a)?sh\b/.test(content) ||
  shell.test(programName(words[0] ?? ''));

function filesRun({ words, folder }: SimpleCommand, read: ReadFile): readonly string[] {
  const [program = '', ...args] = words;
  const isInterpreter = interpreter.test(programName(program));
  const first = args.findIndex((word) => !/^-|^run$/.test(word));
  const isLoaded = (at: number) => at === first || loads.test(args[at - 1] ?? '');
  const module = args[args.indexOf('-m') + 1]?.replaceAll('.', '/');
  const named = [
    ...(/[/]|\.\w+$/.test(program) ? [program] : []),
    ...args.filter((word, at) => word.startsWith('./') || (isInterpreter && isLoaded(at))),
    ...(args.includes('-m') && isInterpreter
      ? [`${module}.py`, `${module}/__main__.py`, `${module}/__init__.py`]
      : []),
    ...args.flatMap((word) => /^--(?:import|require|loader)=(.+)/.exec(word)?.[1] ?? []),
  ];
  return named.flatMap((name) => {
    const file = placeOf(folder, name);
    const isCode = file !== undefined && read(file) !== undefined && !isTest(file);
    return isCode && !/(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)\//.test(file) ? [file] : [];
  });
}

const loads = /^(?:-r|--require|--import|--loader|--preload)$/;
const isTest = (file: string): boolean => classify(file) === 'test' && !/\.(?:ba|z|k)?sh$/.test(file);

/** For `$(dirname "$0")` and the like: the file's folder, relative to where it runs. */
function placeOwnFolder(text: string, file: string, folder: string): string {
  const own = path.posix.relative(folder, path.posix.dirname(file)) || '.';
  const source = String.raw`"?\$(?:0|\{0\}|BASH_SOURCE|\{BASH_SOURCE(?:\[0\])?(?:-\$0)?\})"?`;
  return text
    .replace(new RegExp(String.raw`\$\(\s*dirname\s+(?:--\s+)?${source}\s*\)`, 'g'), own)
    .replace(/\$\{(?:0|BASH_SOURCE(?:\[0\])?)%\/\*\}/g, own)
    .replace(/\$\(\s*cd\s+(?:--\s+)?"?([^"$()&;]+)"?\s*(?:>\s*\S+\s*)?(?:&&|;)\s*pwd[^)]*\)/g, '$1');
}
