// What keeps secrets out of words that are written beside a run: those of the environment, and those of the addresses in the
// user's own settings. It reads no other settings, and a file that is broken keeps nobody from anything.
import { readFileSync } from 'node:fs';
import { userConfigFile } from '../config/load.ts';
import { readYamlLayer } from '../config/yaml-layer.ts';
import { maskSecrets, type Secret } from '../journal/mask.ts';
import type { CliContext } from './context.ts';

/** A function that replaces all secrets that pawl knows of by their names. */
export async function maskKnown({
  env,
  folders,
}: Pick<CliContext, 'env' | 'folders'>): Promise<(text: string) => string> {
  return maskSecrets(env, await secretsOfUser(userConfigFile(folders)));
}

async function secretsOfUser(file: string): Promise<readonly Secret[]> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  // Hardly anybody's settings have addresses: for them nothing is loaded.
  if (!/\bnotify\b/.test(text)) return [];
  const { settings } = readYamlLayer(text, 'user', file);
  const urls = settings.flatMap(({ key, value }) => (key === 'notify.urls' ? (value as string[]) : []));
  const { readChannel } = await import('../notify/channel.ts');
  return urls.flatMap((url) => {
    const channel = readChannel(url);
    // Of what cannot be read nobody knows which part is secret.
    if ('problem' in channel) return url.length >= 8 ? [{ name: 'notify.urls', value: url }] : [];
    return channel.secrets.map((value) => ({ name: channel.name, value }));
  });
}
