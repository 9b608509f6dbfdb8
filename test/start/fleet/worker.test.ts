// How a worker begins while its database is away, and what keeps its machine from taking plans.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fixed } from '../../../src/config/fixed.ts';
import { configSchema } from '../../../src/config/schema.ts';
import { openDatabase } from '../../../src/fleet/database.ts';
import type { Job } from '../../../src/fleet/job.ts';
import { Queue } from '../../../src/fleet/queue.ts';
import { pawlEnvironment } from '../../../src/start/fleet/run-job.ts';
import { askJob } from '../../../src/start/fleet/view.ts';
import { findLack, runWorker } from '../../../src/start/fleet/worker.ts';
import { eachWorld } from '../../cli/world.ts';
import { has } from '../../helpers/needs.ts';
import { startPostgres } from '../../helpers/postgres.ts';

const world = eachWorld();
const { minDiskGb } = fixed;
afterEach(() => Object.assign(fixed, { minDiskGb }));

function start(url: string, { once = false } = {}) {
  const controller = new AbortController();
  let said = '';
  const stderr = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      said += chunk.toString();
      done();
    },
  });
  const env = {
    ...world.context().env,
    PAWL_FLEET_URL: url,
    PAWL_FLEET_REPOS: '/srv/app.git',
  };
  const context = world.context({ env, stderr, signal: controller.signal });
  const ended = runWorker(context, { sandbox: 'none', once });
  const hears = (words: string) =>
    vi.waitFor(() => expect(said).toContain(words), { timeout: 60_000, interval: 50 });
  return { ended, hears, end: () => controller.abort(), said: () => said };
}

const nowhere = 'postgres://pawl@127.0.0.1:9/pawl';

test('where none answers it says so once with the remedy, waits, and ends when it is told to', async () => {
  const worker = start(nowhere);
  await worker.hears(
    'the database at 127.0.0.1:9/pawl does not answer: connect ECONNREFUSED 127.0.0.1:9; the worker waits for it. ',
  );
  worker.end();
  expect(await worker.ended).toBe(0);
});

test('with --once that is the end', async () => {
  await expect(start(nowhere, { once: true }).ended).rejects.toMatchObject({ code: 'environment' });
});

test('its pawl gets the addresses of messages and the token of a forge, which nothing else gets', () => {
  const own = { PAWL_NOTIFY: 'ntfys://ntfy.sh/t', PAWL_FORGE_TOKEN: 't' };
  const context = world.context({ env: { ...own, PAWL_SESSION: 's' } });
  const config = configSchema.parse({ fleet: { url: nowhere } });
  const wanted = { ...own, PAWL_FLEET_URL: nowhere, PAWL_FLEET_JOB: '3f' };
  expect(pawlEnvironment({ context, config }, '3f')).toEqual(wanted);
});

describe.skipIf(!has('PostgreSQL (postgresql)'))('on a real PostgreSQL', () => {
  test('it begins when the database is there', async () => {
    await using postgres = await startPostgres();
    const url = postgres.createDatabase();
    await postgres.crash();
    const worker = start(url);
    await worker.hears('the worker waits for it');
    await postgres.start();
    await worker.hears('takes plans from');
    worker.end();
    expect(await worker.ended).toBe(0);
  });

  test('with --once, a machine that can take no plan ends, instead of waiting for ever', async () => {
    await using postgres = await startPostgres();
    Object.assign(fixed, { minDiskGb: 1e9 });
    await expect(start(postgres.createDatabase(), { once: true }).ended).rejects.toMatchObject({
      code: 'environment',
      message: expect.stringMatching(/^no plans are taken: /),
    });
  });

  test('a job that is put back still comes after what it came after', async () => {
    await using postgres = await startPostgres();
    const url = postgres.createDatabase();
    await using queue = new Queue(await openDatabase(url), fixed.heartbeatMs);
    const hash = 'a'.repeat(64);
    const job = { repo: '/srv/app.git', base: 'main', plan: 'p.md', planHash: hash, trustHash: hash };
    const put = (id: string, after: string | null) =>
      queue.submit(id, { ...job, branch: id, options: {}, by: 'a@b' }, after);
    const [first, second] = [randomUUID(), randomUUID()];
    await put(first, null);
    await put(second, first);
    await queue.cancel(second, 'me');
    const context = world.context({ env: { ...world.context().env, PAWL_FLEET_URL: url } });
    const said = await askJob(context, second, { do: 'retry' });
    expect(await queue.find(said.slice(-72).match(/[\da-f-]{36}/)?.[0] ?? '')).toMatchObject({
      state: 'waiting',
      after: first,
    });
  });

  test('where a job ends, the next begins at once, not at the next look', async () => {
    await using postgres = await startPostgres();
    const url = postgres.createDatabase();
    await using queue = new Queue(await openDatabase(url), fixed.heartbeatMs);
    const notAllowed = { repo: '/srv/app.git', base: 'main', plan: '' } as Job;
    for (const branch of ['a', 'b', 'c']) await queue.submit(randomUUID(), { ...notAllowed, branch });
    const begunMs = performance.now();
    expect(await start(url, { once: true }).ended).toBe(0);
    expect((await queue.list()).map(({ result }) => result !== null)).toEqual([true, true, true]);
    expect(performance.now() - begunMs).toBeLessThan(fixed.heartbeatMs / 3);
  });
});

test('a machine without docker’s engine takes no plans', async () => {
  const context = world.context({ uid: process.getuid?.() });
  const config = configSchema.parse({ sandbox: { kind: 'docker' } });
  world.program('docker', 'echo 24.0.0 linux');
  const jobs = path.join(world.top, 'jobs');
  expect(await findLack({ context, config, jobs })).toBeUndefined();
  world.program('docker', 'echo "Cannot connect" >&2; exit 1');
  expect(await findLack({ context, config, jobs })).toMatch(
    /^no plans are taken: docker’s engine does not answer: Cannot connect\. .*--sandbox process needs no docker/,
  );
});
