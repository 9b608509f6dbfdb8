// What a worker's machine lacks to take plans (space, or what its sandbox needs), and what others see of the worker.
import { statfsSync } from 'node:fs';
import { fixed } from '../../config/fixed.ts';
import type { Config } from '../../config/schema.ts';
import { makeFolder } from '../../disk.ts';
import { asFailure } from '../../failure.ts';
import type { Database } from '../../fleet/database.ts';
import { judgeSandbox } from '../agent-start.ts';
import type { CliContext } from '../context.ts';

/** `jobs`: the clones. */
type JobsPlace = Readonly<{ config: Config; jobs: string }>;

/** Throws a Failure if no clone could be made or worked in. */
export async function judgeMachine(context: CliContext, { config, jobs }: JobsPlace): Promise<void> {
  makeFolder(jobs, 0o700);
  if (config.sandbox.kind !== 'none') await judgeSandbox(context, config, jobs);
}

/** Why it takes no plans now: a folder or an engine may come back. */
export async function findLack(context: CliContext, place: JobsPlace): Promise<string | undefined> {
  const { jobs } = place;
  try {
    await judgeMachine(context, place);
    const { bavail, bsize } = statfsSync(jobs);
    const free = (bavail * bsize) / 1024 ** 3;
    if (free >= fixed.minDiskGb) return undefined;
    return `no plans are taken: ${free.toFixed(1)} GB are free, and it takes ${fixed.minDiskGb}; free some: the clones still in ${jobs} hold commits that no remote has`;
  } catch (error) {
    return `no plans are taken: ${asFailure(error)?.message ?? (error as Error).message}`;
  }
}

type WorkerRow = Readonly<{
  id: string;
  name: string;
  version: string;
  slots: number;
  repos: readonly string[];
}>;

/** What others see of a worker. `says`: why it takes no jobs. */
export type Standing = AsyncDisposable &
  Readonly<{
    name: string;
    /** With each look at the queue. Throws a Failure if the database is unreachable. */
    tell(now: Readonly<{ busy: number; says: string }>): Promise<void>;
  }>;

export function standingOf({ query }: Pick<Database, 'query'>, worker: WorkerRow): Standing {
  const { id, name, version, slots, repos } = worker;
  return {
    name,
    tell: async ({ busy, says }) => {
      await query(
        `insert into pawl.worker (id, name, version, slots, repos, busy, says) values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (id) do update set busy = $6, says = $7, seen = now()`,
        [id, name, version, slots, repos, busy, says],
      );
    },
    // Also removes those of its machine that died before it began.
    [Symbol.asyncDispose]: async () => {
      const gone = `delete from pawl.worker gone using pawl.worker own
         where own.id = $1 and (gone.id = own.id or (gone.name = own.name and gone.seen < own.since))`;
      // The work is worth more than what others see of it.
      await query(gone, [id]).catch(() => {});
    },
  };
}
