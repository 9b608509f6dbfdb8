// What keeps a plan from the queue before its database is asked.

import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { submitPlan } from '../../../src/start/fleet/submit.ts';
import { eachWorld } from '../../cli/world.ts';
import { letterPlan } from '../../helpers/letters.ts';

const world = eachWorld({ git: true });
beforeEach(() => {
  world.write('plan.md', letterPlan('a'));
  const origin = path.join(world.top, 'origin.git');
  world.commit('first');
  world.git('clone', '-q', '--bare', world.cwd, origin);
  world.git('remote', 'add', 'origin', origin);
});

test.each([
  ['done.md', letterPlan('a').replace('- [ ]', '- [x]'), 'done.md has nothing left for an agent'],
  ['empty.md', '# Plan: Nothing\n', 'the plan cannot be run'],
  ['new.md', letterPlan('b'), 'not on origin/main as here: new.md'],
  ['plan.md', letterPlan('b'), 'not on origin/main as here: plan.md'],
])('%s is not submitted if no worker could work on it', async (plan, text, says) => {
  world.write(plan, text);
  await expect(submitPlan(world.context(), plan, {})).rejects.toThrow(says);
});

test('settings that were not pushed are refused before anybody is asked to trust them', async () => {
  world.write('.pawl/config.yaml', 'checks: ["true"]\n');
  await expect(submitPlan(world.context(), 'plan.md', {})).rejects.toMatchObject({
    message: 'not on origin/main as here: .pawl/config.yaml',
  });
});
