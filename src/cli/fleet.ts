// `pawl fleet`: the queue, the workers and the runs of a fleet, with the age of what it shows.
import { formatFleet, formatJob } from '../report/standing/format-fleet.ts';
import { print, printLines } from '../start/context.ts';
import { readFleet, readJob } from '../start/fleet/view.ts';
import type { Command } from './command.ts';

/** Shows all of it, or one job. */
export const showFleet: Command<Readonly<{ json?: boolean }>> = async (context, [wish], { json }) => {
  if (wish !== undefined) {
    const job = await readJob(context, wish);
    if (json) print(context, JSON.stringify(job, null, 2));
    else printLines(context, formatJob(job));
    return 0;
  }
  const fleet = await readFleet(context);
  if (json) print(context, JSON.stringify(fleet, null, 2));
  else printLines(context, formatFleet(fleet));
  return 0;
};
