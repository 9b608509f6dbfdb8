// Which agent works next: by the limits that are known, the time, and the order of the chain.
import { expect, test } from 'vitest';
import { chooseAgent, type MetLimit } from '../../src/agent/fallback.ts';

const minute = 60_000;
const now = 1_000 * minute;
const given = { chain: ['claude', 'codex', 'opencode'], now, near: 15 * minute, maxWait: 360 * minute };

/** A limit met a minute ago that ends in so many minutes; undefined: nobody knows when. */
const met = (minutes?: number): MetLimit => ({
  at: now - minute,
  ...(minutes === undefined ? {} : { until: now + minutes * minute }),
});

const all = (claude?: number, codex?: number, opencode?: number) => ({
  claude: met(claude),
  codex: met(codex),
  opencode: met(opencode),
});

test.each<[string, Record<string, MetLimit>, string | undefined, readonly [string, number?]]>([
  ['nobody is at a limit', {}, undefined, ['claude']],
  ['a near reset is waited for', { claude: met(10) }, 'claude', ['claude', 10]],
  ['also before the first session', { claude: met(10) }, undefined, ['claude', 10]],
  ['a far one is not', { claude: met(16) }, 'claude', ['codex']],
  ['nor one beyond limits.maxWait', { claude: met(600) }, 'claude', ['codex']],
  ['nor one that nobody knows', { claude: met() }, 'claude', ['codex']],
  ['the next one that is free', { claude: met(60), codex: met(30) }, 'codex', ['opencode']],
  ['a reset that has passed', { claude: met(0) }, undefined, ['claude']],
  ['whoever began with it goes on, although the first is free again', { claude: met(0) }, 'codex', ['codex']],
  ['the first is free when the second is not', { claude: met(0), codex: met(5) }, 'codex', ['claude']],
  ['a near reset of the second', { claude: met(60), codex: met(5) }, 'codex', ['codex', 5]],
  ['all: the earliest reset', all(60, 30, 40), 'opencode', ['codex', 30]],
  ['all: a known one before one that is not', all(60, undefined, 90), 'claude', ['claude', 60]],
  ['all, but the known is too far: tried again', all(900), 'codex', ['codex', 14]],
  ['all too far: the earliest, refused elsewhere', all(900, 800, 850), 'claude', ['codex', 800]],
  [
    'a reset of before the limit was met',
    { claude: { at: now - minute, until: now - 5 * minute } },
    'claude',
    ['codex'],
  ],
  [
    'one without a reset is over some time later',
    { claude: { at: now - 15 * minute } },
    undefined,
    ['claude'],
  ],
  ['an agent that is not in the chain is nobody’s last one', {}, 'gemini', ['claude']],
])('%s', (_, limits, last, [agent, minutes]) => {
  const choice = chooseAgent({ ...given, last, limits: new Map(Object.entries(limits)) });
  const until = minutes === undefined ? {} : { until: now + minutes * minute };
  expect(choice).toEqual({ agent, ...until });
});
