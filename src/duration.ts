// Durations as people write them: `90s`, `10m`, `4h`. Pure.

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export const durationShape = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/;

/** In milliseconds; undefined if `text` is not a duration. */
export function parseDuration(text: string): number | undefined {
  const [, number, unit] = durationShape.exec(text.trim()) ?? [];
  return number === undefined ? undefined : Number(number) * unitMs[unit as keyof typeof unitMs];
}
