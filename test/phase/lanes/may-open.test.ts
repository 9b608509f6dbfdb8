// What keeps a repository from having lanes: told once, and no lane is made.
import path from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import { mayOpen } from '../../../src/phase/lanes/may-open.ts';
import { openTemp } from '../../git/open.ts';

test('a check that names the tree', async () => {
  await using made = await openTemp({ files: { a: 'a\n' } });
  const root = made.repo.root;
  await made.temp.write(
    'plan.md',
    `# P\n\n## Checks\n- \`cd ${root}-2; true\`\n- \`cd ${root} && true\`\n\n### Task 1: T\n- [ ] do\n`,
  );
  const told: string[] = [];
  const emit = ({ text }: { text: string }) => told.push(text);
  const run = {
    state: () => ({ notices: [] }),
    grounds: path.join(made.temp.path, 'x'),
    config: configSchema.parse({ jobs: 2 }),
    emit,
  };
  const plan = { file: path.join(root, 'plan.md'), name: 'plan.md', tracked: true };
  const lanes = { trunk: { repo: made.repo, run, plan, env: {} }, lacks: [] } as never;
  expect([await mayOpen(lanes, []), await mayOpen(lanes, [])]).toEqual([false, false]);
  expect(told).toEqual([expect.stringMatching(/the check `cd .* && true` names /)]);
});
