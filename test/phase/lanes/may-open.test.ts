// What keeps a repository from having lanes: told once, and no lane is made.
import path from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import { mayOpen } from '../../../src/phase/lanes/may-open.ts';
import { openTemp } from '../../git/open.ts';

test.each([
  [
    'a submodule',
    ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', './.', 'sub'],
    /a submodule would be empty/,
  ],
  ['a partial clone', ['config', 'remote.origin.promisor', 'true'], /a partial clone/],
  ['a sparse checkout', ['config', 'core.sparseCheckout', 'true'], /a sparse checkout/],
  ['a check that names the tree', ['rev-parse'], /the check `cd .* && true` names /],
])('%s', async (_, act, why) => {
  await using made = await openTemp({ files: { a: 'a\n' } });
  const root = made.repo.root;
  const check = why.source.includes('names') ? `cd ${root} && true` : `cd ${root}-2; true`;
  await made.temp.write('plan.md', `# P\n\n## Checks\n- \`${check}\`\n\n### Task 1: T\n- [ ] do\n`);
  await made.temp.git('config', 'remote.origin.url', made.temp.path);
  await made.temp.git(...act);
  const told: string[] = [];
  const emit = ({ text }: { text: string }) => told.push(text);
  const run = {
    state: () => ({ notices: [] }),
    lanes: path.join(made.temp.path, 'x'),
    config: configSchema.parse({ jobs: 2 }),
    emit,
  };
  const plan = { file: path.join(root, 'plan.md'), name: 'plan.md', tracked: true };
  const lanes = { trunk: { repo: made.repo, run, plan, env: {} }, lacks: [] } as never;
  expect([await mayOpen(lanes, []), await mayOpen(lanes, [])]).toEqual([false, false]);
  expect(told).toEqual([expect.stringMatching(why)]);
});
