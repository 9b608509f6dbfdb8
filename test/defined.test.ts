// Objects without the fields that are undefined.
import { expect, test } from 'vitest';
import { defined } from '../src/defined.ts';

test.each([
  [{}, {}],
  [{ a: undefined }, {}],
  [
    { a: 1, b: undefined, c: null, d: '', e: false },
    { a: 1, c: null, d: '', e: false },
  ],
])('%j', (fields, left) => {
  expect(defined(fields)).toStrictEqual(left);
});
