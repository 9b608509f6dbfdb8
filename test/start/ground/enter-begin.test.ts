// What a ground would have otherwise than the person's tree.
import { expect, test } from 'vitest';
import { parsePlan } from '../../../src/plan/parse.ts';
import { enterGround, refuseTiedCheck } from '../../../src/start/ground/enter.ts';
import { makeWorld } from '../../cli/world.ts';

test.each([
  ['cd /home/me/app && true', true],
  ['cd "$HOME/app" && true', true],
  ['ls ~/app/src', true],
  ['cd /home/me/app-2; true', false],
  ['npm test', false],
])('%s', (command, isRefused) => {
  const plan = parsePlan(`# P\n\n### Task 1: T\n- check: \`${command}\`\n- [ ] do\n`, 'plan.md');
  const refuse = () => refuseTiedCheck(plan, { root: '/home/me/app', home: '/home/me', checks: [] });
  if (isRefused) expect(refuse).toThrow('/home/me/app');
  else expect(refuse).not.toThrow();
});

test('configuration that was consented to, and is not committed', async () => {
  using world = makeWorld();
  world.git('init', '-q', '-b', 'main');
  world.write('.pawl/config.yaml', 'jobs: 1\n');
  world.write('plan.md', '# P\n\n### Task 1: T\n- check: `true`\n- [ ] do\n');
  world.commit('settings');
  world.write('.pawl/config.yaml', 'jobs: 2\n');
  world.trust();
  await expect(enterGround(world.context(), 'plan.md', { worktree: true })).rejects.toMatchObject({
    message: 'the working tree has changes of its own: .pawl/config.yaml',
  });
});
