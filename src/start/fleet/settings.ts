// The settings of a fleet, and its database and queue opened with them.
import type { Layer } from '../../config/layer.ts';
import { loadConfig } from '../../config/load.ts';
import type { Config } from '../../config/schema.ts';
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import type { Database } from '../../fleet/database.ts';
import type { Queue } from '../../fleet/queue.ts';
import type { CliContext } from '../context.ts';

/** The settings that count without a repository: the user's own, the environment's, the command line's. */
export function readFleetConfig(context: CliContext, flags?: Layer): Config {
  const { env, folders } = context;
  return loadConfig({ root: folders.config, env, folders, trusted: false, ...defined({ flags }) }).config;
}

export type Fleet = AsyncDisposable & Readonly<{ database: Database; queue: Queue }>;

/** Opens it; `serving`: looks for workers that are gone, at this interval in milliseconds. */
export async function openFleet(
  config: Config,
  { serving }: Readonly<{ serving?: number }> = {},
): Promise<Fleet> {
  const { url } = config.fleet;
  if (url === undefined)
    throw new Failure('config', 'no fleet is configured: fleet.url names its PostgreSQL database', {
      hint: 'Set PAWL_FLEET_URL, or fleet.url in your own config.yaml (pawl config path); see docs/fleet.md.',
    });
  const { openDatabase } = await import('../../fleet/database.ts');
  const database = await openDatabase(url);
  try {
    const { openQueue } = await import('../../fleet/pg-boss.ts');
    const queue = await openQueue(database, defined({ serving }));
    return {
      database,
      queue,
      [Symbol.asyncDispose]: async () => {
        await queue[Symbol.asyncDispose]();
        await database[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}
