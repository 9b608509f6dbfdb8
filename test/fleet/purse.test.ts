// The window and the money that machines with one account share, on a real PostgreSQL: each of many has a connection of its own.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listCaps, setCap } from '../../src/fleet/account-caps.ts';
import { openDatabase } from '../../src/fleet/database.ts';
import { SqlPurse } from '../../src/fleet/purse.ts';
import { has } from '../helpers/needs.ts';
import { type Postgres, startPostgres } from '../helpers/postgres.ts';

describe.skipIf(!has('PostgreSQL (postgresql)'))('on a real PostgreSQL', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  }, 60_000);
  afterAll(() => postgres[Symbol.asyncDispose]());

  const open = (url: string, machine = 'm', share = 1.5) =>
    new SqlPurse({
      ...{ account: 'team', machine, share, now: () => Date.now() },
      open: () => openDatabase(url, { connections: 1 }),
    });
  const asked = { run: 'r', agents: ['claude'], sessions: 1, spent: 0, open: 0, alone: true };

  async function makeCapped(usd: number) {
    const url = postgres.createDatabase();
    await using database = await openDatabase(url);
    await setCap(database, { account: 'team', per: 'day', usd });
    return url;
  }

  test('a cap of $20 that 24 share is never exceeded, and used up', async () => {
    const url = await makeCapped(20);
    await using database = await openDatabase(url);
    const total = async () => {
      const [row] = await database.query<{ usd: number }>(
        `select ((select coalesce(sum(usd), 0) from pawl.spend) + (select coalesce(sum(reserved), 0) from pawl.hold))::float8 as usd`,
      );
      return row?.usd ?? Number.NaN;
    };
    let [most, sessions] = [0, 0];
    const work = async (at: number) => {
      await using purse = open(url, `m${at}`);
      const run = `r${at}`;
      let spent = 0;
      for (;;) {
        const leave = await purse.ask({ ...asked, run, spent });
        if (leave.kind === 'spent') return spent;
        if (leave.kind === 'wait') {
          await new Promise((resolve) => setTimeout(resolve, 20));
          continue;
        }
        sessions += 1;
        const handed = purse.hand(1) ?? 0;
        most = Math.max(most, await total());
        // Each session spends another part of what it was handed.
        spent += handed * ([1, 0.3, 0.7, 0.05][(at + sessions) % 4] ?? 1);
        await purse.settle({ run, spent, open: 0 });
      }
    };
    const spent = await Promise.all(Array.from({ length: 24 }, (_, at) => work(at)));
    const all = spent.reduce((sum, one) => sum + one, 0);
    expect(most).toBeLessThanOrEqual(20);
    expect(most).toBeGreaterThan(19);
    expect(all).toBeLessThanOrEqual(20);
    expect(all).toBeGreaterThan(19.9);
    expect(sessions).toBeGreaterThan(13);
    // By the database's own sum: one of the same parts in another order may round half a cent the other way.
    expect(await total()).toBeCloseTo(all, 6);
    expect((await listCaps(database)).map(({ says }) => says)).toEqual([
      `$${(await total()).toFixed(2)} of $20.00 a day are spent, $0.00 are reserved`,
    ]);
  });

  test('a limit that one meets holds all of its account until the reset, then few are let through until one works', async () => {
    const url = postgres.createDatabase();
    const purses = Array.from({ length: 24 }, (_, at) => open(url, `m${at}`));
    const [first] = purses;
    const until = Date.now() + 1_500;
    first?.shut({ agent: 'claude', until });
    expect(await first?.ask(asked)).toMatchObject({
      kind: 'wait',
      text: 'claude is at its usage limit, as m0 met it',
    });
    expect(await first?.ask({ ...asked, agents: ['codex'] })).toEqual({ kind: 'go' });
    const begun: number[] = [];
    const held = () =>
      Promise.all(
        purses.map(async (purse, at) => {
          const leave = await purse.ask({ ...asked, run: `r${at}` });
          if (leave.kind === 'go') begun.push(Date.now());
        }),
      );
    while (begun.length === 0) await held();
    expect(Math.min(...begun)).toBeGreaterThanOrEqual(until - 5);
    await held();
    expect(begun).toHaveLength(1);
    // Who has no money uses up nobody's turn.
    await using poor = await openDatabase(url);
    await setCap(poor, { account: 'team', per: 'total', usd: 0 });
    await poor.query("update pawl.window set until = now() - interval '25 s', canaries = 1");
    expect(await first?.ask(asked)).toMatchObject({ kind: 'spent' });
    expect(postgres.sql(url, 'select canaries from pawl.window')).toBe('1');
    await setCap(poor, { account: 'team', per: 'total', usd: undefined });
    first?.works('claude');
    await first?.settle({ run: 'r', spent: 0, open: 0 });
    await held();
    expect(begun).toHaveLength(25);
    for (const purse of purses) await purse[Symbol.asyncDispose]();
  });

  test('a dead one’s reservation counts until its successor knows better; what its journal lost stays spent', async () => {
    const url = await makeCapped(5);
    const dead = open(url, 'dead', 4);
    await dead.ask(asked);
    expect(dead.hand(1)).toBe(4);
    await dead.settle({ run: 'r', spent: 1, open: 3.5 });
    await using other = open(url, 'other', 4);
    const wants = { ...asked, run: 'other' };
    expect(await other.ask(wants)).toMatchObject({
      kind: 'wait',
      text: 'of $5.00 a day for team $1.00 are spent, and $3.50 reserved by running sessions',
    });
    await using next = open(url, 'next', 4);
    // The carried journal knows of half a dollar.
    await next.settle({ run: 'r', spent: 0.5, open: 0 });
    await next.settle({ run: 'r', spent: 0.75, open: 0 });
    expect(postgres.sql(url, 'select spent, reserved from pawl.hold')).toContain('1.25|0');
    expect(await other.ask(wants)).toEqual({ kind: 'go' });
    expect(other.hand(1)).toBe(3.75);
    await dead[Symbol.asyncDispose]();
  });

  test('what a silent run holds counts as spent, and what was reserved for a session that never began goes back', async () => {
    const url = await makeCapped(5);
    const silent = open(url, 'silent', 4);
    await silent.ask(asked);
    expect(silent.hand(1)).toBe(4);
    await silent.settle({ run: 'r', spent: 1, open: 3.5 });
    postgres.sql(url, "update pawl.hold set at = now() - interval '31 minutes'");
    {
      await using brief = open(url, 'brief', 4);
      expect(await brief.ask({ ...asked, run: 'brief' })).toEqual({ kind: 'go' });
      expect(postgres.sql(url, "select reserved from pawl.hold where run = 'brief'")).toBe('0.5');
    }
    expect(postgres.sql(url, 'select run, spent, reserved from pawl.hold order by run')).toBe(
      'brief|0|0\nr|4.5|0',
    );
    await silent[Symbol.asyncDispose]();
  });

  test('the database goes away: what was reserved is used up, then there is no leave; it is asked again when it is back', async () => {
    const url = await makeCapped(20);
    await using purse = open(url, 'm', 4);
    await purse.ask(asked);
    expect(purse.hand(1)).toBe(4);
    await postgres.crash();
    await expect(purse.settle({ run: 'r', spent: 1, open: 0 })).rejects.toMatchObject({
      code: 'environment',
    });
    expect(await purse.ask({ ...asked, spent: 1 })).toEqual({ kind: 'go' });
    expect(purse.hand(1)).toBe(3);
    await expect(purse.ask({ ...asked, spent: 4 })).rejects.toMatchObject({ code: 'environment' });
    // One that was never told of caps begins nothing.
    await using fresh = open(url);
    await expect(fresh.ask({ ...asked, run: 'fresh' })).rejects.toMatchObject({ code: 'environment' });
    await postgres.start();
    expect(await purse.ask({ ...asked, spent: 4 })).toEqual({ kind: 'go' });
    expect(purse.hand(1)).toBe(4);
    expect(postgres.sql(url, 'select spent, reserved from pawl.hold')).toBe('4|4');
  });
});
