import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type Purpose, purposes, tryTemplates } from '../../src/prompt/try-templates.ts';
import { eachTest } from '../helpers/each-test.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const shipped = path.resolve(import.meta.dirname, '../../templates');
const all = Object.keys(purposes) as Purpose[];
const own = eachTest(makeTempFolder);
beforeEach(() => {
  mkdirSync(path.join(own.path, 'prompts'));
});

const names = globSync('*.md', { cwd: path.join(shipped, 'prompts') }).map((file) => file.slice(0, -3));

test('every prompt serves a purpose, and all that come with pawl can be filled', () => {
  const known = Object.values(purposes).flat();
  expect([...new Set(known)].sort()).toEqual(names.sort());
  tryTemplates([shipped], all);
});

test.each(names)('an unknown name in %s is told with its line', (name) => {
  writeFileSync(path.join(own.path, `prompts/${name}.md`), 'Do it.\n{{NOBODY}}\n');
  expect(() => tryTemplates([own.path, shipped], all)).toThrow(
    `${path.join(own.path, `prompts/${name}.md`)}:2: {{NOBODY}} is not a placeholder of this template`,
  );
});

test('a prompt that is not used is not looked at', () => {
  writeFileSync(path.join(own.path, 'prompts/plan.md'), '{{NOBODY}}\n');
  tryTemplates([own.path, shipped], ['task', 'review', 'finalize', 'replan']);
});

const ralphex = {
  'task.txt': '{{GOAL}} {{PLAN_FILE}} {{PROGRESS_FILE}} {{DEFAULT_BRANCH}}\n<<<RALPHEX:ALL_TASKS_DONE>>>\n',
  'finalize.txt': 'git rebase origin/{{DEFAULT_BRANCH}}\n',
  'make_plan.txt': '{{PLAN_DESCRIPTION}} {{PROGRESS_FILE}} {{DEFAULT_BRANCH}} {{PLANS_DIR}}\n',
  'review_first.txt':
    '# {{agent:<name>}}\n{{GOAL}} {{PLAN_FILE}} {{PROGRESS_FILE}} {{DEFAULT_BRANCH}} {{agent:quality}}\n',
};

test('the variables of ralphex’s prompts are known', () => {
  for (const [file, text] of Object.entries(ralphex))
    writeFileSync(path.join(own.path, 'prompts', file), text);
  tryTemplates([own.path, shipped], all);
});
