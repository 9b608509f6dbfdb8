// A rough parser for justfiles: recipes with their dependencies, and the text of variables. Evaluates no expressions.
import type { Recipe, RecipeBook } from './recipe.ts';

/** The recipes of a justfile. */
export function parseJustfile(text: string): RecipeBook {
  const draft: Draft = {
    recipes: new Map(),
    variables: new Map(),
    settings: [],
    includes: [],
    attributes: [],
  };
  for (const line of text.replace(/\r\n/g, '\n').split('\n')) {
    const recipe = draft.recipes.get(draft.open ?? '');
    if (line.trim() === '' || line.startsWith('#')) continue;
    if (/^\s/.test(line) && recipe) recipe.body.push(line.trim());
    else readStatement(draft, line);
  }
  const { recipes, variables, settings, includes } = draft;
  const first = [...recipes].find(([, { header }]) => !header[0]?.startsWith('alias '))?.[0];
  return { recipes, variables, settings, includes, first, reference: /\{\{\s*([A-Za-z_][\w-]*)\s*\}\}/g };
}

type Draft = {
  recipes: Map<string, Recipe & { body: string[] }>;
  variables: Map<string, string>;
  settings: string[];
  includes: string[];
  /** Lines in brackets before a recipe. */
  attributes: string[];
  open?: string | undefined;
};

function readStatement(draft: Draft, line: string): void {
  const included = /^(?:import|mod)\??\s+(?:[\w-]+\s+)?['"](.+)['"]/.exec(line)?.[1];
  const [, alias, target] = /^alias\s+([\w-]+)\s*:=\s*([\w:-]+)/.exec(line) ?? [];
  const [, variable, value] = /^(?:export\s+)?([A-Za-z_][\w-]*)\s*:=\s*(.*)$/.exec(line) ?? [];
  const [, name, needs = ''] = /^@?([A-Za-z_][\w-]*)(?:\s[^:]*)?:(?!=)\s*(.*)$/.exec(line) ?? [];
  const attributes = draft.attributes;
  draft.open = undefined;
  draft.attributes = line.startsWith('[') ? [...attributes, line] : [];
  if (/^set\s/.test(line)) draft.settings.push(line);
  else if (included !== undefined) draft.includes.push(included);
  else if (alias !== undefined && target !== undefined)
    draft.recipes.set(alias, { header: [line], after: [target], body: [] });
  else if (variable !== undefined) draft.variables.set(variable, unquote(value ?? ''));
  else if (name !== undefined) {
    const after = [...needs.matchAll(/(?:^|[\s(&])([A-Za-z_][\w:-]*)/g)].map(([, need = '']) => need);
    draft.recipes.set(name, { header: [...attributes, line], after, body: [] });
    draft.open = name;
  }
}

const unquote = (value: string): string => value.replace(/^(['"])(.*)\1$/, '$2');
