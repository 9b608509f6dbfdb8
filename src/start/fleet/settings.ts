// The settings of a fleet, and its database and queue.
import { fixed } from '../../config/fixed.ts';
import type { SettingsLayer } from '../../config/layer.ts';
import type { Config } from '../../config/schema.ts';
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import type { Database } from '../../fleet/database.ts';
import type { Queue } from '../../fleet/queue.ts';
import type { CliContext } from '../context.ts';
import { loadSettings } from '../load-settings.ts';

/** Without a repository: the user's, the environment's, the command line's. */
export function readFleetConfig(context: CliContext, flags?: SettingsLayer): Config {
  return loadSettings(context, { root: context.folders.config, trusted: false, ...defined({ flags }) })
    .config;
}

export type Fleet = AsyncDisposable & Readonly<{ database: Database; queue: Queue }>;

export async function openFleet({ fleet: { url } }: Config): Promise<Fleet> {
  if (url === undefined)
    throw new Failure('config', 'no fleet is configured: fleet.url names its PostgreSQL database', {
      hint: 'Set PAWL_FLEET_URL, or fleet.url in your own config.yaml (pawl config path); see docs/fleet.md.',
    });
  const { openDatabase } = await import('../../fleet/database.ts');
  const { Queue } = await import('../../fleet/queue.ts');
  const database = await openDatabase(url);
  return {
    database,
    queue: new Queue(database, fixed.heartbeatMs),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}
