import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/fleet/database.ts';
import type { Job, Takes } from '../../src/fleet/job.ts';
import { openQueue } from '../../src/fleet/pg-boss.ts';
import type { Queue } from '../../src/fleet/queue.ts';
import { addRequest, answerRequest, listOpenRequests, listRequests } from '../../src/fleet/requests.ts';
import { Standing } from '../../src/start/fleet/standing.ts';
import { readFleet } from '../../src/start/fleet/view.ts';
import { has } from '../helpers/needs.ts';
import { type Postgres, startPostgres } from '../helpers/postgres.ts';

const hash = 'a'.repeat(64);
const job: Job = {
  ...{ repo: '/srv/r', base: 'main', branch: 'p', plan: 'p.md', planHash: hash, trustHash: hash },
  ...{ labels: [], options: {}, by: 'a@b' },
};
const done = { kind: 'done', exit: 0, says: '' } as const;

describe.skipIf(!has('PostgreSQL (postgresql)'))('a queue on a real PostgreSQL', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  }, 60_000);
  afterAll(() => postgres[Symbol.asyncDispose]());

  type Opened = Readonly<{ url: string; database: Database; queue: Queue }>;

  async function inQueue(act: (opened: Opened) => Promise<void>): Promise<void> {
    const url = postgres.createDatabase();
    await using database = await openDatabase(url);
    await using queue = await openQueue(database);
    await act({ url, database, queue });
  }

  async function submit(
    queue: Queue,
    key: string,
    more: Partial<Record<'after' | 'repo' | 'branch', string>> &
      Readonly<{ priority?: number; labels?: string[] }> = {},
  ): Promise<string> {
    const id = randomUUID();
    const { after, priority = 0, labels = [], repo = job.repo, branch = id } = more;
    await queue.submit({
      id,
      job: { ...job, branch, labels, repo },
      key,
      priority,
      after,
      heartbeatMs: 20_000,
    });
    return id;
  }

  const begun = { run: '20260102-031000-p', worker: 'box', headline: { branch: 'p' }, isOn: true };

  const worker: Takes = { repos: ['/srv/*'], labels: [] };

  const offered = async (queue: Queue, more: Partial<Takes> = {}) =>
    (await queue.offer({ ...worker, ...more }, 10)).map(({ id }) => id);

  test('a worker that died is shown until one of its machine takes its place, and not again when that ends', () =>
    inQueue(async ({ url, database, queue }) => {
      const begin = async (id: string, name: string) => {
        const standing = new Standing(database, { id, name, version: '1', slots: 1, repos: [], labels: [] });
        await standing.tell({ busy: 1, says: '' });
        return standing;
      };
      const names = async () => {
        const { workers } = await readFleet({ database, queue, [Symbol.asyncDispose]: async () => {} });
        return workers.map(({ name, ageMs }) => `${name} ${ageMs > 60_000 ? 'silent' : 'there'}`);
      };
      await begin('1', 'box');
      postgres.sql(
        url,
        "update pawl.worker set since = now() - interval '2 h', seen = now() - interval '1 h'",
      );
      await begin('2', 'desk');
      expect(await names()).toEqual(['box silent', 'desk there']);
      const again = await begin('3', 'box');
      expect(await names()).toEqual(['box there', 'desk there']);
      await again[Symbol.asyncDispose]();
      expect(await names()).toEqual(['desk there']);
    }));

  test('jobs of one key come one after the other, also when one is given back', () =>
    inQueue(async ({ url, queue }) => {
      const [first, second, other] = [
        await submit(queue, 'a'),
        await submit(queue, 'a'),
        await submit(queue, 'b'),
      ];
      const offers = await queue.offer(worker, 10);
      expect(new Set(offers.map(({ id }) => id))).toEqual(new Set([first, other]));
      const [offer] = offers.filter(({ id }) => id === first);
      if (!offer) throw new Error('the first was not offered');
      await queue.giveBack(offer, { trouble: 'no docker \ud83d' });
      const [again] = await queue.offer(worker, 10);
      expect(again).toMatchObject({ id: first, attempt: 1, troubles: 1 });
      expect((await queue.find(first))?.last).toEqual({ says: 'no docker \ufffd', times: 1 });
      if (again) await queue.noteRun(again, begun);
      expect(await queue.keep(offer)).toBe('lost');
      expect(await queue.complete(offer, done)).toBe(false);
      if (!again) throw new Error('it was not offered again');
      expect(postgres.sql(url, `select troubles from pawl.job where id = '${first}'`).trim()).toBe('0');
      expect(await queue.keep(again)).toBe('kept');
      expect(await queue.complete(again, done)).toBe(true);
      expect(await offered(queue)).toEqual([second]);
    }));

  test('one that is given back for a while is offered to nobody meanwhile, nor are those behind it; a person may end that', () =>
    inQueue(async ({ queue }) => {
      const [first, other] = [await submit(queue, 'a'), await submit(queue, 'b')];
      await submit(queue, 'a');
      const [offer] = await queue.offer(worker, 1);
      if (!offer) throw new Error('it was not offered');
      await queue.giveBack(offer, { trouble: 'no remote', afterMs: 600_000 });
      expect(await queue.find(first)).toMatchObject({
        state: 'queued',
        last: { says: 'no remote', times: 1, dueMs: expect.closeTo(600_000, -5) },
      });
      expect(await offered(queue)).toEqual([other]);
      expect([await queue.release(first), await queue.release(first)]).toEqual([true, false]);
      expect(await offered(queue)).toEqual([first]);
    }));

  test('of a job whose signs of life were late nobody else has it until it is offered again; deaths count from what was done last', () =>
    inQueue(async ({ url, queue }) => {
      const id = await submit(queue, 'a');
      const [offer] = await queue.offer(worker, 1);
      if (!offer) throw new Error('it was not offered');
      const late = `update pgboss.job set heartbeat_on = now() - interval '1 hour' where id = '${id}'`;
      postgres.sql(url, `${late}; update pgboss.job set state = 'retry' where id = '${id}'`);
      expect(await queue.keep(offer)).toBe('free');
      const [again] = await queue.offer(worker, 1);
      expect([again?.deaths, await queue.keep(offer)]).toEqual([1, 'lost']);
      if (again) await queue.noteRun(again, begun);
      postgres.sql(url, `update pgboss.job set state = 'retry' where id = '${id}'`);
      expect((await queue.offer(worker, 1)).map(({ deaths }) => deaths)).toEqual([1]);
    }));

  test('many at once do not wait for each other’s connections', () =>
    inQueue(async ({ url, queue }) => {
      await Promise.all(
        Array.from({ length: 40 }, (_, at) => submit(queue, `k${at}`, { repo: `/srv/r${at}` })),
      );
      expect(postgres.sql(url, "select count(*) from pgboss.job where state = 'created'")).toBe('40');
    }));

  test('how far its run is stands in its own row, with its age; being told without progress resets no counts', () =>
    inQueue(async ({ url, queue }) => {
      const id = await submit(queue, 'a');
      const [offer] = await queue.offer(worker, 1);
      if (!offer) throw new Error('it was not offered');
      postgres.sql(url, `update pawl.job set troubles = 3 where id = '${id}'`);
      await queue.noteRun(offer, { ...begun, isOn: false });
      expect((await queue.find(id))?.seen).toMatchObject({ worker: 'box', headline: { branch: 'p' } });
      expect(postgres.sql(url, `select troubles from pawl.job where id = '${id}'`)).toBe('3');
    }));

  test('what is asked of a job stands until it is answered, and calls those that listen', () =>
    inQueue(async ({ url, database, queue }) => {
      const id = await submit(queue, 'a');
      const { query } = database;
      let calls = 0;
      await using _calls = database.listen(() => {
        calls += 1;
      });
      const listening = "select count(*) from pg_stat_activity where query = 'listen pawl'";
      await expect.poll(() => postgres.sql(url, listening), { timeout: 20_000 }).toBe('1');
      const ask = (text: string) =>
        addRequest(query, { job: id, by: 'Ada', wish: { do: 'steer', text, now: false } });
      const [first, second] = [await ask('one'), await ask('two')];
      await expect.poll(() => calls, { timeout: 20_000 }).toBeGreaterThanOrEqual(2);
      await answerRequest(query, first, { ok: true, text: 'Noted.' });
      expect((await listOpenRequests(query, [id])).map((each) => each.id)).toEqual([second]);
      expect((await listRequests(query, id)).map(({ reply }) => reply)).toEqual([
        { ok: true, text: 'Noted.' },
        undefined,
      ]);
    }));

  test('a branch of a repository is that of one job, as long as that is not over', () =>
    inQueue(async ({ queue }) => {
      const submission = { job, key: 'a', priority: 0, after: undefined, heartbeatMs: 20_000 };
      const [first, twin] = [randomUUID(), randomUUID()];
      await queue.submit({ ...submission, id: first });
      const elsewhere = { ...job, base: 'release', repo: `${job.repo}.git/` };
      const refused = queue.submit({ ...submission, id: twin, key: 'b', job: elsewhere });
      await expect(refused).rejects.toThrow(`which is in the queue as ${first}`);
      await queue.submit({ ...submission, id: randomUUID(), job: { ...job, repo: '/srv/other' } });
      await queue.cancel(first, 'me');
      await queue.submit({ ...submission, id: twin });
    }));

  test('what PostgreSQL does not take of a text is left out of an end', () =>
    inQueue(async ({ queue }) => {
      const id = await submit(queue, 'a');
      const [offer] = await queue.offer(worker, 1);
      if (!offer) throw new Error('it was not offered');
      expect(await queue.complete(offer, { ...done, says: 'half \ud83d and \0 nul' })).toBe(true);
      expect((await queue.find(id))?.result?.says).toBe('half \ufffd and  nul');
    }));

  test('one that comes after another waits for its end, and is told of it', () =>
    inQueue(async ({ queue }) => {
      const first = await submit(queue, 'a');
      const second = await submit(queue, 'b', { after: first });
      const [offer, none] = await queue.offer(worker, 10);
      expect([offer?.id, none]).toEqual([first, undefined]);
      expect((await queue.find(second))?.state).toBe('waiting');
      if (!offer) throw new Error('the first was not offered');
      await queue.noteRun(offer, begun);
      expect((await queue.find('20260102-031000-p'))?.id).toBe(first);
      await queue.complete(offer, { kind: 'failed', exit: 1, says: 'red' });
      expect(await queue.offer(worker, 10)).toEqual([]);
      expect(await queue.find(second)).toMatchObject({ state: 'held', before: { kind: 'failed' } });
      const third = await submit(queue, 'c', { after: first });
      expect([await queue.release(third), await queue.release(third)]).toEqual([true, false]);
      expect(await queue.offer(worker, 10)).toMatchObject([
        { id: third, after: { result: { kind: 'failed' } } },
      ]);
      // Submitted again: what was held waits for that.
      const again = await submit(queue, 'a', { branch: first });
      expect(await queue.find(second)).toMatchObject({ state: 'waiting', after: again });
      const [next] = await queue.offer(worker, 10);
      if (!next) throw new Error('it was not offered again');
      await queue.complete(next, done);
      expect(await queue.offer(worker, 10)).toMatchObject([
        { id: second, after: { data: { branch: first }, result: { kind: 'done' } } },
      ]);
    }));

  test('labels are asked for, and priority comes first', () =>
    inQueue(async ({ queue }) => {
      const gpu = await submit(queue, 'a', { labels: ['gpu'] });
      const low = await submit(queue, 'b');
      const high = await submit(queue, 'c', { priority: 5 });
      expect((await queue.offer(worker, 1)).map(({ id }) => id)).toEqual([high]);
      expect(await offered(queue)).toEqual([low]);
      expect(await offered(queue, { labels: ['gpu', 'big'] })).toEqual([gpu]);
    }));

  test('a job of a repository that a worker does not allow is left to those that do', () =>
    inQueue(async ({ queue }) => {
      const low = await submit(queue, 'a', { repo: '/team/a' });
      const high = await submit(queue, 'b', { repo: '/team/b', priority: 1 });
      expect(await offered(queue)).toEqual([]);
      expect(await offered(queue, { repos: ['/team/b'] })).toEqual([high]);
      const last = await submit(queue, 'c', { repo: '/team/b' });
      expect(await offered(queue, { repos: ['/team/*'] })).toEqual([low, last]);
    }));

  test('one that is cancelled is taken from its worker, and what comes after it is told', () =>
    inQueue(async ({ queue }) => {
      const [first, next] = [await submit(queue, 'a'), await submit(queue, 'a')];
      const after = await submit(queue, 'b', { after: first });
      const [offer] = await queue.offer(worker, 10);
      if (!offer) throw new Error('the first was not offered');
      expect(offer).toMatchObject({ id: first, heartbeatMs: 20_000 });
      expect(await queue.cancel(first, 'me')).toBe(true);
      expect([await queue.keep(offer), await queue.complete(offer, done)]).toEqual(['lost', false]);
      await queue.giveBack(offer);
      expect(await queue.find(first)).toMatchObject({ state: 'over', result: { kind: 'cancelled' } });
      expect(await offered(queue)).toEqual([next]);
      expect((await queue.find(after))?.state).toBe('held');
      expect([await queue.cancel(after, 'me'), await queue.cancel(after, 'me')]).toEqual([true, false]);
      expect(await offered(queue)).toEqual([]);
    }));

  test('a queue of a newer pg-boss is left alone', () =>
    inQueue(async ({ url, database }) => {
      postgres.sql(url, 'update pgboss.version set version = 999');
      await expect(openQueue(database)).rejects.toThrow(/set up by a newer pg-boss/);
    }));
});
