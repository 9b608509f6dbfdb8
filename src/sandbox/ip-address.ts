// Internet addresses, the ranges they belong to, and what those are for.
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** In its one spelling. IPv6 that only wraps an IPv4 address is that one. */
export type IpAddress = string;

/** `private`: a local network; `link`: the machine's own link or a cloud's metadata service. */
export type AddressKind = 'public' | 'private' | 'loopback' | 'link' | 'none';

export type AddressRange = Readonly<{ address: IpAddress; prefix: number }>;

/** Also in brackets; undefined for anything else, including odd spellings of IPv4. */
export function parseAddress(text: string): IpAddress | undefined {
  const bare = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  if (isIPv4(bare)) return bare;
  return isIPv6(bare) ? unwrap(new URL(`http://[${bare.replace(/%.*$/, '')}]`).hostname) : undefined;
}

/** `ADDRESS` or `ADDRESS/PREFIX`; undefined for anything else. */
export function parseRange(text: string): AddressRange | undefined {
  const [, base = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parseAddress(base);
  if (address === undefined) return undefined;
  const bits = isIPv4(address) ? 32 : 128;
  const prefix = Number(length ?? bits);
  return prefix > bits ? undefined : { address, prefix };
}

export function isWithin(address: IpAddress, range: AddressRange): boolean {
  return (
    isIPv4(address) === isIPv4(range.address) && isIn(address, listOf(`${range.address}/${range.prefix}`))
  );
}

export function kindOf(address: IpAddress): AddressKind {
  return kinds.find(([, ranges]) => isIn(address, ranges))?.[0] ?? 'public';
}

function isIn(address: IpAddress, ranges: BlockList): boolean {
  return ranges.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

function listOf(ranges: string): BlockList {
  const list = new BlockList();
  for (const text of ranges.split(' ')) {
    const [base = '', prefix] = text.split('/');
    const isFour = isIPv4(base);
    list.addSubnet(base, Number(prefix ?? (isFour ? 32 : 128)), isFour ? 'ipv4' : 'ipv6');
  }
  return list;
}

// The first match decides.
const kinds = [
  ['loopback', listOf('127.0.0.0/8 ::1')],
  // 168.63.129.16: Azure's metadata service; fd00:ec2::/32: that of AWS; 100.100.100.200: Alibaba's.
  ['link', listOf('169.254.0.0/16 fe80::/10 168.63.129.16 fd00:ec2::/32 100.100.100.200 192.0.0.192')],
  ['private', listOf('10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 198.18.0.0/15 192.0.0.0/24')],
  ['private', listOf('fc00::/7 fec0::/10')],
  // For documentation: if used, in somebody's own network.
  ['private', listOf('192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 2001:db8::/32')],
  ['none', listOf('0.0.0.0/8 224.0.0.0/3 ::/128 ff00::/8 100::/64 2001::/32')],
] as const;

/** IPv4 mapped, compatible or translated (RFC 6052, 7915, 8215): its last 32 bits. */
const wrapping = listOf('::/96 ::ffff:0:0/96 64:ff9b::/96 ::ffff:0:0:0/96 64:ff9b:1::/48');

/** A network may route it to the IPv4 address, also by RFC 3056. `host`: as in a URL. */
function unwrap(host: string): IpAddress {
  const six = host.slice(1, -1);
  const isWrapped = six !== '::' && six !== '::1' && isIn(six, wrapping);
  const shape = isWrapped ? /([^:]*):([^:]*)$/ : /^2002:([^:]*):([^:]*)/;
  const words = shape
    .exec(six)
    ?.slice(1)
    .map((word) => Number.parseInt(word || '0', 16));
  return words?.flatMap((word) => [word >> 8, word & 255]).join('.') ?? six;
}
