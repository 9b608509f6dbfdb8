import { expect, test } from 'vitest';
import { Gate } from '../../../src/phase/lanes/lanes.ts';

const { signal } = new AbortController();

test('one after the other, first come first served', async () => {
  const gate = new Gate();
  const order: string[] = [];
  const pass = async (who: string) => {
    const leave = await gate.enter(signal);
    order.push(`${who} in`);
    await Promise.resolve();
    order.push(`${who} out`);
    leave?.();
    leave?.();
  };
  await Promise.all(['1', '2', '3'].map(pass));
  expect(order).toEqual(['1 in', '1 out', '2 in', '2 out', '3 in', '3 out']);
});

test('who waits when the run stops is not let in, and holds nobody up', async () => {
  const gate = new Gate();
  const stop = new AbortController();
  const leave = await gate.enter(signal);
  const second = gate.enter(stop.signal);
  let isIn = false;
  const third = gate.enter(signal).then((found) => {
    isIn = found !== undefined;
  });
  stop.abort();
  expect(await second).toBeUndefined();
  expect(isIn).toBe(false);
  leave?.();
  await third;
  expect(isIn).toBe(true);
  expect(await gate.enter(stop.signal)).toBeUndefined();
});
