// Formats US dollars.

/** Two decimals, more below one cent: `$0.0031`. */
export function formatUsd(usd: number): string {
  return `$${usd > 0 && usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`;
}
