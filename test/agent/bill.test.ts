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
    const bill = new Bill(10);
    bill.reopen(0);
    expect(bill.question(9)).toBeUndefined();
    expect([bill.question(10), bill.question(11), bill.question(20)]).toEqual([
      'pawl-cost-1',
      undefined,
      'pawl-cost-2',
    ]);
    bill.take(reply);
    expect([30, 40, 50, 60].map((atMs) => bill.question(atMs) !== undefined)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});
