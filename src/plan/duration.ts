// Durations as a plan's author writes them: `90s`, `10m`, `4h`.

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const shape = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/;

/** Milliseconds of a span with its unit; undefined when it is none, or no time at all. */
export function readDuration(text: string): number | undefined {
  const [, number, unit] = shape.exec(text) ?? [];
  const ms = Number(number) * unitMs[unit as keyof typeof unitMs];
  return ms > 0 ? ms : undefined;
}
