import { describe, expect, test } from 'vitest';
import { Disposal } from '../src/disposal.ts';

function keepers() {
  const said: string[] = [];
  const keeper = (name: string): Disposable => ({ [Symbol.dispose]: () => void said.push(name) });
  return { said, keeper };
}

describe('Disposal', () => {
  test('gives back what it keeps, last taken first, and once', () => {
    const { said, keeper } = keepers();
    const disposal = new Disposal();
    expect(disposal.use(undefined)).toBeUndefined();
    const first = keeper('first');
    expect(disposal.use(first)).toBe(first);
    disposal.defer(() => said.push('act'));
    disposal.use(keeper('last'));
    disposal[Symbol.dispose]();
    disposal[Symbol.dispose]();
    expect(said).toEqual(['last', 'act', 'first']);
  });

  test('what was moved on is another’s to give back', () => {
    const { said, keeper } = keepers();
    const move = () => {
      using disposal = new Disposal();
      disposal.use(keeper('kept'));
      return disposal.move();
    };
    const moved = move();
    expect(said).toEqual([]);
    moved[Symbol.dispose]();
    expect(said).toEqual(['kept']);
  });

  test('one that throws keeps none of the others, and its error is thrown', () => {
    const { said, keeper } = keepers();
    const disposal = new Disposal();
    disposal.use(keeper('first'));
    disposal.defer(() => {
      throw new Error('no');
    });
    disposal.use(keeper('last'));
    expect(() => disposal[Symbol.dispose]()).toThrow('no');
    expect(said).toEqual(['last', 'first']);
  });
});
