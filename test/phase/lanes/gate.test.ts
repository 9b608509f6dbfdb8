import { expect, test } from 'vitest';
import { Gate } from '../../../src/phase/lanes/gate.ts';

const calm = { signal: new AbortController().signal, longMs: 60_000, onLong: () => Promise.resolve() };

test('one after the other, first come first served', async () => {
  const gate = new Gate();
  const order: string[] = [];
  const pass = async (who: string) => {
    const leave = await gate.enter(who, calm);
    order.push(`${who} in`);
    await Promise.resolve();
    order.push(`${who} out`);
    leave?.();
  };
  await Promise.all(['1', '2', '3'].map(pass));
  expect(order).toEqual(['1 in', '1 out', '2 in', '2 out', '3 in', '3 out']);
});

test('who holds it is in at once, and leaves once', async () => {
  const gate = new Gate();
  const leave = await gate.enter('1', calm);
  const again = await gate.enter('1', calm);
  const other = gate.enter('2', calm);
  again?.();
  const leaveOther = await other;
  leave?.();
  let isThird = false;
  const third = gate.enter('3', calm).then(() => {
    isThird = true;
  });
  await Promise.resolve();
  expect(isThird).toBe(false);
  leaveOther?.();
  await third;
  expect(isThird).toBe(true);
});

test('who waits when the run stops is not let in, and holds nobody up', async () => {
  const gate = new Gate();
  const stop = new AbortController();
  const leave = await gate.enter('1', calm);
  const second = gate.enter('2', { ...calm, signal: stop.signal });
  const third = gate.enter('3', calm);
  stop.abort();
  expect(await second).toBeUndefined();
  leave?.();
  expect(await third).toBeTypeOf('function');
  expect(await gate.enter('4', { ...calm, signal: stop.signal })).toBeUndefined();
});

test('who waits long is told, before it is let in', async () => {
  const gate = new Gate();
  const leave = await gate.enter('1', calm);
  const told: string[] = [];
  const waiting = gate.enter('2', {
    ...calm,
    longMs: 1,
    onLong: async () => {
      leave?.();
      await Promise.resolve();
      told.push('long');
    },
  });
  await waiting;
  expect(told).toEqual(['long']);
});
