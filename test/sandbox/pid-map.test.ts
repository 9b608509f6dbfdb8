import { expect, test } from 'vitest';
import { PidMap } from '../../src/sandbox/sandbox.ts';

const row = (pid: number, ppid: number) => ({ pid, ppid, startTime: `${pid}`, command: 'x' });
const [mark, other] = ['PAWL_SESSION=r/1', 'PAWL_SESSION=r/2'] as const;

test('a program goes by the number it was promised, its children by numbers of their own, and back', () => {
  const numbers = new PidMap();
  const [one, two] = [numbers.container(), numbers.container()];
  const number = numbers.program();
  one.name(mark, number);
  const seen = one.outward([row(14, 0), row(20, 14), row(21, 1)], mark, 14);
  expect(seen.map(({ pid }) => pid)).toEqual([number, expect.any(Number), expect.any(Number)]);
  expect(seen[1]?.ppid).toBe(number);
  expect(one.inward(seen)).toEqual([row(14, 0), row(20, 14), row(21, 1)]);
  expect(two.inward(seen)).toEqual([]);
});

test('no number can be a process of this machine', () => {
  const numbers = new PidMap();
  const seen = numbers.container().outward([row(1, 0)], mark, undefined);
  for (const pid of [numbers.program(), ...seen.map((each) => each.pid)])
    expect(pid).toBeGreaterThan(2 ** 22);
});

test('a program that is not named is one of many', () => {
  const numbers = new PidMap();
  const container = numbers.container();
  container.name(mark, numbers.program());
  const [seen] = container.outward([row(14, 0)], other, 14);
  expect(container.inward(seen ? [seen] : [])).toEqual([row(14, 0)]);
});
