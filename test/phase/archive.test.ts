// Which finished plans have a place to be moved to.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../src/config/schema.ts';
import { isArchivable } from '../../src/phase/archive.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const tasks = '# Plan: P\n\n### Task 1: A\n- [x] a\n';

test.each([
  ['plans/p.md', tasks, true, true],
  ['plans/p.md', tasks, false, false],
  ['plans/completed/p.md', tasks, true, false],
  ['completed/plans/p.md', tasks, true, true],
  ['plans/p.md', '# List\n\n- [x] a\n', true, false],
])('%s', (name, text, archive, wanted) => {
  using temp = makeTempFolder();
  const file = path.join(temp.path, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  const plan = { file, name, tracked: true };
  const run = { config: configSchema.parse({ archive }), state: () => ({ started: {} }) };
  expect(isArchivable({ plan, run } as never)).toBe(wanted);
});
