import { describe, expect, it } from 'vitest';
import { CostTracker, tellEvents } from '../../../src/agent/session/session-events.ts';

const reply = { type: 'reply', requestId: 'pawl-cost-1' } as const;

describe('the cost of a session', () => {
  it('is unknown until it is told, grows, and never goes down', () => {
    const cost = new CostTracker();
    expect(cost.costUsd).toBeUndefined();
    expect(cost.take({ type: 'cost', costUsd: 0.2 })).toBe(true);
    expect(cost.take({ type: 'cost', costUsd: 0.2 })).toBe(false);
    expect(cost.take({ type: 'cost', costUsd: 0.1 })).toBe(false);
    expect(cost.costUsd).toBe(0.2);
  });

  it('is final only by a result after the last message', () => {
    const cost = new CostTracker();
    cost.take({ type: 'cost', costUsd: 0.2 });
    expect(cost.isFinal).toBe(false);
    cost.take({ type: 'result', text: '', isError: true, costUsd: 0.3 });
    expect(cost.isFinal).toBe(true);
    cost.reopen(0);
    expect(cost.isFinal).toBe(false);
    cost.take({ type: 'result', text: '', isError: true });
    expect(cost.isFinal).toBe(false);
  });

  it('is told without dollars by an agent that counts only tokens', () => {
    const told: unknown[] = [];
    const tell = tellEvents({ number: 1 }, new CostTracker(), (event) => {
      if (event.type === 'session-cost') told.push(event);
    });
    const tokens = (input: number) => ({ input, output: 0, cacheRead: 0, cacheWrite: 0 });
    for (const input of [0, 5, 5, 9])
      tell({ type: 'result', text: '', isError: false, tokens: tokens(input) });
    expect(told).toEqual(
      [5, 9].map((input) => ({ type: 'session-cost', session: 1, tokens: tokens(input) })),
    );
  });

  it('is asked at intervals', () => {
    const cost = new CostTracker(10);
    cost.reopen(0);
    expect([9, 10, 11, 20].map((atMs) => cost.question(atMs))).toEqual([
      ...[undefined, 'pawl-cost-1'],
      ...[undefined, 'pawl-cost-2'],
    ]);
  });
});

describe('the cost of a session that goes on with an earlier conversation', () => {
  const tokens = (input: number) => ({ input, output: 10, cacheRead: 0, cacheWrite: 0 });
  const earlier = [
    { costUsd: 0.5, tokens: tokens(500) },
    { costUsd: 1.2345, tokens: tokens(1_000) },
  ];
  const end = (costUsd: number, input: number) =>
    ({ type: 'result', text: '', isError: false, costUsd, tokens: tokens(input) }) as const;

  it.each([
    ['the agent counts on', 1.23, end(1.7345, 1_200), 0.5, 200],
    ['it counts on from a part of it', 0.5, end(0.75, 700), 0.25, 200],
    ['it was killed and begins at nothing', 0, end(0.25, 200), 0.25, 200],
    ['it says another figure', 2, end(2.5, 1_100), 0.5, 100],
    ['it does not say', undefined, end(0.25, 200), 0.25, 200],
  ])('%s', (_, base, result, costUsd, input) => {
    const cost = new CostTracker(undefined, earlier);
    expect(cost.firstQuestion).toBe('pawl-cost-base');
    if (base !== undefined) {
      cost.take({ type: 'reply', requestId: 'pawl-cost-base' });
      expect(cost.take({ type: 'cost', costUsd: base })).toBe(false);
      expect(cost.costUsd).toBeUndefined();
      expect(cost.firstQuestion).toBeUndefined();
    }
    cost.take(result);
    expect(cost.costUsd).toBeCloseTo(costUsd);
    expect(cost.tokens?.input).toBe(input);
  });

  it('a later answer in words is taken off as well', () => {
    const cost = new CostTracker(undefined, earlier);
    cost.take({ type: 'reply', requestId: 'pawl-cost-base' });
    cost.take({ type: 'cost', costUsd: 0.5 });
    cost.take(reply);
    cost.take({ type: 'cost', costUsd: 0.7 });
    expect(cost.costUsd).toBeCloseTo(0.2);
  });
});
