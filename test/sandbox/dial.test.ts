// Which proxy leads to a host, by the variables that other programs follow.
import { describe, expect, test } from 'vitest';
import { formatUpstream, readUpstreams, upstreamFor } from '../../src/sandbox/dial.ts';

test.each<[string, string, Readonly<Record<string, unknown>>, string]>([
  ['an address', 'http://proxy.corp:3128', { host: 'proxy.corp', port: 3128 }, 'proxy.corp:3128'],
  ['a name alone', 'proxy.corp', { host: 'proxy.corp', port: 80, isTls: false }, 'proxy.corp:80'],
  ['a name with a port', 'proxy.corp:8080', { host: 'proxy.corp', port: 8080 }, 'proxy.corp:8080'],
  ['one of IPv6', 'http://[::1]:3128/', { host: '::1', port: 3128 }, '[::1]:3128'],
  ['one with TLS', 'https://proxy.corp', { port: 443, isTls: true }, 'https://proxy.corp:443'],
  [
    'one with a login',
    'http://me:p%40ss@proxy.corp:1',
    { host: 'proxy.corp', authorization: `Basic ${Buffer.from('me:p@ss').toString('base64')}` },
    'proxy.corp:1',
  ],
  ['one with a broken login', 'http://m%e@proxy.corp:1', { authorization: 'Basic bSVlOg==' }, 'proxy.corp:1'],
])('%s is a proxy', (_, text, wanted, words) => {
  const { upstream } = readUpstreams({ https_proxy: text });
  expect(upstream).toMatchObject(wanted);
  expect(upstream && formatUpstream(upstream)).toBe(words);
});

test.each<[string, Readonly<Record<string, string>>, string | undefined]>([
  ['nothing', {}, undefined],
  ['one of http alone', { HTTP_PROXY: 'p' }, undefined],
  ['one for all', { ALL_PROXY: 'a' }, 'a'],
  ['the small spelling first', { HTTPS_PROXY: 'great', https_proxy: 'small' }, 'small'],
  ['its own before all', { all_proxy: 'a', HTTPS_PROXY: 's' }, 's'],
  ['empty ones', { HTTPS_PROXY: ' ', https_proxy: '' }, undefined],
])('the variables say %s', (_, env, wanted) => {
  expect(readUpstreams(env).upstream?.host).toBe(wanted);
});

test.each(['socks5://127.0.0.1:1080', 'http://', 'file:///x'])('%s is not followed', (text) => {
  expect(readUpstreams({ ALL_PROXY: text })).toEqual({
    upstream: undefined,
    direct: [],
  });
});

describe('NO_PROXY', () => {
  test.each<[string, string, boolean]>([
    ['', 'a.corp:443', false],
    ['*', 'a.corp:443', true],
    ['corp', 'a.corp:443', true],
    ['corp', 'corp:443', true],
    ['corp', 'acorp:443', false],
    ['.corp', 'a.b.corp:443', true],
    ['*.corp', 'A.CORP.:443', true],
    ['x, corp:8443 y', 'a.corp:8443', true],
    ['corp:8443', 'a.corp:443', false],
    ['10.0.0.0/8', '10.1.2.3:443', true],
    ['10.0.0.0/8', '11.1.2.3:443', false],
    ['10.1.2.3:80', '10.1.2.3:80', true],
    ['10.1.2.3:80', '10.1.2.3:81', false],
    ['10.0.0.0/8', 'ten.corp:443', false],
    ['::1,fd00::1', 'fd00::1:443', true],
    ['', 'localhost:443', true],
    ['', '127.0.0.2:443', true],
    ['', '::1:443', true],
  ])('“%s” and %s', (direct, to, isDirect) => {
    const [, host = '', port] = /^(.*):(\d+)$/.exec(to) ?? [];
    const upstreams = readUpstreams({ HTTPS_PROXY: 'http://proxy.corp:3128', NO_PROXY: direct });
    const found = upstreamFor(upstreams, { host, port: Number(port) });
    expect(found === undefined).toBe(isDirect);
  });
});
