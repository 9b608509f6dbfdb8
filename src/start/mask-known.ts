// Keeps secrets of environment and user's settings out of text beside a run. A broken file stops nobody.

import { readFileSync } from 'node:fs';
import { userConfigFile } from '../config/load.ts';
import { readYamlLayer } from '../config/yaml-layer.ts';
import { maskSecrets, type Secret, secretsOfAddress } from '../journal/mask.ts';
import { orElse } from '../or-else.ts';
import type { CliContext } from './context.ts';

export async function maskKnown({
  env,
  folders,
}: Pick<CliContext, 'env' | 'folders'>): Promise<(text: string) => string> {
  return maskSecrets(env, await secretsOfUser(userConfigFile(folders)));
}

async function secretsOfUser(file: string): Promise<readonly Secret[]> {
  const text = orElse(() => readFileSync(file, 'utf8'), undefined);
  if (text === undefined) return [];
  // Without addresses nothing is loaded.
  if (!/\b(?:notify|fleet)\b/.test(text)) return [];
  const { settings } = readYamlLayer(text, 'user', file);
  const fleet = settings.flatMap(({ key, value }) =>
    key === 'fleet.url' ? secretsOfFleet(String(value)) : [],
  );
  const urls = settings.flatMap(({ key, value }) => (key === 'notify.urls' ? (value as string[]) : []));
  if (urls.length === 0) return fleet;
  const { readChannel } = await import('../notify/channel.ts');
  const channels = urls.flatMap((url) => {
    const channel = readChannel(url);
    // In an invalid address nobody knows which part is secret.
    if ('problem' in channel) return url.length >= 8 ? [{ name: 'notify.urls', value: url }] : [];
    return channel.secrets.map((value) => ({ name: channel.name, value }));
  });
  return [...fleet, ...channels];
}

export function secretsOfFleet(url: string | undefined): readonly Secret[] {
  const secrets = url === undefined ? [] : secretsOfAddress(url);
  // A shorter one would replace parts of ordinary words.
  return secrets.filter((one) => one.length >= 8).map((value) => ({ name: 'fleet.url', value }));
}
