// What may be reached from inside a sandbox: the list, and the judgement of a host or address. Pure.
import type { ApiHost } from '../agent/adapter.ts';
import {
  type AddressRange,
  type IpAddress,
  isWithin,
  kindOf,
  parseAddress,
  parseRange,
} from './ip-address.ts';

/**
 * `restricted`: the agent's API, package registries, the user's list. `open`: any public address. `none`: only the API.
 */
export type EgressMode = 'restricted' | 'open' | 'none';

/** `*.name`: all below a name; any other `*`: part of a label. */
export type HostRule = Readonly<{
  ports: readonly number[];
  /** Undefined if it has a `name`. */
  range?: AddressRange;
  name?: RegExp;
  /** The name may lead into a local network: a person configured it for the agent's model. */
  mayBePrivate?: boolean;
}>;

export type Egress = Readonly<{
  mode: EgressMode;
  rules: readonly HostRule[];
  /** On this machine's loopback, of a configured model or listed: the same inside, without a proxy. */
  loopbackPorts: readonly number[];
}>;

export type EgressRequest = Readonly<{
  mode: EgressMode;
  apis: readonly ApiHost[];
  /** Invalid entries are ignored here, see `parseHostRule`. */
  allow: readonly string[];
}>;

/** Of an entry without a port. */
const webPorts = [443, 80];

/** `HOST`, `HOST:PORT`, `*.HOST`, `ADDRESS[/PREFIX]` or `[ADDRESS]:PORT`; undefined for anything else. */
export function parseHostRule(text: string): HostRule | undefined {
  const parts = splitPort(text);
  if (!parts) return undefined;
  const { host, port } = parts;
  const ports = port === undefined ? webPorts : [port];
  const range = parseRange(host);
  if (range) return { ports, range };
  return isPattern(host) ? { ports, name: patternOf(host) } : undefined;
}

/** An IPv6 address with a port is in brackets. */
export function splitPort(text: string): Readonly<{ host: string; port: number | undefined }> | undefined {
  const isBareSix = /^[^[\]]*:[^[\]]*:[^[\]]*$/.test(text);
  const [, six, other = '', digits] = isBareSix
    ? [text, text]
    : (/^(?:\[([^[\]]*:[^[\]]*)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? []);
  const port = digits === undefined ? undefined : Number(digits);
  const host = (six ?? other).toLowerCase().replace(/\.$/, '');
  return host === '' || (port !== undefined && (port < 1 || port > 65_535)) ? undefined : { host, port };
}

function isPattern(host: string): boolean {
  const labels = host.split('.');
  // Not to be named by accident: a whole top-level domain, or numbers that some take for an address.
  return (
    host.length <= 253 &&
    labels.every((label) => /^[a-z0-9_*](?:[a-z0-9_*-]{0,61}[a-z0-9_*])?$/.test(label)) &&
    !/^[\d.x*]*$/.test(labels.at(-1) ?? '') &&
    !(labels[0] === '*' && labels.length < 3)
  );
}

function patternOf(host: string): RegExp {
  const parts = host
    .replace(/^\*\./, '')
    .split('*')
    .map((part) => part.replaceAll('.', '\\.'));
  return new RegExp(`^${host.startsWith('*.') ? '(?:[a-z0-9_-]+\\.)+' : ''}${parts.join('[a-z0-9-]+')}$`);
}

export function makeEgress({ mode, apis, allow }: EgressRequest): Egress {
  const ofApis = apis.flatMap(({ host, isConfigured }) => rulesOf(host, isConfigured));
  const ofUser = mode === 'none' ? [] : allow.flatMap((entry) => rulesOf(entry, false));
  const shipped = mode === 'restricted' ? registries.flatMap((entry) => rulesOf(entry, false)) : [];
  const configured = apis.flatMap(({ host, isConfigured }) => (isConfigured ? host : []));
  // An entry without a port would get the web's.
  const listed = mode === 'none' ? [] : allow.filter((entry) => splitPort(entry)?.port !== undefined);
  const ofLoopback = [...configured, ...listed].filter(isLoopback);
  const loopbackPorts = [...new Set(ofLoopback.flatMap((host) => parseHostRule(host)?.ports ?? []))];
  // Looked for under its name too.
  const here = ['127.0.0.1', '::1', 'localhost'].flatMap((host) => rulesOf(host, false));
  const loopback = here.map((rule) => ({ ...rule, ports: loopbackPorts }));
  return { mode, rules: [...ofApis, ...loopback, ...ofUser, ...shipped], loopbackPorts };
}

function rulesOf(entry: string, mayBePrivate: boolean): readonly HostRule[] {
  const rule = parseHostRule(entry);
  return rule ? [mayBePrivate ? { ...rule, mayBePrivate } : rule] : [];
}

function isLoopback(host: string): boolean {
  const { range } = parseHostRule(host) ?? {};
  return range ? kindOf(range.address) === 'loopback' : /^localhost(?::|$)/i.test(host);
}

/** `mayDial` judges where it leads. */
export function mayReach(egress: Egress, host: string, port: number): boolean {
  const address = parseAddress(host);
  if (address) return mayDial(egress, { host, port, address });
  return egress.mode === 'open' || egress.rules.some((rule) => fits(rule, host, port));
}

/** Any public address not this machine's own (`isOwn`); a local one only if itself listed, or by `mayBePrivate`. */
export function mayDial(
  egress: Egress,
  {
    host,
    port,
    address,
    isOwn = false,
  }: Readonly<{ host: string; port: number; address: IpAddress; isOwn?: boolean }>,
): boolean {
  const isListed = egress.rules.some(
    ({ range, ports }) => range && ports.includes(port) && isWithin(address, range),
  );
  if (isListed) return true;
  const named = egress.rules.filter((rule) => fits(rule, host, port));
  const kind = kindOf(address);
  switch (isOwn && kind === 'public' ? 'private' : kind) {
    case 'public':
      return egress.mode === 'open' || named.length > 0;
    case 'private':
      return named.some(({ mayBePrivate }) => mayBePrivate);
    case 'loopback':
    case 'link':
    case 'none':
      return false;
  }
}

function fits({ name, ports }: HostRule, host: string, port: number): boolean {
  return name !== undefined && ports.includes(port) && name.test(host.toLowerCase().replace(/\.$/, ''));
}

/** Not secret. `port`: the proxy's, inside. */
export function proxyEnvironment(port: number): Readonly<Record<string, string>> {
  const proxy = `http://127.0.0.1:${port}`;
  const direct = '127.0.0.1,localhost,::1';
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    // curl and git read HTTP_PROXY only in lower case.
    http_proxy: proxy,
    https_proxy: proxy,
    NO_PROXY: direct,
    no_proxy: direct,
    // For Node's own fetch, from 22.21 on.
    NODE_USE_ENV_PROXY: '1',
  };
}

/** Package registries, as entries of `sandbox.allow`, but none where anybody can upload anything, such as code hosts. */
export const registries: readonly string[] = [
  // JavaScript, Python, Rust, Go, Ruby
  ...['registry.npmjs.org', 'registry.yarnpkg.com', 'repo.yarnpkg.com', 'npm.jsr.io', 'jsr.io'],
  ...['pypi.org', 'files.pythonhosted.org'],
  ...['index.crates.io', 'static.crates.io', 'crates.io'],
  ...['proxy.golang.org', 'sum.golang.org'],
  ...['rubygems.org', 'index.rubygems.org'],
  // Java, Kotlin, Scala
  ...['repo.maven.apache.org', 'repo1.maven.org', 'plugins.gradle.org', 'plugins-artifacts.gradle.org'],
  ...['services.gradle.org', 'downloads.gradle.org'],
  // .NET, PHP, Elixir, Dart, Debian
  ...['api.nuget.org', 'repo.packagist.org', 'repo.hex.pm', 'builds.hex.pm', 'pub.dev'],
  ...['deb.debian.org', 'security.debian.org'],
].map((host) => `${host}:443`);
