// A value, or a fallback where reading it throws.

/** Every error counts: `look` must be one small operation, in which no bug of pawl's could hide. */
export function orElse<T, F>(look: () => T, otherwise: F): T | F {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
