// A worker takes no plans that its machine cannot work on: it does not begin without its sandbox, and stops where that goes
// away.
import path from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import { findLack } from '../../../src/start/fleet/machine.ts';
import { runWorker } from '../../../src/start/fleet/worker.ts';
import { makeWorld } from '../../cli/world.ts';

test('a machine without docker’s engine takes no plans, at the start and later', async () => {
  using world = makeWorld();
  const context = world.context({ uid: process.getuid?.() });
  const env = { ...context.env, PAWL_FLEET_REPOS: 'https://git.example.org/team/*' };
  world.program('docker', 'echo "Cannot connect to the Docker daemon" >&2; exit 1');
  await expect(runWorker({ ...context, env }, {})).rejects.toMatchObject({
    exit: 8,
    message: 'docker’s engine does not answer: Cannot connect to the Docker daemon',
    hint: expect.stringContaining('--sandbox process needs no docker'),
  });
  const config = configSchema.parse({ sandbox: { kind: 'docker' } });
  world.program('docker', 'echo 24.0.0 linux');
  const jobs = path.join(world.top, 'jobs');
  expect(await findLack(context, { config, jobs })).toBeUndefined();
  world.program('docker', 'echo "Cannot connect" >&2; exit 1');
  expect(await findLack(context, { config, jobs })).toBe(
    'no plans are taken: docker’s engine does not answer: Cannot connect',
  );
});
