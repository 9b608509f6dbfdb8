// The proxy that this machine must use, by the usual variables: which, for which hosts, and the login, never printed.

import { orElse } from '../or-else.ts';
import { splitPort } from './egress.ts';
import { isWithin, kindOf, parseAddress, parseRange } from './ip-address.ts';

export type Upstream = Readonly<{
  host: string;
  port: number;
  isTls: boolean;
  /** Value of `Proxy-Authorization`: a secret. */
  authorization?: string;
  variable: string;
}>;

export type Upstreams = Readonly<{
  /** Asked to CONNECT. */
  upstream?: Upstream | undefined;
  /** Entries of NO_PROXY. */
  direct: readonly string[];
  /** Ignored variable: it names no HTTP proxy. */
  unread?: string | undefined;
}>;

type Env = Readonly<Record<string, string | undefined>>;
type Target = Readonly<{ host: string; port: number }>;

/** Reads HTTPS_PROXY, ALL_PROXY and NO_PROXY; lower case goes first, as in curl. */
export function readUpstreams(env: Env): Upstreams {
  const names = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];
  const variable = names.find((name) => env[name]?.trim());
  const upstream = variable === undefined ? undefined : parseUpstream(env[variable]?.trim() ?? '', variable);
  const direct = (env['no_proxy'] ?? env['NO_PROXY'] ?? '').split(/[\s,]+/).filter((entry) => entry !== '');
  return { upstream, direct, unread: upstream ? undefined : variable };
}

function parseUpstream(text: string, variable: string): Upstream | undefined {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return undefined;
  const isTls = url.protocol === 'https:';
  const login = [url.username, url.password].map(decode).join(':');
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (isTls ? 443 : 80)),
    isTls,
    ...(login === ':' ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` }),
    variable,
  };
}

function decode(text: string): string {
  return orElse(() => decodeURIComponent(text), text);
}

/** Undefined: dialled directly, as this machine itself always is. */
export function upstreamFor({ upstream, direct }: Upstreams, target: Target): Upstream | undefined {
  return upstream && !isDirect(direct, target) ? upstream : undefined;
}

function isDirect(entries: readonly string[], target: Target): boolean {
  const host = target.host.toLowerCase().replace(/\.$/, '');
  const address = parseAddress(host);
  if (host === 'localhost' || (address && kindOf(address) === 'loopback')) return true;
  return entries.some((entry) => {
    if (entry === '*') return true;
    const range = parseRange(entry);
    if (range) return address !== undefined && isWithin(address, range);
    const { host: name, port } = splitPort(entry.replace(/^\*?\./, '')) ?? {};
    if (name === undefined || (port !== undefined && port !== target.port)) return false;
    const named = parseAddress(name);
    if (named) return address?.value === named.value && address.bits === named.bits;
    return host === name || host.endsWith(`.${name}`);
  });
}

/** Without its login. */
export function formatUpstream({ host, port, isTls }: Upstream): string {
  return `${isTls ? 'https://' : ''}${host.includes(':') ? `[${host}]` : host}:${port}`;
}
