// Formats counts and dollars in reasons of verdicts and replies to commands. Pure.

/** `1 finding`, `3 findings`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** US dollars with cents, more digits below one cent: `$0.42`, `$0.0031`. */
export function dollars(usd: number): string {
  return `$${usd > 0 && usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`;
}
