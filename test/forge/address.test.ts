// Which forge a remote is on, by its URL.
import { describe, expect, test } from 'vitest';
import { kindOfHost, readAddress } from '../../src/forge/create.ts';

describe('an address', () => {
  test.each<[string, string | undefined, string | undefined]>([
    ['https://github.com/team/work.git', 'github.com', 'team/work'],
    ['https://name:word@github.com/team/work', 'github.com', 'team/work'],
    ['git@github.com:team/work.git', 'github.com', 'team/work'],
    ['ssh://git@ssh.github.com:443/team/work.git', 'github.com', 'team/work'],
    ['git@gitlab.example.com:group/sub/work.git', 'gitlab.example.com', 'group/sub/work'],
    ['ssh://git@gitlab.example.com:2222/group/sub/work/', 'gitlab.example.com', 'group/sub/work'],
    ['work-key:team/work', 'work-key', 'team/work'],
    ['/srv/git/work.git', undefined, undefined],
    ['../work.git', undefined, undefined],
    ['file:///srv/git/work.git', undefined, undefined],
    ['C:/git/work.git', undefined, undefined],
  ])('%s', (url, host, path) => {
    expect(readAddress(url)).toEqual(host === undefined ? undefined : { host, path });
  });
});

test.each([
  ['github.com', 'github'],
  ['github.example.com', 'github'],
  ['team.ghe.com', 'github'],
  ['gitlab.com', 'gitlab'],
  ['gitlab.example.com', 'gitlab'],
  ['codeberg.org', undefined],
  ['notgithub.com', undefined],
])('the host %s', (host, kind) => {
  expect(kindOfHost(host)).toBe(kind);
});
