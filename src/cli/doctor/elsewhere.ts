// Checks what leaves the machine besides the agent's own traffic: the addresses for messages and telemetry. Sends nothing.

import { Failure } from '../../failure.ts';
import { readRemoteRefs, refuseUnknownRemote } from '../../git/carry/remote.ts';
import { lackOf } from '../../git/carry/try-remote.ts';
import { type FleetView, isThere } from '../../report/status/fleet-view.ts';
import { formatCount } from '../../report/text/figure.ts';
import { carryRef, remoteOf } from '../../start/carry/prepare-carry.ts';
import { isTrusted } from '../../start/consent.ts';
import { openFleet } from '../../start/fleet/settings.ts';
import { readFleet } from '../../start/fleet/view.ts';
import { readChannels } from '../../start/messages.ts';
import { openPlainRepo } from '../../start/open-place.ts';
import { readTelemetry } from '../../telemetry/read-telemetry.ts';
import { type Checkup, type DoctorEntry, type DoctorTools, fail, makeEntry, ok, warn } from './entry.ts';

const reachMs = 3_000;

export const elsewhereEntries: readonly DoctorEntry[] = [
  makeEntry('messages', lookMessages, judgeReach),
  makeEntry('telemetry', lookTelemetry, judgeTelemetry),
];

/** A destination, and why it cannot be reached; undefined if it can. */
type Reached = Readonly<{ name: string; why: string | undefined }>;

async function lookMessages({ config, context, has }: DoctorTools): Promise<readonly Reached[]> {
  const channels = await readChannels({ config });
  if (channels.length === 0) return [];
  const { targetOf, tryConnection } = await import('../../notify/reach.ts');
  return Promise.all(
    channels.map(async (channel) => {
      const target = targetOf(channel, context.platform);
      if (!('program' in target)) return { name: channel.name, why: await tryConnection(target, reachMs) };
      return {
        name: channel.name,
        why: has(target.program) ? undefined : `${target.program} cannot be started`,
      };
    }),
  );
}

type TelemetrySeen = Readonly<{ problem: string }> | Readonly<{ reached: readonly Reached[] }> | undefined;

async function lookTelemetry({ context }: DoctorTools): Promise<TelemetrySeen> {
  const settings = readTelemetry(context.env);
  if (!settings || 'problem' in settings) return settings;
  const { hostOf, tryConnection } = await import('../../notify/reach.ts');
  const places = new Set([settings.traces, settings.metrics].flatMap((target) => target?.shown ?? []));
  const reached = [...places].map(async (name) => ({
    name,
    why: await tryConnection(hostOf(name), reachMs),
  }));
  return { reached: await Promise.all(reached) };
}

export function judgeTelemetry(seen: TelemetrySeen): Checkup | undefined {
  if (!seen) return undefined;
  if ('problem' in seen) return warn(`there will be none: ${seen.problem}`, 'docs/messages.md');
  const bad = seen.reached.filter(({ why }) => why !== undefined);
  const words = (bad.length > 0 ? bad : seen.reached).map(({ name, why }) =>
    why ? `${name}: ${why}` : name,
  );
  return bad.length > 0
    ? warn(
        `telemetry would not arrive: ${words.join('; ')}`,
        'Start the collector, or put its address right.',
      )
    : ok(`${words.join(', ')} can be reached`);
}

export function judgeReach(reached: readonly Reached[]): Checkup | undefined {
  if (reached.length === 0) return undefined;
  const bad = reached.filter(({ why }) => why !== undefined);
  if (bad.length === 0) {
    const names = reached.map(({ name }) => name).join(', ');
    return ok(`${names}: ${formatCount(reached.length, 'address', 'addresses')} can be reached`);
  }
  const words = bad.map(({ name, why }) => `${name}: ${why}`).join('; ');
  return warn(
    `messages would not arrive: ${words}`,
    'Put the address right (docs/messages.md); pawl notify test sends one.',
  );
}

/** This many refs slow down every request to a remote. */
const many = 200;

/** Only if `carry.remote` is set. */
export const carryEntry: DoctorEntry = { name: 'carry', examine };

async function examine({ config, context, place }: DoctorTools): Promise<Checkup | undefined> {
  const { remote: name, namespace } = config.carry;
  if (name === undefined || !place) return undefined;
  const repo = await openPlainRepo(context, place);
  await refuseUnknownRemote(repo, name);
  // A push runs programs: the remote of a stranger's clone may be a folder beside it.
  if (!isTrusted(context, place.root))
    return warn(`${name} was not tried: this repository is not trusted yet`, 'pawl trust, then pawl doctor');
  const lack = await lackOf(repo, remoteOf(config, name), carryRef(`try-${context.random(6)}`, namespace));
  if (lack) return fail(lack.says, lack.helps);
  const held = await readRemoteRefs(repo, remoteOf(config, name), [
    'refs/pawl/*/carried',
    'refs/heads/pawl-carried/*',
  ]);
  return held.size > many
    ? warn(`${name} holds ${held.size} carried runs`, 'pawl clean --remote')
    : ok(`${name} takes atomic pushes under a lease, and shows what it holds`);
}

/** Only if `fleet.url` is set. */
export const fleetEntry: DoctorEntry = { name: 'fleet', examine: examineFleet };

async function examineFleet({ config }: DoctorTools): Promise<Checkup | undefined> {
  if (config.fleet.url === undefined) return undefined;
  try {
    await using fleet = await openFleet(config);
    return describeFleet(await readFleet(fleet));
  } catch (error) {
    // Runs here start without it.
    if (!(error instanceof Failure)) throw error;
    return warn(error.message, error.hint ?? 'pawl fleet');
  }
}

function describeFleet({ database, workers, jobs }: FleetView): Checkup {
  const there = workers.filter(isThere).length;
  const open = jobs.filter(({ result }) => !result).length;
  return ok(
    `${database} answers: ${formatCount(there, 'worker')} running, ${formatCount(open, 'plan')} in the queue`,
  );
}
