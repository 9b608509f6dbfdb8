import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { openDatabase } from '../../src/fleet/database.ts';
import { isAway } from '../../src/fleet/database-error.ts';
import { steps } from '../../src/fleet/tables.ts';
import { has } from '../helpers/needs.ts';
import { type Postgres, startPostgres } from '../helpers/postgres.ts';

describe.skipIf(!has('PostgreSQL (postgresql)'))('on a real PostgreSQL', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  }, 60_000);
  afterAll(() => postgres[Symbol.asyncDispose]());

  const failureOf = async (url: string): Promise<Failure> => {
    try {
      await using _ = await openDatabase(url);
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
    throw new Error('it opened');
  };

  test('pawl’s tables are made once, by however many open the database at once', async () => {
    const url = postgres.createDatabase();
    const open = await Promise.all(Array.from({ length: 6 }, () => openDatabase(url)));
    for (const each of open) await each[Symbol.asyncDispose]();
    expect(postgres.sql(url, 'select number from pawl.version')).toBe(String(steps.length));
    expect(postgres.sql(url, 'select count(*) from pawl.worker')).toBe('0');
  });

  test('a transaction is done as a whole, or not at all', async () => {
    const url = postgres.createDatabase();
    await using database = await openDatabase(url);
    const add = (id: string) =>
      `insert into pawl.worker (id, name, version, labels, slots) values ('${id}', 'n', '1', '{}', 1)`;
    const torn = database.transaction(async (query) => {
      await query(add('a'));
      throw new Error('torn');
    });
    await expect(torn).rejects.toThrow('torn');
    await database.transaction(async (query) => query(add('b')));
    expect(postgres.sql(url, 'select id from pawl.worker')).toBe('b');
    // No lock is held for ever, and the connection is as it was for whoever has it next (PgBouncer).
    const ask =
      "select current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle";
    expect(await database.transaction(async (query) => query(ask))).toEqual([{ lock: '20s', idle: '10s' }]);
    expect(await database.query(ask)).toEqual([{ lock: '0', idle: '0' }]);
  });

  test('a server that is too old is refused by name', async () => {
    const url = postgres.createDatabase();
    postgres.sql(
      url,
      `create role old superuser login; alter role old set search_path = fake, pg_catalog; create schema fake;
       create function fake.current_setting(text) returns text language sql as
       $$ select case $1 when 'server_version_num' then '120022' else '12.22' end $$`,
    );
    const failure = await failureOf(postgres.as(url, 'old'));
    expect([failure.code, failure.message]).toEqual([
      'preflight',
      expect.stringMatching(/ is PostgreSQL 12\.22, and a fleet needs 13 or later$/),
    ]);
  });

  test('a database that is lost says so, and is met again', async () => {
    const url = postgres.createDatabase();
    await using database = await openDatabase(url);
    // Who has just come does not know what others could say before.
    expect(database.thereForMs()).toBeLessThan(60_000);
    await postgres.crash();
    const lost = await database.query('select 1').catch((error: unknown) => error);
    expect(isAway(lost)).toBe(true);
    expect(isAway(await failureOf(url))).toBe(true);
    await postgres.start();
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  test.each<[string, (url: string) => string, RegExp]>([
    [
      'a wrong password',
      (url) => url.replace('pawl@', 'locked:wrong@'),
      /^\S+ does not let this login in: password authentication failed/,
    ],
    ['no such database', (url) => url.replace(/t\d+/, 'none'), /none does not exist/],
    [
      'a login that may make no tables',
      (url) => url.replace('pawl@', 'poor@'),
      /may not do this: permission denied/,
    ],
    ['no server', (url) => url.replace(/host=.*/, 'host=/nowhere'), /^no database answers at \/nowhere/],
    ['another kind of address', () => 'mysql://a@b/c', /not the address of a PostgreSQL/],
    ['none at all', () => 'localhost', /not the address of a PostgreSQL/],
  ])('%s is said in words, with what helps, and without the login', async (_, change, says) => {
    const failure = await failureOf(change(postgres.createDatabase()));
    expect(failure.message).toMatch(says);
    expect(failure.hint).toBeTruthy();
    expect(`${failure.message} ${failure.hint}`).not.toContain('wrong@');
  });

  test('tables of a newer pawl are left alone', async () => {
    const url = postgres.createDatabase();
    await (await openDatabase(url))[Symbol.asyncDispose]();
    postgres.sql(url, 'update pawl.version set number = 999');
    expect((await failureOf(url)).message).toMatch(/set up by a newer pawl/);
    expect(postgres.sql(url, 'select number from pawl.version')).toBe('999');
  });
});
