// What a start of a job leaves of an earlier one in its folder: of the same number where the database is one from before.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import { jobFolder, runJob, type Worker } from '../../../src/start/fleet/run-job.ts';
import { makeWorld } from '../../cli/world.ts';

test('a start that comes to nothing leaves the clone of an earlier one with its number, which may hold what nobody else has', async () => {
  using world = makeWorld();
  const context = world.context();
  const repo = path.join(world.top, 'away.git');
  const config = configSchema.parse({ fleet: { repos: [repo] } });
  const jobs = path.join(world.top, 'jobs');
  const hash = 'a'.repeat(64);
  const data = {
    ...{
      repo,
      base: 'main',
      branch: 'p',
      plan: 'p.md',
      planHash: hash,
      trustHash: hash,
      options: {},
      by: 'a@b',
    },
  };
  const worker = { context, config, jobs, name: 'box' } as unknown as Worker;
  const life = { signal: context.signal, onRoot: async () => {}, beat: async () => {} };
  const start = (attempt: number) =>
    runJob(worker, { id: 'j', attempt, data, troubles: 0, after: null }, life);
  const own = (attempt: number) => jobFolder(jobs, { id: 'j', attempt });
  const earlier = path.relative(world.cwd, path.join(own(1), 'away', 'work.txt'));
  world.write(earlier, 'work\n');
  expect(await start(1)).toMatchObject({
    kind: 'back',
    trouble: expect.stringContaining('git clone failed'),
  });
  expect(existsSync(path.join(world.cwd, earlier))).toBe(true);
  expect(await start(2)).toMatchObject({ kind: 'back' });
  expect(existsSync(own(2))).toBe(false);
});
