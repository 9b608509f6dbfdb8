// What a worker's machine lacks to take plans (space, or what its sandbox needs), and what others see of the worker.
import { statfsSync } from 'node:fs';
import { fixed } from '../../config/fixed.ts';
import { makeFolder } from '../../disk.ts';
import type { Database } from '../../fleet/database.ts';
import type { FleetView } from '../../report/status/format-fleet.ts';
import { judgeSandbox } from '../agent-start.ts';
import type { Worker } from './run-job.ts';

/** Why it takes no plans now: a folder or an engine may come back. */
export async function findLack({
  context,
  config,
  jobs,
}: Pick<Worker, 'context' | 'config' | 'jobs'>): Promise<string | undefined> {
  try {
    makeFolder(jobs, 0o700);
    if (config.sandbox.kind !== 'none') await judgeSandbox(context, config, jobs);
    const { bavail, bsize } = statfsSync(jobs);
    const free = (bavail * bsize) / 1024 ** 3;
    if (free >= fixed.minDiskGb) return undefined;
    return `no plans are taken: ${free.toFixed(1)} GB are free, and it takes ${fixed.minDiskGb}; free some: the clones still in ${jobs} hold commits that no remote has`;
  } catch (error) {
    return `no plans are taken: ${(error as Error).message}`;
  }
}

/** What others see of a worker. `says`: why it takes no jobs. */
export type Standing = AsyncDisposable &
  Readonly<{
    /** With each look at the queue. Throws a Failure if the database is unreachable. */
    tell(now: Readonly<{ busy: number; says: string }>): Promise<unknown>;
  }>;

type WorkerRow = Pick<FleetView['workers'][number], 'name' | 'version' | 'slots' | 'repos'>;

export function standingOf(
  { query }: Pick<Database, 'query'>,
  { id, name, version, slots, repos }: WorkerRow & Readonly<{ id: string }>,
): Standing {
  return {
    tell: ({ busy, says }) =>
      query(
        `insert into pawl.worker (id, name, version, slots, repos, busy, says) values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (id) do update set busy = $6, says = $7, seen = now()`,
        [id, name, version, slots, repos, busy, says],
      ),
    // Also removes those of its machine that died before it began.
    [Symbol.asyncDispose]: async () => {
      const gone = `delete from pawl.worker gone using pawl.worker own
         where own.id = $1 and (gone.id = own.id or (gone.name = own.name and gone.seen < own.since))`;
      // The work is worth more than what others see of it.
      await query(gone, [id]).catch(() => {});
    },
  };
}
