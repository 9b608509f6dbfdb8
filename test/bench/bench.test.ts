// Each figure of `npm run bench` once at its smallest size, so that none stops working unseen.
import { expect, test } from 'vitest';
import { builtFile } from '../helpers/built-pawl.ts';
import { figures } from './figures.ts';

const pawl = { command: builtFile('pawl'), [Symbol.asyncDispose]: async () => {} };

test.each(Object.entries(figures))('%s', async (_, measure) => {
  const told = await measure(pawl, 'smallest');
  expect(told).not.toBe('');
  expect(told).not.toMatch(/NaN|undefined|\s–(\s|$)/m);
});
