// Schemas for settings, and what a setting means for consent.
import { z } from 'zod';
import { durationShape, parseDuration } from '../duration.ts';

/**
 * For a person asked to trust the project. `runs`: starts a program or instructs an agent; `loosens`: can weaken a
 * protection, or make a run longer or more expensive; `plain`: neither.
 */
export type ConsentClass = 'runs' | 'loosens' | 'plain';

const classes = z.registry<{ consent: ConsentClass }>();

export function runs<Schema extends z.ZodType>(schema: Schema): Schema {
  classes.add(schema, { consent: 'runs' });
  return schema;
}

export function loosens<Schema extends z.ZodType>(schema: Schema): Schema {
  classes.add(schema, { consent: 'loosens' });
  return schema;
}

export function consentClassOf(schema: z.ZodType): ConsentClass | undefined {
  return classes.get(schema)?.consent;
}

export const text = (meaning: string) => z.string().min(1).describe(meaning);
export const list = (meaning: string) => z.array(z.string().min(1)).describe(meaning);
export const choice = <const Words extends readonly string[]>(words: Words, meaning: string) =>
  z.enum(words).describe(meaning);
export const flag = (meaning: string) => z.boolean().describe(meaning);
export const count = (meaning: string) => z.int().min(0).describe(meaning);
export const dollars = (meaning: string) => z.number().positive().describe(meaning);
/** Written with a unit, used as milliseconds. */
export const duration = (meaning: string) =>
  z
    .string()
    .regex(durationShape, 'a time with its unit, e.g. 90s, 10m or 4h')
    .transform((text) => parseDuration(text) ?? 0)
    .describe(meaning);
