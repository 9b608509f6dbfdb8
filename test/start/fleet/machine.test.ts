import path from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import { findLack } from '../../../src/start/fleet/machine.ts';
import { makeWorld } from '../../cli/world.ts';

test('a machine without docker’s engine takes no plans', async () => {
  using world = makeWorld();
  const context = world.context({ uid: process.getuid?.() });
  const config = configSchema.parse({ sandbox: { kind: 'docker' } });
  world.program('docker', 'echo 24.0.0 linux');
  const jobs = path.join(world.top, 'jobs');
  expect(await findLack({ context, config, jobs })).toBeUndefined();
  world.program('docker', 'echo "Cannot connect" >&2; exit 1');
  expect(await findLack({ context, config, jobs })).toBe(
    'no plans are taken: docker’s engine does not answer: Cannot connect',
  );
});
