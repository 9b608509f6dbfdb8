// A rough, indentation-based parser for Taskfiles (taskfile.dev): tasks with their dependencies, and the text of variables.
// Flow style is parsed for `deps` only.
import type { Recipe, RecipeBook } from './recipe.ts';

/** The tasks of a Taskfile. */
export function parseTaskfile(text: string): RecipeBook {
  const draft: Draft = { recipes: new Map(), variables: new Map(), settings: [], section: '' };
  for (const line of text.replace(/\r\n/g, '\n').split('\n')) {
    if (!/^\s*(?:#.*)?$/.test(line)) readLine(draft, line);
  }
  const { recipes, variables, settings } = draft;
  const first = recipes.has('default') ? 'default' : undefined;
  return { recipes, variables, settings, includes: [], first, reference: /\{\{\s*\.(\w+)\s*\}\}/g };
}

type Draft = {
  recipes: Map<string, { header: string[]; after: string[]; body: string[] } & Recipe>;
  variables: Map<string, string>;
  settings: string[];
  /** The top-level key that the lines are under. */
  section: string;
  /** How far the names of tasks are indented. */
  indent?: number | undefined;
  open?: string | undefined;
};

function readLine(draft: Draft, line: string): void {
  const [, blank = '', key, value = ''] = /^(\s*)['"]?([\w:.*-]+)['"]?\s*:(?:\s+(.*))?$/.exec(line) ?? [];
  const recipe = draft.recipes.get(draft.open ?? '');
  if (/^\S/.test(line)) {
    Object.assign(draft, { section: key ?? '', indent: undefined, open: undefined });
    if (/^(?:set|shopt|dotenv|silent|run)$/.test(draft.section)) draft.settings.push(line);
  } else if (/^(?:vars|env)$/.test(draft.section)) {
    if (key !== undefined) draft.variables.set(key, value.replace(/^(['"])(.*)\1$/, '$2'));
  } else if (
    draft.section === 'tasks' &&
    key !== undefined &&
    blank.length <= (draft.indent ?? blank.length)
  ) {
    draft.indent = blank.length;
    draft.open = key;
    draft.recipes.set(key, { header: [line.trim()], after: [], body: value === '' ? [] : [value] });
  } else if (recipe) readTaskLine(recipe, line.trim());
}

function readTaskLine(recipe: { after: string[]; body: string[] }, line: string): void {
  const listed = /^deps:\s*\[(.*)\]/.exec(line)?.[1]?.split(/\s*,\s*/) ?? [];
  const called = /\btask:\s*['"]?([\w:.-]+)/.exec(line)?.[1];
  const bare = /^- ['"]?([\w:.-]+)['"]?$/.exec(line)?.[1];
  recipe.after.push(...listed, ...(called ? [called] : []), ...(bare ? [bare] : []));
  recipe.body.push(
    line
      .replace(/^- /, '')
      .replace(/^(?:cmd|sh):\s*/, '')
      .replace(/^[|>]-?$/, ''),
  );
}
