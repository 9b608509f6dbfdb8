// The one loop: rounds until one has a result, with a bound that no sequence of outcomes can pass.

/** Calls `round` with 1, 2, … until it returns a result; after `most` rounds the result is that of `spent`. */
export async function boundedLoop<R>(
  round: (number: number) => Promise<R | undefined>,
  bound: Readonly<{ most: number; spent: () => R }>,
): Promise<R> {
  for (let number = 1; number <= bound.most; number += 1) {
    const result = await round(number);
    if (result !== undefined) return result;
  }
  return bound.spent();
}
