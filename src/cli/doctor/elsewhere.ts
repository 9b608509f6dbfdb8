// The looks of `pawl doctor` beyond this machine. Sends nothing.
import { Failure } from '../../failure.ts';
import { readRemoteRefs, refuseUnknownRemote } from '../../git/carry/remote.ts';
import { isThere } from '../../report/status/fleet-view.ts';
import { formatCount } from '../../report/text/figure.ts';
import { remoteOf } from '../../start/carry/prepare-carry.ts';
import { openFleet } from '../../start/fleet/settings.ts';
import { readFleet } from '../../start/fleet/view.ts';
import { openPlainRepo } from '../../start/open-place.ts';
import { type Checkup, type DoctorTools, type Look, ok, warn } from './probe.ts';

/** So many slow down every request to a remote. */
const manyRefs = 200;

export const elsewhereLooks: Readonly<Record<string, Look>> = {
  carry: lookAtRemote,
  fleet: lookAtFleet,
};

async function lookAtRemote({ config, context, place }: DoctorTools): Promise<Checkup | undefined> {
  const { remote: name } = config.carry;
  if (name === undefined || !place) return undefined;
  const repo = await openPlainRepo(context, place);
  await refuseUnknownRemote(repo, name);
  const held = await readRemoteRefs(repo, remoteOf(config, name), ['refs/pawl/*/carried']);
  return held.size > manyRefs
    ? warn(`${name} holds ${held.size} carried runs`, 'pawl clean --remote')
    : ok(`${name} answers`);
}

/** Runs here start without it. */
async function lookAtFleet({ config }: DoctorTools): Promise<Checkup | undefined> {
  if (config.fleet.url === undefined) return undefined;
  try {
    await using fleet = await openFleet(config);
    const { database, workers, jobs } = await readFleet(fleet);
    const running = formatCount(workers.filter(isThere).length, 'worker');
    const open = formatCount(jobs.filter(({ result }) => !result).length, 'plan');
    return ok(`${database} answers: ${running} running, ${open} in the queue`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return warn(error.message, error.hint ?? 'pawl fleet');
  }
}
