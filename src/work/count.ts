// Formats counts in verdict reasons and replies to commands. Pure.

/** `1 finding`, `3 findings`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}
