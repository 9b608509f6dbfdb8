// A worker takes no plans that its machine cannot work on: it does not begin without its sandbox, and stops where that goes away, or
// where the usage window of its login is too full.
import path from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import { foldRun } from '../../../src/journal/fold.ts';
import { lookAtMachine } from '../../../src/start/fleet/lack.ts';
import { runWorker } from '../../../src/start/fleet/worker.ts';
import { makeWorld } from '../../cli/world.ts';
import { fact, stampAll } from '../../helpers/facts.ts';

test('a machine without docker’s engine takes no plans, at the start and later', async () => {
  using world = makeWorld();
  const context = world.context({ uid: process.getuid?.() });
  const env = { ...context.env, PAWL_FLEET_REPOS: 'https://git.example.org/team/*' };
  world.program('docker', 'echo "Cannot connect to the Docker daemon" >&2; exit 1');
  await expect(runWorker({ ...context, env }, {}, [])).rejects.toMatchObject({
    exit: 8,
    message: 'docker’s engine does not answer: Cannot connect to the Docker daemon',
    hint: expect.stringContaining('--sandbox process needs no docker'),
  });
  const config = configSchema.parse({ sandbox: { kind: 'docker' }, fleet: { minDiskGb: 0 } });
  world.program('docker', 'echo 24.0.0 linux');
  const machine = await lookAtMachine(context, { config, jobs: path.join(world.top, 'jobs') });
  expect(await machine.lack()).toBeUndefined();
  world.program('docker', 'echo "Cannot connect" >&2; exit 1');
  expect(await machine.lack()).toBeUndefined();
  machine.doubt();
  expect(await machine.lack()).toBe('no plans are taken: docker’s engine does not answer: Cannot connect');
  world.program('docker', 'echo 24.0.0 linux');
  machine.doubt();
  expect(await machine.lack()).toBeUndefined();
});

test('a usage window that is fuller than limits.startBelow, as a run here saw it last, keeps plans away until its reset', async () => {
  using world = makeWorld();
  let now = Date.parse('2026-01-02T03:00:00Z');
  const context = world.context({ now: () => new Date(now) });
  const config = configSchema.parse({ limits: { startBelow: 0.9 }, fleet: { minDiskGb: 0 } });
  const machine = await lookAtMachine(context, { config, jobs: path.join(world.top, 'jobs') });
  const seen = (utilization: number, agent = 'claude') => {
    const resetsAt = Date.parse('2026-01-02T05:00:00Z');
    const facts = [
      fact('run-started'),
      fact('session-started', { session: 1, agent }),
      fact('limit-seen', { session: 1, window: 'five_hour', utilization, resetsAt }),
    ];
    return foldRun(stampAll(facts))?.limits ?? new Map();
  };
  machine.see(seen(0.89));
  machine.see(seen(0.97, 'codex'));
  expect(await machine.lack()).toBeUndefined();
  machine.see(
    new Map([...seen(0.97)].map(([name, window]) => [name, { ...window, at: '2026-11-21T23:01:00Z' }])),
  );
  // What a run saw before, and tells of later, is no news.
  machine.see(seen(0.2));
  expect(await machine.lack()).toMatch(
    /^no plans are taken until \d\d:\d\d: the usage window five_hour is 97 % used \(limits\.startBelow 0\.9\)$/,
  );
  now += 2 * 3_600_000;
  expect(await machine.lack()).toBeUndefined();
  const rejected = { status: 'rejected', at: '2026-11-21T23:02:00Z', resetsAt: now + 60_000 } as const;
  machine.see(new Map([...seen(0)].map(([name, window]) => [name, { ...window, ...rejected }])));
  expect(await machine.lack()).toContain('is 100 % used');
});
