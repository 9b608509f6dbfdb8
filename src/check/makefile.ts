// A rough parser for Makefiles: targets with prerequisites and recipes, and the text of variables. Both sides of a
// conditional count; pattern rules and functions are not evaluated.
import type { Recipe, RecipeBook } from './recipe.ts';

/** The rules of a Makefile. */
export function parseMakefile(text: string): RecipeBook {
  const draft: Draft = { recipes: new Map(), variables: new Map(), settings: [], includes: [], open: [] };
  const lines = text
    .replace(/\r\n/g, '\n')
    .replace(/\\\n\s*/g, ' ')
    .split('\n');
  let defining: string | undefined;
  for (const line of lines) {
    if (defining !== undefined) {
      if (/^\s*endef\b/.test(line)) defining = undefined;
      else addVariable(draft, defining, line);
    } else if (line.startsWith('\t')) {
      for (const name of draft.open) addRecipe(draft, name, { body: [line.slice(1)] });
    } else {
      defining = readStatement(draft, line.replace(/(^|\s)#.*$/, '').trimEnd());
    }
  }
  const { recipes, variables, settings, includes, first } = draft;
  return { recipes, variables, settings, includes, first, reference: /\$[({]([\w.-]+)[)}]/g };
}

type Draft = {
  recipes: Map<string, Recipe>;
  variables: Map<string, string>;
  settings: string[];
  includes: string[];
  /** Targets that the next recipe lines belong to. */
  open: readonly string[];
  first?: string | undefined;
};

/** What changes how every recipe runs. */
const special =
  /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|\.ONESHELL|\.IGNORE|\.POSIX|\.DEFAULT_GOAL|\.RECIPEPREFIX)$/;

/** Parses a line outside recipes; returns the name of a `define` that it opens. */
function readStatement(draft: Draft, line: string): string | undefined {
  const defining = /^\s*(?:override\s+)?define\s+([\w.-]+)/.exec(line)?.[1];
  if (defining !== undefined || /^\s*(?:$|(?:ifn?eq|ifn?def|else|endif)\b)/.test(line)) return defining;
  const included = /^\s*[-s]?include\s+(.*)$/.exec(line)?.[1];
  const [, name, value = ''] =
    /^\s*(?:(?:export|override|private)\s+)*([\w.-]+)\s*(?:[:?+!]|:{2,3})?=\s*(.*)$/.exec(line) ?? [];
  const rule = /^([^\s:=#][^:=#]*?)\s*::?(?![=:])\s*([^;]*)(?:;(.*))?$/.exec(line);
  if (included !== undefined) draft.includes.push(...included.split(/\s+/));
  else if (name !== undefined) {
    if (special.test(name)) draft.settings.push(line.trim());
    if (name === '.DEFAULT_GOAL') draft.first = value;
    addVariable(draft, name, value);
  } else if (rule) readRule(draft, rule);
  return undefined;
}

function readRule(draft: Draft, [line, targets = '', needs = '', command]: RegExpExecArray): void {
  draft.open = targets.split(/\s+/);
  if (draft.open.some((name) => special.test(name))) draft.settings.push(line);
  // `target: NAME = value` sets a variable for the target and is not a prerequisite.
  const after = needs.includes('=') ? [] : needs.split(/[\s|]+/).filter((need) => need !== '');
  const body = command === undefined ? [] : [command.trim()];
  for (const name of draft.open) addRecipe(draft, name, { header: [line], after, body });
  draft.first ??= draft.open.find((name) => !name.startsWith('.'));
}

function addVariable({ variables }: Draft, name: string, value: string): void {
  const before = variables.get(name);
  variables.set(name, before === undefined ? value : `${before}\n${value}`);
}

function addRecipe({ recipes }: Draft, name: string, more: Partial<Recipe>): void {
  const { header = [], after = [], body = [] } = recipes.get(name) ?? {};
  recipes.set(name, {
    header: [...header, ...(more.header ?? [])],
    after: [...after, ...(more.after ?? [])],
    body: [...body, ...(more.body ?? [])],
  });
}
