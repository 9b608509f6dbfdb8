// Pure. The targets of a Makefile, justfile or Taskfile, roughly: variables, conditions and patterns are not evaluated.
import path from 'node:path';

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
