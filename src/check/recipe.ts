// Targets of a recipe file (Makefile, justfile, Taskfile): each counts with its recipe, its dependencies and the variables
// it uses.
import { type Definition, define, type Found, placeOf, type ShellText } from './named.ts';

/** One target: its lines as written, the names it runs first, and the commands of its recipe. */
export type Recipe = Readonly<{
  header: readonly string[];
  after: readonly string[];
  body: readonly string[];
}>;

/** The content of a recipe file. */
export type RecipeBook = Readonly<{
  recipes: ReadonlyMap<string, Recipe>;
  variables: ReadonlyMap<string, string>;
  /** Lines that change how all recipes run. */
  settings: readonly string[];
  /** Further files of the same kind, by their path from this one. */
  includes: readonly string[];
  /** What runs if no target is named. */
  first: string | undefined;
  /** A use of a variable, global; the first group is its name. */
  reference: RegExp;
}>;

/** A file with its parsed content. */
export type RecipeFile = Readonly<{ file: string; text: string; book: RecipeBook }>;

/**
 * The targets with all they depend on; if a requested one is not found, the files count as a whole. `made`: files of the
 * work that may be where a target's result would be.
 */
export function nameTargets(
  files: readonly RecipeFile[],
  targets: readonly string[],
  { folder, made }: Readonly<{ folder: string; made: readonly string[] }>,
): Found {
  const first = files[0]?.book.first;
  const asked = targets.length === 0 && first !== undefined ? [first] : targets;
  const all = readVariables(files);
  const definitions: Definition[] = [];
  const runs: ShellText[] = [];
  const wanted = new Set(asked);
  const phony = new Set(
    files.flatMap(({ book }) =>
      (book.recipes.get('.PHONY')?.after ?? []).flatMap((word) => wordsOf(word, all)),
    ),
  );
  // Iterating over a set also visits what is added meanwhile.
  for (const name of wanted) {
    const owners = files.filter(({ book }) => book.recipes.has(name));
    if (owners.length === 0 && asked.includes(name))
      definitions.push(...files.map(({ file, text }) => define(file, undefined, text)));
    for (const { file, book } of owners) {
      const { header, after, body } = book.recipes.get(name) ?? emptyRecipe;
      const used = usedVariables([...header, ...body].join('\n'), all);
      const settings = files.flatMap((other) => other.book.settings);
      definitions.push(define(file, `target ${name}`, [...header, ...body, ...used, ...settings].join('\n')));
      runs.push(...body.map((line) => ({ text: expand(line, all), folder })));
      const isIdle = body.length > 0 && after.length === 0 && !phony.has(name) && stands(name, folder, made);
      if (isIdle) definitions.push(nameIdle(file, name));
      for (const need of after.flatMap((word) => wordsOf(word, all)))
        if (wanted.size < targetLimit) wanted.add(need);
    }
  }
  return { definitions, runs };
}

/** Whether the work has put something where the target's result would be: then make has nothing to do for it. */
function stands(target: string, folder: string, made: readonly string[]): boolean {
  const place = placeOf(folder, target);
  return place !== undefined && made.some((file) => file === place || file.startsWith(`${place}/`));
}

function nameIdle(file: string, target: string): Definition {
  const complaint = `make runs nothing for ${target}, since ${target} exists now and make takes it for the result; \`.PHONY: ${target}\` in ${file} makes it run`;
  return { ...define(file, `idle ${target}`, target), readBy: 'make', mayChange: true, complaint };
}

type Variables = Readonly<{ values: ReadonlyMap<string, string>; reference: RegExp }>;

function readVariables(files: readonly RecipeFile[]): Variables {
  return {
    values: new Map(files.flatMap(({ book }) => [...book.variables])),
    reference: files[0]?.book.reference ?? /$^/g,
  };
}

function wordsOf(text: string, variables: Variables): readonly string[] {
  return expand(text, variables)
    .split(/\s+/)
    .filter((word) => word !== '');
}

const targetLimit = 100;
const depthLimit = 6;
const emptyRecipe: Recipe = { header: [], after: [], body: [] };

/** The variables a text uses, and those that they use, as lines. */
function usedVariables(text: string, { values, reference }: Variables): readonly string[] {
  const used = new Map<string, string>();
  const queue = [text];
  for (const next of queue) {
    for (const [, name = ''] of next.matchAll(reference)) {
      const value = values.get(name);
      if (value === undefined || used.has(name)) continue;
      used.set(name, value);
      queue.push(value);
    }
  }
  return [...used].map(([name, value]) => `${name} = ${value}`).sort();
}

/** A recipe's line as shell text, with plain variables substituted. */
function expand(line: string, variables: Variables): string {
  const fill = (text: string, depth: number): string =>
    text.replace(variables.reference, (whole, name: string) => {
      if (name === 'MAKE') return 'make';
      const value = variables.values.get(name);
      return value === undefined || depth > depthLimit ? whole : fill(value, depth + 1);
    });
  return fill(line.replace(/^\s*[@+-]+\s*/, ''), 0).replace(/\$\$/g, '$');
}
