// Figures of `npm run bench` once at their smallest size, so that none stops working unseen: some of them, and in a soak all.
import { expect, test } from 'vitest';
import { builtFile } from '../helpers/built-pawl.ts';
import { share } from '../helpers/share.ts';
import { figures } from './figures.ts';

const pawl = { command: builtFile('pawl'), [Symbol.asyncDispose]: async () => {} };

test.each(share(Object.entries(figures), 4))('%s', async (_, measure) => {
  const told = await measure(pawl, 'smallest');
  expect(told).not.toBe('');
  expect(told).not.toMatch(/NaN|undefined|\s–(\s|$)/m);
});
