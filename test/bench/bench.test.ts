// Figures of `npm run bench` once at their smallest size, so that none stops working unseen: one of them, and in a soak all.
import { expect, test } from 'vitest';
import { builtFile } from '../helpers/built-pawl.ts';
import { isSoak } from '../helpers/share.ts';
import { figures } from './figures.ts';

const pawl = { command: builtFile('pawl'), [Symbol.asyncDispose]: async () => {} };

test.each(Object.entries(figures).filter(([name]) => isSoak || name === 'line'))(
  '%s',
  { timeout: 900_000 },
  async (_, measure) => {
    const told = await measure(pawl, 'smallest');
    expect(told).not.toBe('');
    expect(told).not.toMatch(/NaN|undefined|\s–(\s|$)/m);
  },
);
