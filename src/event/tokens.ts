// Arithmetic with tokens by class. Pure.
import type { Tokens } from './activity.ts';

export const noTokens: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export function addTokens(a: Tokens, b: Tokens): Tokens {
  return perClass((key) => a[key] + b[key]);
}

/** Never below 0. */
export function subtractTokens(from: Tokens, taken: Tokens): Tokens {
  return perClass((key) => Math.max(0, from[key] - taken[key]));
}

function perClass(of: (key: keyof Tokens) => number): Tokens {
  return {
    input: of('input'),
    output: of('output'),
    cacheRead: of('cacheRead'),
    cacheWrite: of('cacheWrite'),
  };
}
