import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Purpose, purposes, tryTemplates } from '../../src/prompt/try-templates.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const shipped = path.resolve(import.meta.dirname, '../../templates');
const all = Object.keys(purposes) as Purpose[];
let temp: ReturnType<typeof makeTempFolder>;
let own: string;

beforeEach(() => {
  temp = makeTempFolder();
  own = temp.path;
  mkdirSync(path.join(own, 'prompts'));
});
afterEach(() => temp[Symbol.dispose]());

const names = globSync('*.md', { cwd: path.join(shipped, 'prompts') }).map((file) => file.slice(0, -3));

test('every prompt serves a purpose, and all that come with pawl can be filled', () => {
  const known = Object.values(purposes).flat();
  expect([...new Set(known)].sort()).toEqual(names.sort());
  tryTemplates([shipped], all);
});

test.each(names)('an unknown name in %s is told with its line', (name) => {
  writeFileSync(path.join(own, `prompts/${name}.md`), 'Do it.\n{{NOBODY}}\n');
  expect(() => tryTemplates([own, shipped], all)).toThrow(
    `${path.join(own, `prompts/${name}.md`)}:2: {{NOBODY}} is not a placeholder of this template`,
  );
});

test('a prompt that is not used is not looked at', () => {
  writeFileSync(path.join(own, 'prompts/plan.md'), '{{NOBODY}}\n');
  tryTemplates([own, shipped], ['task', 'review', 'finalize', 'replan']);
});

const ralphex = {
  'task.txt': '{{GOAL}} {{PLAN_FILE}} {{PROGRESS_FILE}} {{DEFAULT_BRANCH}}\n<<<RALPHEX:ALL_TASKS_DONE>>>\n',
  'finalize.txt': 'git rebase origin/{{DEFAULT_BRANCH}}\n',
  'make_plan.txt': '{{PLAN_DESCRIPTION}} {{PROGRESS_FILE}} {{DEFAULT_BRANCH}} {{PLANS_DIR}}\n',
  'review_first.txt':
    '# {{agent:<name>}}\n{{GOAL}} {{PLAN_FILE}} {{PROGRESS_FILE}} {{DEFAULT_BRANCH}} {{agent:quality}}\n',
};

test('the variables of ralphex’s prompts are known', () => {
  for (const [file, text] of Object.entries(ralphex)) writeFileSync(path.join(own, 'prompts', file), text);
  tryTemplates([own, shipped], all);
});
