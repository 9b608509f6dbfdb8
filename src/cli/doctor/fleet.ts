// Checks the database that several machines meet at, by asking it who works there.
import { Failure } from '../../failure.ts';
import { type FleetView, isThere } from '../../report/status/fleet-view.ts';
import { formatCount } from '../../report/text/figure.ts';
import { openFleet } from '../../start/fleet/settings.ts';
import { readFleet } from '../../start/fleet/view.ts';
import { type Checkup, type DoctorEntry, type DoctorTools, ok, warn } from './entry.ts';

/** Only if `fleet.url` is set. */
export const fleetEntry: DoctorEntry = { name: 'fleet', examine };

async function examine({ config }: DoctorTools): Promise<Checkup | undefined> {
  if (config.fleet.url === undefined) return undefined;
  try {
    await using fleet = await openFleet(config);
    return describe(await readFleet(fleet));
  } catch (error) {
    // Runs here start without it.
    if (!(error instanceof Failure)) throw error;
    return warn(error.message, error.hint ?? 'pawl fleet');
  }
}

function describe({ database, workers, jobs }: FleetView): Checkup {
  const there = workers.filter(isThere).length;
  const open = jobs.filter(({ result }) => !result).length;
  return ok(
    `${database} answers: ${formatCount(there, 'worker')} running, ${formatCount(open, 'plan')} in the queue`,
  );
}
