// The order of the folds: where it matters, which a sample shows, and that it matters nowhere else.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Fact, Stamped } from '../../src/event.ts';
import { type Fold, foldInOrder, foldRun, folds } from '../../src/journal/fold.ts';
import { arbitraryFact } from '../helpers/arbitrary-fact.ts';
import { byPerson, fact, stampAll } from '../helpers/facts.ts';

type Name = keyof typeof folds;

const names = Object.keys(folds) as Name[];

function foldBy(order: readonly Name[], facts: readonly Stamped<Fact>[]) {
  const start = foldRun(facts.slice(0, -1));
  const last = facts.at(-1);
  if (!start || !last) throw new Error('it begins with a start');
  const all: readonly Fold[] = order.map((name) => folds[name]);
  return foldInOrder(start, last, { fresh: new WeakSet(), order: all });
}

/** What must come before what, the facts that show it, and why. */
const pairs: readonly (readonly [first: Name, then: Name, facts: readonly Fact[], why: string])[] = [
  [
    'spending',
    'sessions',
    [fact('session-started'), fact('session-cost', { costUsd: 1 })],
    'what a session cost before is not spent again',
  ],
  [
    'rests',
    'control',
    [byPerson('pause'), fact('paused'), fact('waiting'), fact('run-resumed', { after: 'stop' })],
    'a rest that a kill cut off is counted before the pause is over',
  ],
  [
    'waits',
    'tasks',
    [
      fact('plan-read'),
      fact('task-started', { task: '2', tree: 'a' }),
      fact('waiting', { why: 'limit' }),
      fact('round-ended', { task: '2', verdict: 'wait', tree: 'b' }),
    ],
    'whether a round moved the tree is seen by the round before it',
  ],
];

test.each(pairs)('%s before %s: otherwise another state', (first, then, facts) => {
  const others = names.filter((name) => name !== first && name !== then);
  const all = stampAll([fact('run-started'), ...facts]);
  expect(foldBy([then, first, ...others], all)).not.toEqual(foldBy([first, then, ...others], all));
  expect(names.indexOf(first)).toBeLessThan(names.indexOf(then));
});

test('any other order comes to the same', () => {
  const shuffled = fc.shuffledSubarray(names, { minLength: names.length });
  const facts = fc.array(arbitraryFact(), { minLength: 1, maxLength: 25 });
  fc.assert(
    fc.property(shuffled, facts, (drawn, more) => {
      const order = pairs.reduce<readonly Name[]>(
        (all, [first, then]) => swapIfWrong(all, first, then),
        drawn,
      );
      const all = stampAll([
        fact('run-started'),
        fact('plan-read'),
        fact('task-started', { task: '1' }),
        ...more,
      ]);
      expect(foldBy(order, all)).toEqual(foldBy(names, all));
    }),
    { numRuns: 300 },
  );
});

function swapIfWrong(order: readonly Name[], first: Name, then: Name): readonly Name[] {
  if (order.indexOf(first) < order.indexOf(then)) return order;
  return order.map((name) => (name === first ? then : name === then ? first : name));
}
