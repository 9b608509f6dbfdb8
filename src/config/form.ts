// The forms that many settings have, each given its meaning in one line.
import { z } from 'zod';

/** Text that is not empty. */
export const text = (meaning: string) => z.string().min(1).describe(meaning);
/** Texts that are not empty. */
export const list = (meaning: string) => z.array(z.string().min(1)).describe(meaning);
/** A whole number, 0 or more. */
export const count = (meaning: string) => z.int().min(0).describe(meaning);
/** US dollars, more than 0. */
export const dollars = (meaning: string) => z.number().positive().describe(meaning);
