// pg-boss, started on the fleet's database: it uses the database's pool, and opens none.
import type { PgBoss } from 'pg-boss';
import { Failure } from '../failure.ts';
import { bossVersion, type Database, type Query } from './database.ts';

/** Version of the tables that this pg-boss makes. */
export const bossSchema = 43;

/** Starts it. `serving`: it also looks for workers that are gone, at this interval in ms. */
export async function openBoss(database: Database, serving: number | undefined): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    db: databaseOf(database.query),
    supervise: false,
    monitorIntervalSeconds: Math.max(1, Math.round((serving ?? 60_000) / 1_000)),
    schedule: false,
    reindex: false,
    monitorVacuum: false,
  });
  // The database is unreachable; whoever needs it learns that from their own query.
  boss.on('error', () => {});
  await startWithOthers(boss);
  const version = await boss.schemaVersion();
  if (version !== null && version > bossSchema)
    throw new Failure(
      'preflight',
      `the queue at ${database.address} was set up by a newer pg-boss than ${bossVersion}`,
      { hint: 'Install the same pawl, with its pg-boss, on each machine of the fleet.' },
    );
  return boss;
}

/** Of several pawls that make its tables at once, one does, and the others find them made. */
async function startWithOthers(boss: PgBoss): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      await boss.start();
      return;
    } catch (error) {
      if (tries === 3) throw error;
    }
}

/** What pg-boss asks, through a query of ours. */
export function databaseOf(query: Query) {
  return {
    executeSql: async (text: string, values?: unknown[]) => ({ rows: [...(await query(text, values))] }),
  };
}
