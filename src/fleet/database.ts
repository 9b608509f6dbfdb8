// The database of a fleet: PostgreSQL, loaded only if asked for. Its login is in no message.
import type { Pool, PoolClient, QueryResult } from 'pg';
import { Failure } from '../failure.ts';
import { formatAddress, isAway, judgeError } from './database-error.ts';

export type Query = <Row extends object>(sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

export type Database = AsyncDisposable &
  Readonly<{
    /** Each a transaction. No answer within 30 s, and a lost connection, throw Failure('environment'). */
    query: Query;
    /** All done with the query passed in is committed, or none of it. */
    transaction<T>(act: (query: Query) => Promise<T>): Promise<T>;
    address: string;
    /** How long it is known to be reachable, ms: since it was opened, or last unreachable. */
    thereForMs(): number;
  }>;

/** A lock's number, arbitrary: others are unlikely to use it. */
const migrating = 0x7061_776c;

/** Makes missing tables. */
export async function openDatabase(url: string): Promise<Database> {
  const address = formatAddress(url);
  const { Pool } = (await import('pg')).default;
  const pool = new Pool({
    connectionString: url,
    application_name: 'pawl',
    connectionTimeoutMillis: 10_000,
    query_timeout: 30_000,
    keepAlive: true,
    max: 3,
  });
  // An idle connection was lost: the next query opens another.
  pool.on('error', () => {});
  // Its next query reports that.
  pool.on('connect', (client) => client.on('error', () => {}));
  let thereFrom = performance.now();
  let wasReached = false;
  const ask = async <T>(act: () => Promise<T>): Promise<T> => {
    try {
      return await act();
    } catch (error) {
      const judged = judgeError(error, { address, wasReached });
      if (isAway(judged)) thereFrom = performance.now();
      throw judged;
    }
  };
  const queryOn =
    (on: Pick<Pool, 'query'> | PoolClient): Query =>
    (sql, values = []) =>
      ask(async () => ((await on.query(sql, [...values])) as QueryResult).rows ?? []);
  const database: Database = {
    address,
    thereForMs: () => performance.now() - thereFrom,
    query: queryOn(pool),
    transaction: (act) => transact({ pool, ask }, (client) => act(queryOn(client))),
    [Symbol.asyncDispose]: async () => pool.end(),
  };
  try {
    await makeTables(database);
    wasReached = true;
    return database;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

async function transact<T>(
  { pool, ask }: Readonly<{ pool: Pool; ask: <T>(act: () => Promise<T>) => Promise<T> }>,
  act: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await ask(() => pool.connect());
  try {
    await ask(() => client.query(begin));
    const result = await act(client);
    await ask(() => client.query('commit'));
    client.release();
    return result;
  } catch (error) {
    // When the connection closes, the server rolls back, whatever the state.
    client.release(true);
    throw error;
  }
}

/**
 * A suspended pawl (a closed lid) must not hold its locks against others. Per transaction: PgBouncer refuses such
 * settings for a connection.
 */
const begin = `begin; set local idle_in_transaction_session_timeout = '10s'; set local lock_timeout = '20s';
  set local statement_timeout = '25s'`;

/** One pawl after the other. */
async function makeTables({ query, transaction, address }: Database): Promise<void> {
  const known =
    (await readVersion(query)) ??
    (await transaction(async (inside) => {
      await inside('select pg_advisory_xact_lock($1)', [migrating]);
      const made = await readVersion(inside);
      if (made === undefined) await inside(tables);
      return made ?? tablesVersion;
    }));
  if (known === tablesVersion) return;
  throw new Failure(
    'preflight',
    `${address} was set up by another pawl (tables ${known}, here ${tablesVersion})`,
    {
      hint: 'Install the same pawl on each machine; after an update, let the queue come to an end, then drop schema pawl cascade.',
    },
  );
}

async function readVersion(query: Query): Promise<number | undefined> {
  // From the catalogue: to_regclass would answer from before the lock.
  const [found] = await query<{ there: boolean }>(
    "select exists (select from pg_tables where schemaname = 'pawl' and tablename = 'version') as there",
  );
  if (!found?.there) return undefined;
  return (await query<{ number: number }>('select number from pawl.version'))[0]?.number;
}

/** For PostgreSQL, which refuses NUL and unpaired surrogates in JSON. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, each) =>
    typeof each === 'string' ? each.toWellFormed().replaceAll('\0', '') : each,
  );
}

export const tablesVersion = 10;

/**
 * Worker `seen`: its last heartbeat. A job is one row per branch of a repository; `beat`: its worker's last heartbeat,
 * null without one; `attempt`: how often offered, which tells its workers apart; `troubles`: as in `Offer`.
 */
const tables = `create schema if not exists pawl;
  create table pawl.version (number int not null);
  insert into pawl.version values (${tablesVersion});
  create table pawl.worker (
    id text primary key,
    name text not null,
    version text not null,
    repos text[] not null,
    slots int not null,
    busy int not null,
    says text not null,
    since timestamptz not null default now(),
    seen timestamptz not null default now()
  );
  create table pawl.job (
    id uuid primary key,
    repo text not null,
    branch text not null,
    base text not null,
    data jsonb not null,
    after uuid references pawl.job on update cascade on delete set null,
    at timestamptz not null default now(),
    due timestamptz not null default now(),
    beat timestamptz,
    attempt int not null default 0,
    troubles int not null default 0,
    trouble text,
    run text,
    worker text,
    headline jsonb,
    told timestamptz,
    result jsonb,
    ended timestamptz,
    unique (repo, branch)
  );
  create index on pawl.job (repo, base) where result is null;
  create index on pawl.job (run);
  create table pawl.request (
    id uuid primary key default gen_random_uuid(),
    job uuid not null references pawl.job on update cascade on delete cascade,
    asked_by text not null,
    wish jsonb not null,
    at timestamptz not null default now(),
    reply jsonb
  );
  create index on pawl.request (job);`;
