import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/fleet/database.ts';
import type { Job } from '../../src/fleet/job.ts';
import { type Offer, Queue } from '../../src/fleet/queue.ts';
import { readFleet } from '../../src/start/fleet/view.ts';
import { standingOf } from '../../src/start/fleet/worker.ts';
import { has } from '../helpers/needs.ts';
import { type Postgres, startPostgres } from '../helpers/postgres.ts';

const hash = 'a'.repeat(64);
const job: Job = {
  ...{ repo: '/srv/r', base: 'main', branch: 'p', plan: 'p.md', planHash: hash, trustHash: hash },
  ...{ options: {}, by: 'a@b' },
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
    await using opened = await openDatabase(url);
    // Long enough there for silence to mean something.
    const database = { ...opened, thereForMs: () => 3_600_000 };
    await act({ url, database, queue: new Queue(database, 20_000) });
  }

  async function submit(queue: Queue, base: string, more: Partial<Job & { after: string }> = {}) {
    const id = randomUUID();
    const { after, ...own } = more;
    await queue.submit(id, { ...job, base, branch: id, ...own }, after);
    return id;
  }

  const begun = { run: '20260102-031000-p', worker: 'box', headline: { branch: 'p', tasks: 1 } };

  const offer = (queue: Queue, repos = ['/srv/*'], open: readonly string[] = []) => queue.offer(repos, open);

  const needOffer = async (queue: Queue): Promise<Offer> => {
    const found = await offer(queue);
    if (!found) throw new Error('nothing was offered');
    return found;
  };

  const silence = (url: string, id: string) =>
    postgres.sql(url, `update pawl.job set beat = now() - interval '1 hour' where id = '${id}'`);

  test('a worker that died is shown until one of its machine takes its place, and not again when that ends', () =>
    inQueue(async ({ url, database, queue }) => {
      const begin = async (id: string, name: string) => {
        const standing = standingOf(database, { id, name, version: '1', slots: 1, repos: [] });
        await standing.tell({ busy: 1, says: '' });
        return standing;
      };
      const names = async () => {
        const { workers } = await readFleet(queue);
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

  test('jobs of one base come one after the other, also when one is given back; nobody has to wait for another base', () =>
    inQueue(async ({ url, queue }) => {
      const [first, second, other] = [
        await submit(queue, 'a'),
        await submit(queue, 'a'),
        await submit(queue, 'b'),
      ];
      const offered = await needOffer(queue);
      expect([offered.id, (await offer(queue))?.id, await offer(queue)]).toEqual([first, other, undefined]);
      await queue.giveBack(offered, { trouble: 'no docker \ud83d\0' });
      const again = await needOffer(queue);
      expect(again).toMatchObject({ id: first, attempt: 2, troubles: 1 });
      expect(await queue.find(first)).toMatchObject({ trouble: 'no docker \ufffd', troubles: 1 });
      await queue.keep(again, begun);
      expect([await queue.keep(offered), await queue.complete(offered, done)]).toEqual([false, false]);
      expect(postgres.sql(url, `select troubles from pawl.job where id = '${first}'`).trim()).toBe('0');
      expect([await queue.keep(again), await queue.complete(again, done)]).toEqual([true, true]);
      expect((await offer(queue))?.id).toBe(second);
    }));

  test('one that is given back for a while is offered to nobody meanwhile, nor are those behind it', () =>
    inQueue(async ({ queue }) => {
      const [first, other] = [await submit(queue, 'a'), await submit(queue, 'b')];
      await submit(queue, 'a');
      await queue.giveBack(await needOffer(queue), { trouble: 'no remote', afterMs: 600_000 });
      expect(await queue.find(first)).toMatchObject({
        state: 'queued',
        ...{ trouble: 'no remote', troubles: 1, dueMs: expect.closeTo(600_000, -5) },
      });
      expect([(await offer(queue))?.id, await offer(queue)]).toEqual([other, undefined]);
    }));

  test('a job whose worker fell silent is offered to others, unless it is heard of before; that counts from what was done last', () =>
    inQueue(async ({ url, queue }) => {
      const id = await submit(queue, 'a');
      const offered = await needOffer(queue);
      silence(url, id);
      // Its own worker does not begin it twice.
      expect(await offer(queue, ['/srv/*'], [id])).toBeUndefined();
      expect([await queue.keep(offered), await offer(queue)]).toEqual([true, undefined]);
      silence(url, id);
      const again = await needOffer(queue);
      expect([again.troubles, await queue.keep(offered)]).toEqual([1, false]);
      await queue.keep(again, begun);
      silence(url, id);
      expect((await needOffer(queue)).troubles).toBe(1);
    }));

  test('nobody counts as silent while the database may have been away', () =>
    inQueue(async ({ url, database, queue }) => {
      const id = await submit(queue, 'a');
      await needOffer(queue);
      silence(url, id);
      const back = new Queue({ ...database, thereForMs: () => 19_000 }, 20_000);
      expect([await offer(back), (await offer(queue))?.id]).toEqual([undefined, id]);
    }));

  test('many workers at once are offered each job once, and those of one base never together', () =>
    inQueue(async ({ url, queue }) => {
      const ids = await Promise.all(Array.from({ length: 40 }, (_, at) => submit(queue, `b${at % 20}`)));
      const taken = await Promise.all(
        Array.from({ length: 8 }, async () => {
          await using own = await openDatabase(url);
          const mine = new Queue(own, 20_000);
          const found: string[] = [];
          for (let next = await offer(mine); next; next = await offer(mine)) found.push(next.id);
          return found;
        }),
      );
      const bases = taken.flat().map((id) => ids.map(String).indexOf(id) % 20);
      expect([bases.length, new Set(bases).size]).toEqual([20, 20]);
    }));

  test('how far its run is stands in its own row, with its age; being told without progress resets no counts', () =>
    inQueue(async ({ url, queue }) => {
      const id = await submit(queue, 'a', { branch: 'p' });
      const offered = await needOffer(queue);
      await queue.keep(offered, begun);
      postgres.sql(url, `update pawl.job set troubles = 3 where id = '${id}'`);
      await queue.keep(offered, begun);
      expect(await queue.find(id)).toMatchObject({ worker: 'box', headline: { branch: 'p' } });
      expect(postgres.sql(url, `select troubles from pawl.job where id = '${id}'`)).toBe('3');
      await queue.complete(offered, done);
      const again = await submit(queue, 'a', { branch: 'p' });
      expect((await queue.find(again))?.headline).toBeNull();
    }));

  test('what is asked of a job stands until it is answered, and goes with its plan', () =>
    inQueue(async ({ queue }) => {
      const id = await submit(queue, 'a', { branch: 'p' });
      const ask = (text: string) => queue.ask(id, 'Ada', { do: 'steer', text, now: false });
      const [first, second] = [await ask('one'), await ask('two')];
      await queue.answer(first, { ok: true, text: 'Noted.' });
      const listed = await queue.requests([id]);
      expect(listed.map((each) => [each.id, each.reply?.text])).toEqual([
        [first, 'Noted.'],
        [second, undefined],
      ]);
      await queue.ask(id, 'Ada', { do: 'stop' });
      await queue.cancel(id, 'me');
      const again = await submit(queue, 'a', { branch: 'p' });
      // What was to be stopped has ended.
      expect((await queue.requests([again])).map(({ reply }) => reply)).toEqual([
        { ok: true, text: 'Noted.' },
        undefined,
      ]);
    }));

  test('a branch of a repository is that of one job, as long as that is not over', () =>
    inQueue(async ({ url, queue }) => {
      const first = await submit(queue, 'main', { branch: 'p' });
      const elsewhere = { base: 'release', repo: `${job.repo}.git/`, branch: 'p' };
      await expect(submit(queue, 'release', elsewhere)).rejects.toThrow(`in the queue, as ${first}`);
      await submit(queue, 'main', { repo: '/srv/other', branch: 'p' });
      await queue.cancel(first, 'me');
      await submit(queue, 'release', elsewhere);
      expect(postgres.sql(url, 'select count(*) from pawl.job')).toBe('2');
    }));

  test('one that comes after another waits for its end, also when that is submitted again', () =>
    inQueue(async ({ queue }) => {
      const first = await submit(queue, 'a', { branch: 'first' });
      const second = await submit(queue, 'b', { after: first });
      const offered = await needOffer(queue);
      expect([offered.id, await offer(queue)]).toEqual([first, undefined]);
      expect((await queue.find(second))?.state).toBe('waiting');
      await queue.keep(offered, begun);
      expect((await queue.find('20260102-031000-p'))?.id).toBe(first);
      await queue.complete(offered, { kind: 'failed', exit: 1, says: 'red' });
      expect(await offer(queue)).toBeUndefined();
      expect(await queue.find(second)).toMatchObject({ state: 'held', before: { kind: 'failed' } });
      const again = await submit(queue, 'a', { branch: 'first' });
      expect(await queue.find(second)).toMatchObject({ state: 'waiting', after: again });
      await queue.complete(await needOffer(queue), done);
      expect(await offer(queue)).toMatchObject({
        id: second,
        after: { data: { branch: 'first' }, result: { kind: 'done' } },
      });
    }));

  test('one that has begun goes on when what it came after is submitted again; one that has not waits for that, and stands in nobody’s way', () =>
    inQueue(async ({ url, queue }) => {
      const first = await submit(queue, 'a', { branch: 'first' });
      const [second, third] = [
        await submit(queue, 'a', { after: first }),
        await submit(queue, 'a', { after: first }),
      ];
      await queue.complete(await needOffer(queue), done);
      const offered = await needOffer(queue);
      await queue.keep(offered, begun);
      const again = await submit(queue, 'a', { branch: 'first' });
      expect([offered.id, await offer(queue)]).toEqual([second, undefined]);
      await queue.giveBack(offered);
      expect((await queue.find(second))?.state).toBe('queued');
      const anew = await needOffer(queue);
      expect(anew.id).toBe(second);
      await queue.complete(anew, done);
      const next = await needOffer(queue);
      expect(next.id).toBe(again);
      await queue.complete(next, done);
      const last = await needOffer(queue);
      const once = await submit(queue, 'a', { branch: 'first' });
      expect([last.id, await offer(queue)]).toEqual([third, undefined]);
      silence(url, third);
      const silent = await needOffer(queue);
      expect(silent.id).toBe(once);
      await queue.giveBack(silent);
      await queue.giveBack(last);
      expect((await queue.find(third))?.state).toBe('waiting');
      expect((await needOffer(queue)).id).toBe(once);
    }));

  test('one that would wait for itself is refused, and its earlier job stays; it may come after one that waited for it and is done', () =>
    inQueue(async ({ queue }) => {
      const first = await submit(queue, 'a', { branch: 'first' });
      const second = await submit(queue, 'b', { branch: 'second', after: first });
      const third = await submit(queue, 'c', { after: second });
      await queue.complete(await needOffer(queue), { kind: 'failed', exit: 1, says: 'red' });
      for (const after of [first, second, third])
        await expect(submit(queue, 'a', { branch: 'first', after })).rejects.toMatchObject({ code: 'usage' });
      expect(await queue.find(first)).toMatchObject({ state: 'over', result: { kind: 'failed' } });
      await submit(queue, 'a', { branch: 'first' });
      for (let left = 3; left > 0; left -= 1) await queue.complete(await needOffer(queue), done);
      await submit(queue, 'a', { branch: 'first', after: second });
      expect((await needOffer(queue)).data).toMatchObject({ branch: 'first' });
    }));

  test('a job of a repository that a worker does not allow is left to those that do', () =>
    inQueue(async ({ queue }) => {
      const low = await submit(queue, 'a', { repo: 'https://h.example/team/a.git' });
      const high = await submit(queue, 'b', { repo: 'git@h.example:team/b' });
      expect(await offer(queue, [])).toBeUndefined();
      expect(await offer(queue, ['https://h.example/*', 'https://hXexample/team/*'])).toBeUndefined();
      expect((await offer(queue, ['https://h.example/team/b']))?.id).toBe(high);
      expect((await offer(queue, ['/srv/*', 'https://h.example/team/*']))?.id).toBe(low);
    }));

  test('one that is cancelled is taken from its worker, and what comes after it is told', () =>
    inQueue(async ({ queue }) => {
      const [first, next] = [await submit(queue, 'a'), await submit(queue, 'a')];
      const after = await submit(queue, 'b', { after: first });
      const offered = await needOffer(queue);
      expect(await queue.cancel(first, 'me')).toBe(true);
      expect([await queue.keep(offered), await queue.complete(offered, done)]).toEqual([false, false]);
      await queue.giveBack(offered);
      expect(await queue.find(first)).toMatchObject({ state: 'over', result: { kind: 'cancelled' } });
      expect((await offer(queue))?.id).toBe(next);
      expect((await queue.find(after))?.state).toBe('held');
      expect([await queue.cancel(after, 'me'), await queue.cancel(after, 'me')]).toEqual([true, false]);
    }));

  test('what is old and not waited for is removed, with what was asked of it', () =>
    inQueue(async ({ url, queue }) => {
      const [first, second] = [await submit(queue, 'a'), await submit(queue, 'b')];
      await submit(queue, 'c', { after: second });
      await queue.ask(first, 'Ada', { do: 'stop' });
      for (const id of [first, second]) await queue.cancel(id, 'me');
      postgres.sql(url, "update pawl.job set ended = now() - interval '31 days' where result is not null");
      await queue.removeOld();
      expect(postgres.sql(url, 'select count(*) from pawl.job')).toBe('2');
      expect(postgres.sql(url, 'select count(*) from pawl.request')).toBe('0');
    }));
});
