import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../../src/event/activity.ts';
import { findReach } from '../../../src/phase/lanes/find-reach.ts';

const around = {
  root: '/home/p/lanes/run/shop-1',
  home: '/home/p',
  others: [
    { lane: 2, folder: '/home/p/lanes/run/shop-2' },
    { lane: 12, folder: '/home/p/lanes/run/shop-12' },
  ],
};

const started = (some: Partial<AgentEvent>): AgentEvent =>
  ({ type: 'tool-started', id: 'i', tool: 'T', detail: '', main: true, ...some }) as AgentEvent;

describe('files that a tool writes', () => {
  test.each([
    ['in its own lane', ['/home/p/lanes/run/shop-1/a.ts', 'b.ts'], []],
    ['in another', ['/home/p/lanes/run/shop-2/src/a.ts'], [{ into: 2, files: ['src/a.ts'], runs: false }]],
    ['from its own root', ['../shop-12/a.ts'], [{ into: 12, files: ['a.ts'], runs: false }]],
    ['of its git, which hold no work', ['../shop-2/.git/HEAD'], [{ into: 2, files: [], runs: true }]],
    ['elsewhere', ['/tmp/a.ts', '/home/p/lanes/run/shop-22/a.ts'], []],
  ])('%s', (_, writes, found) => {
    expect(findReach(started({ writes }), around)).toEqual(found);
    expect(findReach({ type: 'tool-ended', id: 'i', isError: false, writes, main: true }, around)).toEqual(
      found,
    );
  });
});

test.each([
  ['cat /home/p/lanes/run/shop-2/a', [2]],
  ['cd ~/lanes/run/shop-12 && make', [12]],
  ['sed -i s/a/b/ ../shop-2/a ../shop-12/b', [2, 12]],
  ['npm test -- shop-2', []],
  ['ls ../shop-20', []],
])('a command: %s', (detail, lanes) => {
  expect(findReach(started({ detail, runs: true }), around)).toEqual(
    lanes.map((into) => ({ into, files: [], runs: true })),
  );
  // What only speaks of it does nothing there.
  expect(findReach(started({ detail }), around)).toEqual([]);
});
