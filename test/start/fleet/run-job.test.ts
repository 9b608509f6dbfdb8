// What a start of a job leaves of an earlier one, and what it leaves to the worker that has the job meanwhile.
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import { digestText } from '../../../src/digest.ts';
import { jobFolder, runJob, type Worker } from '../../../src/start/fleet/run-job.ts';
import { trustHash } from '../../../src/trust/trust.ts';
import { eachWorld } from '../../cli/world.ts';
import { letterPlan } from '../../helpers/letters.ts';

const world = eachWorld({ git: true });

/** By its number; `beat`: as it asks whether the job is still its own. */
function start(attempt: number, beat = () => {}, { signal }: AbortController = new AbortController()) {
  const repo = path.join(world.top, 'work.git');
  const config = configSchema.parse({ fleet: { repos: [repo] } });
  const worker = { context: world.context(), config, jobs: world.top, name: 'box' } as unknown as Worker;
  const hashes = { planHash: digestText(letterPlan('a')), trustHash: trustHash([]) };
  const data = { repo, base: 'main', branch: 'p', plan: 'p.md', options: {}, by: 'a@b', ...hashes };
  const onRoot = () => Promise.reject(new Error('begun'));
  const life = { signal, onRoot, beat: async () => beat() };
  return runJob(worker, { id: 'j', attempt, data, troubles: 0, after: null }, life);
}

const own = (attempt: number) => jobFolder(world.top, { id: 'j', attempt });

test('one that comes to nothing leaves the clone of an earlier one by its number, as in a database from before: it may hold what nobody else has', async () => {
  const earlier = path.join(own(1), 'work', 'kept');
  mkdirSync(earlier, { recursive: true });
  expect(await start(1)).toMatchObject({ kind: 'back', trouble: expect.stringContaining('git clone') });
  expect(existsSync(earlier)).toBe(true);
  expect(await start(2)).toMatchObject({ kind: 'back' });
  expect(existsSync(own(2))).toBe(false);
});

test('one that was cloning while another worker got the job does not take its run', async () => {
  world.write('p.md', letterPlan('a'));
  world.commit('first');
  world.git('clone', '-q', '--bare', world.cwd, path.join(world.top, 'work.git'));
  await expect(start(1)).rejects.toThrow('begun');
  const lost = new AbortController();
  expect(await start(2, () => lost.abort(), lost)).toEqual({ kind: 'back' });
  expect(existsSync(own(2))).toBe(false);
});
