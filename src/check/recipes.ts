// Pure. What stands in a Makefile, a justfile or a Taskfile, roughly: the names of its targets with the lines below each.
// Variables, conditions and patterns are not evaluated.
import path from 'node:path';
import { findUpward, placeOf, type ReadFile } from './read-file.ts';
import { programName, type SimpleCommand } from './simple-commands.ts';

/** The file that a tool reads, its targets with what each runs, and those that a command names. */
export type RecipeCall = Readonly<{
  file: string;
  text: string;
  folder: string;
  targets: readonly string[];
}>;

const tools = [
  { program: /^g?make$/, names: ['GNUmakefile', 'makefile', 'Makefile'], isUpward: false },
  { program: /^just$/, names: ['justfile', '.justfile', 'Justfile'], isUpward: true },
  {
    program: /^(?:go-)?task$/,
    names: ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml', 'Taskfile.dist.yml'],
    isUpward: true,
  },
] as const;

/** Undefined if the program is none of these tools; `missing`: it has no file to read. */
export function readRecipeCall(
  { program, args, folder }: SimpleCommand,
  read: ReadFile,
): RecipeCall | Readonly<{ missing: string }> | undefined {
  const tool = tools.find((one) => one.program.test(programName(program)));
  if (!tool) return undefined;
  const optionOf = (option: RegExp) => args.find((_, at) => option.test(args[at - 1] ?? ''));
  const start =
    placeOf(folder, optionOf(/^(?:-C|-d|--directory|--working-directory|--dir)$/) ?? '.') ?? folder;
  const named = optionOf(/^(?:-f|-t|--file|--makefile|--justfile|--taskfile)$/);
  const found = findUpward(start, named === undefined ? tool.names : [named], read);
  if (!found || (!tool.isUpward && found.folder !== start))
    return { missing: named ?? tool.names.at(tool.isUpward ? 0 : -1) ?? '' };
  const targets = args.filter(
    (word, at) => !/^-|=/.test(word) && !/^-[CdftIoW]$|^--\w+$/.test(args[at - 1] ?? ''),
  );
  return { ...found, targets };
}

/** The targets of such a file by name, each with the names it runs first and its lines. */
export function readRecipes(file: string, text: string): ReadonlyMap<string, string> {
  const name = path.posix.basename(file);
  const isTask = /askfile/.test(name);
  const header = isTask ? taskHeader(text) : /justfile/i.test(name) ? justHeader : makeHeader;
  const recipes = new Map<string, string>();
  let open: readonly string[] = [];
  let isInside = !isTask;
  for (const line of text.replace(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    if (isTask && /^\S/.test(line)) isInside = line.startsWith('tasks:');
    const [, names = '', more = ''] = (isInside && header.exec(line)) || [];
    const isBelow = /^\s/.test(line) && names === '';
    if (names !== '') open = header === makeHeader ? names.split(/\s+/) : [names];
    else if (!isBelow && line.trim() !== '') open = [];
    const added = names === '' ? commandOf(line) : more;
    if (names !== '' || isBelow)
      for (const each of open) recipes.set(each, `${recipes.get(each) ?? ''}${added}\n`);
  }
  return recipes;
}

const makeHeader = /^([^\s:=#][^:=#]*?)\s*::?(?![=:])\s*([^;]*(?:;.*)?)$/;
const justHeader = /^@?([A-Za-z_][\w-]*)(?:\s[^:]*)?:(?!=)\s*(.*)$/;

function taskHeader(text: string): RegExp {
  const indent = /^tasks:\s*(?:#.*)?\r?\n(?:\s*\r?\n)*([ \t]+)/m.exec(text)?.[1]?.length ?? 2;
  return new RegExp(`^[ \\t]{${indent}}['"]?([\\w:.*-]+)['"]?:\\s*(.*)$`);
}

function commandOf(line: string): string {
  return line
    .trim()
    .replace(/^- /, '')
    .replace(/^(?:cmd|sh|deps|task):\s*/, '')
    .replace(/^[@+-]+/, '');
}
