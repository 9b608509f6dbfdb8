// Addresses in every spelling, and whose they are.
import { expect, test } from 'vitest';
import { isWithin, kindOf, parseAddress, parseRange } from '../../src/sandbox/ip-address.ts';

test.each([
  ['8.8.8.8', 'public'],
  ['[2606:4700::1111]', 'public'],
  ['172.15.255.255', 'public'],
  ['172.32.0.0', 'public'],
  ['127.0.0.1', 'loopback'],
  ['127.255.0.3', 'loopback'],
  ['::1', 'loopback'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['::127.0.0.1', 'loopback'],
  ['64:ff9b::7f00:1', 'loopback'],
  ['2002:7f00:1::', 'loopback'],
  ['::ffff:0:127.0.0.1', 'loopback'],
  ['64:ff9b:1::a9fe:a9fe', 'link'],
  ['169.254.169.254', 'link'],
  ['fe80::1%eth0', 'link'],
  ['168.63.129.16', 'link'],
  ['fd00:ec2::254', 'link'],
  ['100.100.100.200', 'link'],
  ['10.0.0.1', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'private'],
  ['100.127.255.255', 'private'],
  ['100.128.0.0', 'public'],
  ['fd12::1', 'private'],
  ['0.0.0.0', 'none'],
  ['::', 'none'],
  ['224.0.0.1', 'none'],
  ['255.255.255.255', 'none'],
  ['ff02::1', 'none'],
] as const)('%s is %s', (text, kind) => {
  const address = parseAddress(text);
  expect(address && kindOf(address)).toBe(kind);
});

test.each([
  '127.1',
  '2130706433',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '1.2.3.256',
  '1.2.3',
  '1.2.3.4.5',
  'example.com',
  '',
  '1::2::3',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '12345::',
  '::1.2.3',
  ':1',
])('“%s” is no address', (text) => expect(parseAddress(text)).toBeUndefined());

test.each([
  ['10.1.2.3', '10.0.0.0/8', true],
  ['11.1.2.3', '10.0.0.0/8', false],
  ['10.1.2.3', '10.1.2.3', true],
  ['10.1.2.4', '10.1.2.3', false],
  ['::ffff:10.1.2.3', '10.0.0.0/8', true],
  ['fd00::1', 'fd00::/8', true],
  ['10.1.2.3', '::/0', false],
  ['1.2.3.4', '0.0.0.0/0', true],
] as const)('%s in %s: %s', (text, range, wanted) => {
  const [address, within] = [parseAddress(text), parseRange(range)];
  expect(address && within && isWithin(address, within)).toBe(wanted);
});

test.each(['10.0.0.0/33', 'fd00::/129', '10.0.0.0/', '10.0.0.0/x', 'a/8'])('“%s” is no range', (text) =>
  expect(parseRange(text)).toBeUndefined(),
);
