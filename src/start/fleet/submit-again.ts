// Puts a job that is over into the queue once more, as it was submitted: a person has given its run what it was missing.
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { needFailure } from '../../failure.ts';
import { jobSchema, keyOf } from '../../fleet/job.ts';
import { shellWord } from '../../shell-word.ts';
import type { Continue } from '../carry/ask-remote.ts';
import type { CliContext } from '../context.ts';
import { openFleet, readFleetConfig } from './settings.ts';
import { submitWords } from './submit-words.ts';

/** Ends of a job that each wish resolves. */
const wantedBy: Readonly<Record<string, string>> = {
  answer: 'asks',
  retry: 'failed',
  'set-budget': 'budget',
};

/** Has the fleet continue a run of its own that ended for lack of what it is given now. */
export function resubmitToFleet(context: CliContext): Continue {
  return async ({ carried: { job, plan } }, wish) => {
    if (job === undefined) return undefined;
    const told = await submitAgain(context, { id: job, plan }, (kind) => wantedBy[wish.do] === kind);
    return told ?? `It takes effect when the run continues: pawl submit ${shellWord(plan)}`;
  };
}

/** The result in words; undefined if the job is unknown here. A job that is not over needs nothing. */
async function submitAgain(
  context: CliContext,
  { id, plan }: Readonly<{ id: string; plan: string }>,
  isWanted: (kind: string) => boolean,
): Promise<string | undefined> {
  const config = readFleetConfig(context);
  if (config.fleet.url === undefined) return undefined;
  try {
    await using fleet = await openFleet(config);
    const { queue } = fleet;
    const found = await queue.find(id);
    if (!found) return undefined;
    const job = jobSchema.parse(found.data);
    const open = (await queue.list()).find(
      ({ result, data }) => !result && isDeepStrictEqual(data, found.data),
    );
    if (open) return `It takes effect when the run continues; the run is in the queue as ${open.id}.`;
    if (!found.result || !isWanted(found.result.kind))
      return `It takes effect when the run continues: ${submitWords(job, found.priority)}`;
    const again = randomUUID();
    await queue.submit({
      ...{ id: again, job, key: keyOf(job, config.fleet.key), priority: found.priority },
      ...{ after: undefined, heartbeatMs: config.fleet.heartbeat },
    });
    return `The run is in the queue again, as ${again}.`;
  } catch (error) {
    const failure = needFailure(error);
    return `It takes effect when the run continues, but the run could not be put into the queue: ${failure.message}. Then: pawl submit ${shellWord(plan)}`;
  }
}
