// Durations as people write them: `90s`, `10m`, `4h`.
import { z } from 'zod';

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const shape = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/;

/** Milliseconds of a span such as `90s`; undefined when it is none. */
export function parseDuration(text: string): number | undefined {
  const match = shape.exec(text.trim());
  if (!match) return undefined;
  return Number(match[1]) * unitMs[match[2] as keyof typeof unitMs];
}

/** A setting that is a span of time: written as text with a unit, used as milliseconds. */
export function duration(meaning: string) {
  return z
    .string()
    .regex(shape, 'a time with its unit, e.g. 90s, 10m or 4h')
    .transform((text) => parseDuration(text) ?? 0)
    .describe(meaning);
}
