// Repeats rounds until one has a result, at most a given number of times.

/** Calls `round` with 1, 2, … until it returns a result; after `most` rounds returns `spent()`. */
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
