// How quickly the queue of a fleet hands plans out: many without any work, over several workers, each a process.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { openDatabase } from '../../src/fleet/database.ts';
import { Queue } from '../../src/fleet/queue.ts';
import type { BuiltPawl } from '../helpers/built-pawl.ts';
import { has } from '../helpers/needs.ts';
import { type Postgres, startPostgres } from '../helpers/postgres.ts';
import { formatNumber, formatTable, type Size } from './measure.ts';

const sizes = {
  whole: { plans: 1_000, workers: 8, slots: 10 },
  smallest: { plans: 10, workers: 2, slots: 2 },
};

/** Each plan on a base of its own, so that none waits for another. */
export async function measureFleet(_pawl: BuiltPawl, size: Size): Promise<string> {
  const { plans, workers, slots } = sizes[size];
  const headline = `A queue of ${plans} plans without work, ${workers} workers of ${slots} slots`;
  if (!has('PostgreSQL (postgresql)')) return formatTable(headline, [['Not tried: PostgreSQL']]);
  await using postgres = await startPostgres();
  const url = postgres.createDatabase();
  const submitMs = await submit(url, plans);
  const most = watchConnections(postgres, url);
  const since = performance.now();
  const ids = await Promise.all(Array.from({ length: workers }, () => work(url, slots)));
  const seconds = (performance.now() - since) / 1_000;
  const done = ids.flat();
  return formatTable(headline, [
    ['submitted', `${formatNumber(submitMs / plans)} ms each`],
    ['done', `${done.length}, ${done.length - new Set(done).size} twice`],
    [
      'with the start and the end of the workers',
      `${formatNumber(seconds)} s, ${formatNumber(plans / seconds)} each second`,
    ],
    ['connections at most', String(most())],
  ]);
}

async function submit(url: string, plans: number): Promise<number> {
  await using database = await openDatabase(url);
  const queue = new Queue(database, 30_000);
  const since = performance.now();
  for (let at = 0; at < plans; at += 1) {
    const hash = 'a'.repeat(64);
    const plan = { repo: '/r', base: `b${at}`, branch: `p${at}`, plan: 'p.md' };
    const job = { ...plan, planHash: hash, trustHash: hash };
    await queue.submit({ id: randomUUID(), job: { ...job, options: {}, by: 'bench' } });
  }
  return performance.now() - since;
}

async function work(url: string, slots: number): Promise<readonly string[]> {
  const file = path.join(import.meta.dirname, 'fleet-worker.ts');
  const child = spawn(process.execPath, [file, url, String(slots)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout) text += String(chunk);
  return JSON.parse(text) as readonly string[];
}

/** The most that were open at once, as far as it looked. */
function watchConnections(postgres: Postgres, url: string): () => number {
  let most = 0;
  const look = setInterval(() => {
    const found = postgres.sql(
      url,
      'select count(*) from pg_stat_activity where datname = current_database()',
    );
    most = Math.max(most, Number(found) - 1);
  }, 500);
  return () => {
    clearInterval(look);
    return most;
  };
}
