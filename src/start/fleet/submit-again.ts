// Puts a job that is over into the queue once more, as it was submitted: a person has given its run what it was missing.
import { randomUUID } from 'node:crypto';
import type { Config } from '../../config/schema.ts';
import { jobSchema, keyOf } from '../../fleet/job.ts';
import type { Listed, Queue } from '../../fleet/queue.ts';

/** The id of the new job. `id`: what it is to be. */
export async function submitAgain(
  queue: Queue,
  { data, priority }: Listed,
  { fleet, id = randomUUID() }: Pick<Config, 'fleet'> & Readonly<{ id?: string }>,
): Promise<string> {
  const job = jobSchema.parse(data);
  await queue.submit({
    ...{ id, job, key: keyOf(job, fleet.key), priority },
    ...{ after: undefined, heartbeatMs: fleet.heartbeat },
  });
  return id;
}
