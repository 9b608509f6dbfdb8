// Facts about a run's work that was taken out of the tree because another machine took the run up, and is brought back.
import { z } from 'zod';

export const setAsideFacts = [
  z.object({
    type: z.literal('work-set-aside'),
    /** The rescue commit that holds it. */
    rescue: z.string(),
  }),
  z.object({
    type: z.literal('work-brought-back'),
    rescue: z.string(),
    /** Files that others changed meanwhile: they stay as they are, and the rescue holds the run's version. */
    left: z.array(z.string()),
  }),
] as const;
