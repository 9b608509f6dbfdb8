// Which logins of Claude Code (2.1.330) exist and who is billed. Spends no tokens, reads no secret; cannot see the
// macOS keychain.

import { lstatSync } from 'node:fs';
import path from 'node:path';
import { orElse } from '../../or-else.ts';

export type Logins = Readonly<{
  apiKey: boolean;
  /** A bearer token, usually for a gateway. */
  authToken: boolean;
  /** A subscription. */
  oauthToken: boolean;
  /** `.credentials.json` of `claude /login`. */
  credentialsFile: string | undefined;
  cloud: 'bedrock' | 'vertex' | 'foundry' | undefined;
  /** Of ANTHROPIC_BASE_URL. */
  host: string | undefined;
  /** A login may be where pawl cannot see it. */
  hidden: boolean;
}>;

export type Billing = Readonly<{
  /** Besides ANTHROPIC_API_KEY. */
  otherLogin: boolean;
  dropApiKey: boolean;
  billing: string;
}>;

type Env = Readonly<Record<string, string | undefined>>;

const clouds = [
  ['CLAUDE_CODE_USE_BEDROCK', 'bedrock'],
  ['CLAUDE_CODE_USE_VERTEX', 'vertex'],
  ['CLAUDE_CODE_USE_FOUNDRY', 'foundry'],
] as const;

const cloudNames = {
  bedrock: 'Amazon Bedrock',
  vertex: 'Google Vertex AI',
  foundry: 'Microsoft Foundry',
} as const;

/** `platform` is Node's name. */
export function findLogins(env: Env, home: string, platform: string): Logins {
  const folder = env['CLAUDE_CONFIG_DIR'] || path.join(home, '.claude');
  const credentials = path.join(folder, '.credentials.json');
  return {
    apiKey: Boolean(env['ANTHROPIC_API_KEY']),
    authToken: Boolean(env['ANTHROPIC_AUTH_TOKEN']),
    oauthToken: Boolean(env['CLAUDE_CODE_OAUTH_TOKEN']),
    credentialsFile: exists(credentials) ? credentials : undefined,
    cloud: clouds.find(([name]) => isOn(env[name]))?.[1],
    host: hostOf(env['ANTHROPIC_BASE_URL']),
    hidden: platform === 'darwin',
  };
}

export function judgeBilling(apiKey: 'auto' | 'keep' | 'drop', logins: Logins): Billing {
  const other = otherLogin(logins);
  const dropApiKey = apiKey === 'drop' || (apiKey === 'auto' && other !== undefined);
  const dropped = logins.apiKey && dropApiKey ? '; ANTHROPIC_API_KEY is set and left out' : '';
  return {
    otherLogin: other !== undefined,
    dropApiKey,
    billing: `${whoPays(logins, other, dropApiKey)}${dropped}${formatHost(logins)}`,
  };
}

function whoPays(logins: Logins, other: string | undefined, dropApiKey: boolean): string {
  const hidden = logins.hidden ? ' in sight; the keychain may hold one' : '';
  // Claude Code's order: cloud, bearer token, API key, subscription.
  const beatsKey = logins.cloud !== undefined || logins.authToken;
  if (logins.apiKey && !dropApiKey && !beatsKey) return 'API account of ANTHROPIC_API_KEY';
  return other ?? `no login found${hidden}`;
}

function otherLogin(logins: Logins): string | undefined {
  if (logins.cloud) return cloudNames[logins.cloud];
  if (logins.authToken) return 'account of ANTHROPIC_AUTH_TOKEN';
  if (logins.oauthToken) return 'subscription of CLAUDE_CODE_OAUTH_TOKEN';
  if (logins.credentialsFile) return 'login kept by Claude Code';
  return undefined;
}

function formatHost({ host, cloud }: Logins): string {
  return host !== undefined && cloud === undefined && host !== 'api.anthropic.com'
    ? `, by way of ${host}`
    : '';
}

function exists(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === false;
}

export function isOn(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false', 'no', 'off'].includes(value.toLowerCase());
}

function hostOf(url: string | undefined): string | undefined {
  if (!url) return undefined;
  return orElse(() => new URL(url).host, 'an address that is none (ANTHROPIC_BASE_URL)');
}
