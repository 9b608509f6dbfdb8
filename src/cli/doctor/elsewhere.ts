// Checks what leaves the machine besides the agent's own traffic: the addresses for messages and telemetry. Sends nothing.
import { formatCount } from '../../report/text/figure.ts';
import { readChannels } from '../../start/messages.ts';
import { readTelemetry } from '../../telemetry/read-telemetry.ts';
import { type Checkup, type DoctorTools, type Entry, makeEntry, ok, warn } from './entry.ts';

const reachMs = 3_000;

export const elsewhereEntries: readonly Entry[] = [
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

async function lookTelemetry({ config, context }: DoctorTools): Promise<TelemetrySeen> {
  const settings = readTelemetry(context.env, config.telemetry.endpoint);
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
