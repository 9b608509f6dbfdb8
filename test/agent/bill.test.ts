import { describe, expect, it } from 'vitest';
import { Bill } from '../../src/agent/bill.ts';

const reply = { type: 'reply', requestId: 'pawl-cost-1', ok: true } as const;

describe('the cost of a session', () => {
  it('is unknown until it is told, grows, and never goes down', () => {
    const bill = new Bill();
    expect(bill.costUsd).toBeUndefined();
    expect(bill.take({ type: 'cost', costUsd: 0.2 })).toBe(true);
    expect(bill.take({ type: 'cost', costUsd: 0.2 })).toBe(false);
    expect(bill.take({ type: 'cost', costUsd: 0.1 })).toBe(false);
    expect(bill.costUsd).toBe(0.2);
  });

  it('is final only by a result after the last message', () => {
    const bill = new Bill();
    bill.take({ type: 'cost', costUsd: 0.2 });
    expect(bill.isFinal).toBe(false);
    bill.take({ type: 'result', text: '', isError: true, costUsd: 0.3 });
    expect(bill.isFinal).toBe(true);
    bill.reopen(0);
    expect(bill.isFinal).toBe(false);
    bill.take({ type: 'result', text: '', isError: true });
    expect(bill.isFinal).toBe(false);
  });

  it('is asked at intervals, and no more once three questions went unanswered', () => {
    const bill = new Bill({ everyMs: 10, replyMs: 5 });
    bill.reopen(0);
    expect(bill.question(9)).toBeUndefined();
    expect([bill.question(10), bill.question(11), bill.question(20)]).toEqual([
      'pawl-cost-1',
      undefined,
      'pawl-cost-2',
    ]);
    bill.take(reply);
    const asked = [30, 40, 50, 60].map((atMs) => {
      const late = bill.unanswered(atMs);
      return [bill.question(atMs) !== undefined, late];
    });
    expect(asked).toEqual([
      [true, undefined],
      [true, undefined],
      [true, undefined],
      [false, { afterMs: 5 }],
    ]);
    expect(bill.unanswered(70)).toBeUndefined();
    bill.take(reply);
    expect(bill.question(80)).toBe('pawl-cost-6');
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
    const bill = new Bill({}, earlier);
    expect(bill.firstQuestion).toBe('pawl-cost-base');
    if (base !== undefined) {
      bill.take({ type: 'reply', requestId: 'pawl-cost-base', ok: true });
      expect(bill.take({ type: 'cost', costUsd: base })).toBe(false);
      expect(bill.costUsd).toBeUndefined();
      expect(bill.firstQuestion).toBeUndefined();
    }
    bill.take(result);
    expect(bill.costUsd).toBeCloseTo(costUsd);
    expect(bill.tokens?.input).toBe(input);
  });

  it('a later answer in words is taken off as well', () => {
    const bill = new Bill({}, earlier);
    bill.take({ type: 'reply', requestId: 'pawl-cost-base', ok: true });
    bill.take({ type: 'cost', costUsd: 0.5 });
    bill.take(reply);
    bill.take({ type: 'cost', costUsd: 0.7 });
    expect(bill.costUsd).toBeCloseTo(0.2);
  });
});
