// Pure. Where a command finds scripts and recipes by name.
import path from 'node:path';
import { optionOf, programName, type SimpleCommand } from './commands.ts';
import { findUpward, parseObject, placeOf, type ReadFile } from './read-file.ts';
import { readRecipes } from './recipes.ts';

/** `asked`: words that may name a recipe. `text`: undefined if there is no such file. */
export type RecipeFile = Readonly<{
  kind: 'script' | 'target';
  file: string;
  folder: string;
  text: string | undefined;
  recipes: ReadonlyMap<string, string>;
  asked: readonly string[];
}>;

export const recipeTools = [
  { tool: 'make', called: /^g?make$/, names: ['GNUmakefile', 'makefile', 'Makefile'], isUpward: false },
  { tool: 'just', called: /^just$/, names: ['justfile', '.justfile', 'Justfile'], isUpward: true },
  {
    tool: 'task',
    called: /^(?:go-)?task$/,
    names: ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml', 'Taskfile.dist.yml'],
    isUpward: true,
  },
] as const;

const packages = {
  deno: { names: ['deno.json', 'deno.jsonc', 'package.json'], section: 'tasks' },
  composer: { names: ['composer.json'], section: 'scripts' },
  npm: { names: ['package.json'], section: 'scripts' },
};
const packageTool = /^(?:npm|pnpm|yarn|bun|deno|composer|run-s|run-p|npm-run-all2?)$/;

/** Undefined if it runs none by name. */
export function findRecipeFile(command: SimpleCommand, read: ReadFile): RecipeFile | undefined {
  const [program = '', ...args] = command.words;
  const name = programName(program);
  const at = optionOf(args, /^(?:-C|-d|--directory|--working-directory|--prefix|--dir|--cwd)$/);
  const start = placeOf(command.folder, at ?? '.') ?? command.folder;
  const asked = args.filter((word, index) => !/^-|=/.test(word) && !valued.test(args[index - 1] ?? ''));
  const tool = recipeTools.find(({ called }) => called.test(name));
  if (tool) return findTargets(tool, { start, asked, args, read });
  const isRun = args.findIndex((word) => /^--run\b/.test(word));
  if (name === 'node' && isRun >= 0)
    return findScripts('npm', { start, asked: [args[isRun]?.split('=')[1] ?? args[isRun + 1] ?? ''], read });
  if (!packageTool.test(name) || (name === 'bun' && asked[0] === 'test')) return undefined;
  const names = asked.filter((word) => !/^(?:run|run-script|task)$/.test(word));
  const meant = names.map((word) => (/^(?:t|tst)$/.test(word) ? 'test' : word));
  return findScripts(name, { start, asked: /^(?:run-|npm-)/.test(name) ? meant : meant.slice(0, 1), read });
}

const valued =
  /^(?:-[CdftIoWwF]|--(?:prefix|dir|cwd|workspace|filter|reporter|loglevel|directory|working-directory|file|makefile|justfile|taskfile))$/;

type Search = Readonly<{ start: string; asked: readonly string[]; read: ReadFile }>;

function findScripts(tool: string, { start, asked, read }: Search): RecipeFile {
  const { names, section } = packages[tool as keyof typeof packages] ?? packages.npm;
  const missing = { file: 'package.json', folder: start, text: undefined };
  const found = findUpward(start, names, read) ?? missing;
  return { kind: 'script', asked, ...found, recipes: scriptsOf(found.text, section) };
}

export function scriptsOf(text = '', section = 'scripts'): ReadonlyMap<string, string> {
  const scripts = Object.entries(parseObject(text)?.[section] ?? {});
  return new Map(scripts.map(([name, script]) => [name, textOf(script)]));
}

/** Composer has lists of commands, Deno objects. */
function textOf(script: unknown): string {
  if (Array.isArray(script)) return script.join('\n');
  return typeof script === 'string'
    ? script
    : String((script as { command?: unknown } | null)?.command ?? '');
}

function findTargets(
  { names, isUpward }: (typeof recipeTools)[number],
  { start, asked, args, read }: Search & Readonly<{ args: readonly string[] }>,
): RecipeFile {
  const named = optionOf(args, /^(?:-f|-t|--file|--makefile|--justfile|--taskfile)$/);
  const found = findUpward(start, named === undefined ? names : [named], read);
  const isThere = found !== undefined && (isUpward || found.folder === start);
  const missing = { file: named ?? names.at(isUpward ? 0 : -1) ?? '', folder: start, text: undefined };
  const target = isThere ? found : missing;
  return { kind: 'target', asked, ...target, recipes: readRecipes(target.file, target.text ?? '') };
}

export function textsBehind(
  { kind, file, recipes, asked, text = '' }: RecipeFile,
  read: ReadFile,
): readonly string[] {
  const all = [...recipes.keys()];
  if (kind === 'script') {
    const meant = asked.flatMap((word) =>
      word.includes('*') ? all.filter((name) => matches(word, name)) : [word],
    );
    return meant
      .flatMap((name) => [`pre${name}`, name, `post${name}`])
      .flatMap((name) => recipes.get(name) ?? []);
  }
  const targets = asked.filter((word) => recipes.has(word));
  const first = all.find((name) => !name.startsWith('.')) ?? '';
  const wanted = new Set(targets.length > 0 ? targets : [first]);
  // Iterating over a set also visits what is added meanwhile.
  for (const name of wanted)
    for (const word of (recipes.get(name) ?? '').split(/[\s,[\](){}'"]+/))
      if (recipes.has(word)) wanted.add(word);
  return [
    ...[...wanted].map((name) => recipes.get(name) ?? ''),
    ...includesOf(file, text).flatMap((one) => [...readRecipes(one, read(one) ?? '').values()]),
  ];
}

const matches = (pattern: string, name: string): boolean =>
  new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '.*')}$`).test(name);

export function includesOf(file: string, text: string): readonly string[] {
  return [...text.matchAll(/^\s*-?include\s+(\S+)|^import\s+['"](.+)['"]/gm)].flatMap(
    ([, one, other]) => placeOf(path.posix.dirname(file), one ?? other ?? '') ?? [],
  );
}
