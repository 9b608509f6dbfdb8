// Internet addresses as numbers, the ranges they belong to, and what those are for.

/** IPv6 that only wraps an IPv4 address is that one. */
export type IpAddress = Readonly<{ bits: 32 | 128; value: bigint }>;

/** `private`: a local network; `link`: the machine's own link or a cloud's metadata service. */
export type AddressKind = 'public' | 'private' | 'loopback' | 'link' | 'none';

export type AddressRange = Readonly<{ address: IpAddress; prefix: number }>;

/** Also in brackets; undefined for anything else, including odd spellings of IPv4. */
export function parseAddress(text: string): IpAddress | undefined {
  const bare = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  const four = parseFour(bare);
  if (four !== undefined) return { bits: 32, value: four };
  const six = `http://[${bare.replace(/%.*$/, '')}]`;
  return URL.canParse(six) ? unwrap(readSix(new URL(six).hostname)) : undefined;
}

/** `ADDRESS` or `ADDRESS/PREFIX`; undefined for anything else. */
export function parseRange(text: string): AddressRange | undefined {
  const [, base = '', length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parseAddress(base);
  if (!address) return undefined;
  const prefix = length === undefined ? address.bits : Number(length);
  return prefix > address.bits ? undefined : { address, prefix };
}

export function isWithin(address: IpAddress, range: AddressRange): boolean {
  const { bits, value } = range.address;
  const rest = BigInt(bits - range.prefix);
  return address.bits === bits && address.value >> rest === value >> rest;
}

export function kindOf(address: IpAddress): AddressKind {
  return kinds.find(([, range]) => isWithin(address, range))?.[0] ?? 'public';
}

// The first match decides.
const kinds: readonly (readonly [AddressKind, AddressRange])[] = (
  [
    ['loopback', '127.0.0.0/8 ::1'],
    // 168.63.129.16: Azure's metadata service; fd00:ec2::/32: that of AWS; 100.100.100.200: Alibaba's.
    ['link', '169.254.0.0/16 fe80::/10 168.63.129.16 fd00:ec2::/32 100.100.100.200 192.0.0.192'],
    ['private', '10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 198.18.0.0/15 192.0.0.0/24'],
    ['private', 'fc00::/7 fec0::/10'],
    // For documentation: if used, in somebody's own network.
    ['private', '192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 2001:db8::/32'],
    ['none', '0.0.0.0/8 224.0.0.0/3 ::/128 ff00::/8 100::/64 2001::/32'],
  ] as const
).flatMap(([kind, ranges]) => ranges.split(' ').map((text) => [kind, rangeOf(text)] as const));

function rangeOf(text: string): AddressRange {
  const range = parseRange(text);
  if (!range) throw new Error(`${text} is no range`);
  return range;
}

function parseFour(text: string): bigint | undefined {
  // A leading zero may mean octal.
  if (!/^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})$/.test(text)) return undefined;
  const parts = text.split('.').map(Number);
  if (parts.some((part) => part > 255)) return undefined;
  return parts.reduce((value, part) => value * 256n + BigInt(part), 0n);
}

function readSix(host: string): bigint {
  const halves = host.slice(1, -1).split('::');
  const [left = [], right = []] = halves.map((half) => half.split(':').filter((group) => group !== ''));
  const missing = Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...missing, ...right].reduce((value, group) => value * 65_536n + BigInt(`0x${group}`), 0n);
}

/** IPv4 mapped, compatible or translated (RFC 6052, 7915, 8215, 3056): a network may route it to the IPv4 address. */
function unwrap(value: bigint): IpAddress {
  const front = value >> 32n;
  const four = value & 0xffff_ffffn;
  if (front === 0xffffn || front === 0x64_ff9b_0000_0000_0000_0000n || (front === 0n && four > 1n))
    return { bits: 32, value: four };
  if (front === 0xffff_0000n || value >> 80n === 0x64_ff9b_0001n) return { bits: 32, value: four };
  if (value >> 112n === 0x2002n) return { bits: 32, value: (value >> 80n) & 0xffff_ffffn };
  return { bits: 128, value };
}
