import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Failure } from '../../src/failure.ts';
import { openDatabase, tablesVersion } from '../../src/fleet/database.ts';
import { isAway } from '../../src/fleet/database-error.ts';
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
    expect(postgres.sql(url, 'select number from pawl.version')).toBe(String(tablesVersion));
    expect(postgres.sql(url, 'select count(*) from pawl.worker')).toBe('0');
  });

  test('a transaction is done as a whole, or not at all', async () => {
    const url = postgres.createDatabase();
    await using database = await openDatabase(url);
    const torn = database.transaction(async (query) => {
      await query(addWorker);
      throw new Error('torn');
    });
    await expect(torn).rejects.toThrow('torn');
    expect(postgres.sql(url, 'select count(*) from pawl.worker')).toBe('0');
    await database.transaction(async (query) => query(addWorker));
    expect(postgres.sql(url, 'select count(*) from pawl.worker')).toBe('1');
    // No lock is held for ever, and the connection is as it was for whoever has it next (PgBouncer).
    const ask =
      "select current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle";
    expect(await database.transaction(async (query) => query(ask))).toEqual([{ lock: '20s', idle: '10s' }]);
    expect(await database.query(ask)).toEqual([{ lock: '0', idle: '0' }]);
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
    ['a wrong password', (url) => url.replace('pawl@', 'locked:wrong@'), /let this login in: password auth/],
    ['no such database', (url) => url.replace(/t\d+/, 'none'), /none does not exist/],
    ['a login that may make no tables', (url) => url.replace('pawl@', 'poor@'), /login do this: permission/],
    [
      'no server',
      (url) => url.replace(/host=.*/, 'host=/nowhere'),
      /^the database at \/nowhere\S* does not answer/,
    ],
    ['another kind of address', () => 'mysql://a@b/c', /not the address of a PostgreSQL/],
    ['none at all', () => 'localhost', /not the address of a PostgreSQL/],
  ])('%s is said in words, with what helps, and without the login', async (_, change, says) => {
    const failure = await failureOf(change(postgres.createDatabase()));
    expect(failure.message).toMatch(says);
    expect(failure.hint).toBeTruthy();
    expect(`${failure.message} ${failure.hint}`).not.toContain('wrong@');
  });

  const readOnly = 'default_transaction_read_only';
  test.each<[string, (name: string) => readonly string[], RegExp]>([
    [
      'read-only, as after a failover',
      (name) => [`alter database ${name} set ${readOnly} = on`, `alter database ${name} reset ${readOnly}`],
      /cannot be used: cannot execute INSERT in a read-only transaction/,
    ],
    [
      'gone while it is restored',
      (name) => [`alter database ${name} rename to other`, `alter database other rename to ${name}`],
      /does not exist/,
    ],
    [
      'one whose password was changed',
      () => ['new', 'old'].map((word) => `alter role locked password '${word}'`),
      /does not let this login in/,
    ],
  ])('%s is away, and met again', async (_, strokes, says) => {
    const url = postgres.createDatabase();
    postgres.sql(url, "alter role locked superuser password 'old'");
    await using database = await openDatabase(url.replace('pawl@', 'locked:old@'));
    const [spoil = '', mend = ''] = strokes(nameOf(url));
    const other = url.replace(nameOf(url), 'postgres');
    const ours = `from pg_stat_activity where datname = '${nameOf(url)}'`;
    const part = () => postgres.sql(other, `select pg_terminate_backend(pid) ${ours}`);
    part();
    postgres.sql(other, spoil);
    part();
    const add = () => database.query(addWorker).catch((error: unknown) => error);
    const ask = async () => {
      const lost = await add();
      // The first may be told only that its old connection is lost.
      return says.test(String(lost)) ? lost : await add();
    };
    const lost = await ask();
    expect([isAway(lost), String(lost)]).toEqual([true, expect.stringMatching(says)]);
    postgres.sql(other, mend);
    part();
    await ask();
    await database.query('delete from pawl.worker');
    await database.query(addWorker);
  });

  test('tables of another pawl are left alone', async () => {
    const url = postgres.createDatabase();
    await (await openDatabase(url))[Symbol.asyncDispose]();
    postgres.sql(url, 'update pawl.version set number = 999');
    expect((await failureOf(url)).message).toMatch(/set up by another pawl/);
    expect(postgres.sql(url, 'select number from pawl.version')).toBe('999');
  });
});

const addWorker =
  "insert into pawl.worker (id, name, version, repos, slots, busy, says) values ('a', 'n', '1', '{}', 1, 0, '')";

function nameOf(url: string): string {
  return /\/(t\d+)/.exec(url)?.[1] ?? '';
}
