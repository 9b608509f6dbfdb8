import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parsePlan } from '../../src/plan/parse.ts';
import { judgeWidth } from '../../src/work/must-be-alone.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const checks = '## Checks\n- `sh scripts/check.sh`\n- `npm test`\n';
const task = (id: number, files: string) =>
  `### Task ${id}: t\n- files: ${files}\n- check: \`sh test/own.sh\`\n- [ ] s\n`;

test.each<[string, string, string, readonly string[], string | undefined]>([
  ['the script of a check', checks, 'scripts/check.sh', [], 'scripts/check.sh'],
  ['a folder that holds it', checks, 'scripts/', [], 'scripts/check.sh'],
  ['package.json by its name', checks, 'package.json', [], 'package.json'],
  ['other files', checks, 'src/**', [], undefined],
  ['no files', checks, 'none', [], undefined],
  ['the script of its own check alone', checks, 'test/own.sh', [], undefined],
  ['the script of a configured check', '', 'scripts/check.sh', ['sh scripts/check.sh'], 'scripts/check.sh'],
  ['the plan’s own checks take the place of those', checks, 'lint.sh', ['sh lint.sh'], undefined],
])('%s', (_, shared, files, configured, file) => {
  using folder = makeTempFolder();
  mkdirSync(path.join(folder.path, 'scripts'));
  mkdirSync(path.join(folder.path, 'test'));
  writeFileSync(path.join(folder.path, 'package.json'), '{ "scripts": { "test": "node --test" } }');
  for (const file of ['scripts/check.sh', 'test/own.sh', 'lint.sh'])
    writeFileSync(path.join(folder.path, file), 'true\n');
  const plan = parsePlan(`${shared}${task(1, files)}`, 'x.md');
  const { aloneFor } = judgeWidth(folder.path, plan, { jobs: 2, checks: configured });
  expect(plan.tasks.map((task) => aloneFor?.(task))).toEqual([file]);
});
