// Reads what a fleet's database knows of its queue, workers and runs: a cache, with the age of each.
import { z } from 'zod';
import type { Database } from '../../fleet/database.ts';
import { jobSchema } from '../../fleet/job.ts';
import type { Listed } from '../../fleet/queue.ts';
import type { FleetJob, FleetView } from '../../report/standing/format-fleet.ts';
import type { CliContext } from '../context.ts';
import { openFleet, readFleetConfig } from './settings.ts';
import { needJob } from './submit.ts';

/** All of it. */
export async function readFleet(context: CliContext): Promise<FleetView> {
  await using fleet = await openFleet(readFleetConfig(context));
  const { database, queue } = fleet;
  const [jobs, runs, workers] = [await queue.list(), await readRuns(database), await readWorkers(database)];
  return { database: database.address, workers, jobs: jobs.map((job) => jobOf(job, runs)) };
}

/** One job, by its id or that of its run. */
export async function readJob(context: CliContext, wish: string): Promise<FleetJob> {
  await using fleet = await openFleet(readFleetConfig(context));
  return jobOf(await needJob(fleet.queue, wish), await readRuns(fleet.database));
}

const headlineSchema = z.object({
  branch: z.string(),
  tasks: z.object({ total: z.number(), closed: z.number() }),
  task: z.object({ id: z.string(), title: z.string() }).optional(),
});

type Run = Readonly<{ run: string; worker: string; headline: unknown; age: number }>;

async function readRuns({ query }: Database): Promise<ReadonlyMap<string, Run>> {
  const rows = await query<Run>(
    `select run, worker, headline, extract(epoch from now() - seen)::float * 1000 as age from pawl.run
     where seen > now() - interval '30 days'`,
  );
  return new Map(rows.map((row) => [row.run, row]));
}

async function readWorkers({ query }: Database): Promise<FleetView['workers']> {
  return query(
    `select name, labels, slots, busy, standing as says, version, extract(epoch from now() - seen)::float * 1000 as "ageMs"
     from pawl.worker where seen > now() - interval '1 day' order by name, since`,
  );
}

function jobOf(
  { id, data, state, after, priority, at, run, result }: Listed,
  runs: ReadonlyMap<string, Run>,
): FleetJob {
  const job = jobSchema.safeParse(data);
  const known = run === undefined ? undefined : runs.get(run);
  const headline = headlineSchema.safeParse(known?.headline);
  return {
    ...{ id, state, priority, submitted: new Date(at).toISOString() },
    ...(job.success
      ? {
          repo: job.data.repo,
          base: job.data.base,
          plan: job.data.plan,
          labels: job.data.labels,
          by: job.data.by,
        }
      : {}),
    ...(after === undefined ? {} : { after }),
    ...(run === undefined ? {} : { run }),
    ...(result ? { result } : {}),
    ...(known && headline.success
      ? { seen: { ...headline.data, worker: known.worker, ageMs: Math.max(0, known.age) } }
      : {}),
  };
}
