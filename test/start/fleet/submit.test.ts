// What keeps a plan from the queue before its database is asked.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { submitPlan } from '../../../src/start/fleet/submit.ts';
import { makeWorld, type World } from '../../cli/world.ts';
import { letterPlan } from '../../helpers/letters.ts';

let world: World;
beforeEach(() => {
  world = makeWorld();
  world.write('plan.md', letterPlan('a'));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: world.cwd, env: world.context().env });
  const origin = path.join(world.top, 'origin.git');
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '-qm', 'first');
  git('clone', '-q', '--bare', world.cwd, origin);
  git('remote', 'add', 'origin', origin);
});
afterEach(() => world[Symbol.dispose]());

test('an address that does not answer is asked about where a person is there', async () => {
  const stdin = new PassThrough();
  const stderr = new PassThrough();
  const context = world.context({ canAsk: true, stdin, stderr });
  stderr.on('data', () => setImmediate(() => stdin.write('n')));
  const submitted = submitPlan(context, 'plan.md', { repo: '/nowhere/app.git', trust: true });
  await expect(submitted).rejects.toMatchObject({
    code: 'usage',
    message: 'nothing was submitted',
    hint: 'Correct --repo, or leave it out.',
  });
});

test('a script is only told, and goes on to the database', async () => {
  const said: string[] = [];
  const stderr = new PassThrough();
  stderr.on('data', (text: Buffer) => said.push(text.toString()));
  const context = world.context({ stderr });
  const submitted = submitPlan(context, 'plan.md', { repo: '/nowhere/app.git', trust: true });
  await expect(submitted).rejects.toMatchObject({ message: /no fleet is set/ });
  expect(said.join('')).toMatch(/\/nowhere\/app\.git does not answer from here: .*check the address/);
});

test('settings that were not pushed are refused before anybody is asked to trust them', async () => {
  world.write('.pawl/config.yaml', 'checks: ["true"]\n');
  await expect(submitPlan(world.context(), 'plan.md', {})).rejects.toMatchObject({
    message: 'what would run differs from origin/main: .pawl/config.yaml',
  });
});
