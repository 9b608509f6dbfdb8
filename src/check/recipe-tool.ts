// Parses the command lines of make, just and task: which recipe file they read, and which targets they run.
import path from 'node:path';
import { parseJustfile } from './justfile.ts';
import { parseMakefile } from './makefile.ts';
import { type Found, findUpward, nothing, placeOf, type ReadFile } from './named.ts';
import { readOptions } from './options.ts';
import { nameTargets, type RecipeBook, type RecipeFile } from './recipe.ts';
import { parseTaskfile } from './taskfile.ts';

/** The recipes a command line runs; undefined if the program is none of these tools. */
export function nameRecipes(
  program: string,
  args: readonly string[],
  { folder, read }: Readonly<{ folder: string; read: ReadFile }>,
): Found | undefined {
  const call = readRecipeCall(program, args, { folder, read });
  if (call === undefined || 'isMissing' in call) return call && nothing;
  // The others run what they are told to, whatever exists.
  const made = /^g?make$/.test(program) ? (read.touched ?? []) : [];
  return nameTargets(call.files, call.targets, { folder: call.folder, made });
}

/**
 * What a command line of these tools runs; `isMissing`: there is no recipe file. Undefined if the program is none of them.
 */
export function readRecipeCall(
  program: string,
  args: readonly string[],
  { folder, read }: Readonly<{ folder: string; read: ReadFile }>,
): RecipeCall | Readonly<{ isMissing: true; name: string }> | undefined {
  const tool = tools.find(({ programs }) => programs.test(program));
  if (!tool) return undefined;
  const { options, rest } = readOptions(args, [...tool.folder, ...tool.file, ...tool.valued]);
  const option = (names: readonly string[]): string | undefined =>
    names.map((name) => options.get(name)).find((value) => value);
  const start = placeOf(folder, option(tool.folder) ?? '.') ?? folder;
  const named = option(tool.file);
  const found = findUpward(start, named === undefined ? tool.names : [named], read);
  if (!found || (!tool.upward && found.folder !== start))
    return { isMissing: true, name: named ?? tool.names.at(tool.upward ? 0 : -1) ?? '' };
  return {
    files: readIncluded(found, tool, read),
    targets: rest.filter((word) => !word.includes('=')),
    folder: tool.upward ? found.folder : start,
  };
}

/** The recipe files that a command line reads, the targets that it names, and where they run. */
export type RecipeCall = Readonly<{
  files: readonly RecipeFile[];
  targets: readonly string[];
  folder: string;
}>;

type Tool = Readonly<{
  programs: RegExp;
  /** Its files, in the order it looks for them. */
  names: readonly string[];
  /** It looks in the folders above too, and runs its recipes there. */
  upward: boolean;
  parse: (text: string) => RecipeBook;
  /** Options that name the folder, the file, and others that take a value. */
  folder: readonly string[];
  file: readonly string[];
  valued: readonly string[];
}>;

const tools: readonly Tool[] = [
  {
    programs: /^g?make$/,
    names: ['GNUmakefile', 'makefile', 'Makefile'],
    upward: false,
    parse: parseMakefile,
    folder: ['-C', '--directory'],
    file: ['-f', '--file', '--makefile'],
    valued: ['-I', '-o', '-W'],
  },
  {
    programs: /^just$/,
    names: ['justfile', '.justfile', 'Justfile', 'JUSTFILE'],
    upward: true,
    parse: parseJustfile,
    folder: ['-d', '--working-directory'],
    file: ['-f', '--justfile'],
    valued: ['--set', '--shell', '--shell-arg', '-E', '--dotenv-path'],
  },
  {
    programs: /^(?:go-)?task$/,
    names: ['', '.dist'].flatMap((dist) =>
      ['Taskfile', 'taskfile'].flatMap((name) => [`${name}${dist}.yml`, `${name}${dist}.yaml`]),
    ),
    upward: true,
    parse: parseTaskfile,
    folder: ['-d', '--dir'],
    file: ['-t', '--taskfile'],
    valued: ['-o', '--output', '-C', '--concurrency', '-I', '--interval'],
  },
];

const fileLimit = 20;

function readIncluded(
  source: Readonly<{ file: string; text: string }>,
  tool: Tool,
  read: ReadFile,
): readonly RecipeFile[] {
  const files: RecipeFile[] = [{ ...source, book: tool.parse(source.text) }];
  for (const owner of files) {
    for (const name of owner.book.includes) {
      const file = placeOf(path.posix.dirname(owner.file), name);
      const text = file === undefined ? undefined : read(file);
      const isKnown = files.some((other) => other.file === file);
      if (file === undefined || text === undefined || isKnown || files.length >= fileLimit) continue;
      files.push({ file, text, book: tool.parse(text) });
    }
  }
  return files;
}
