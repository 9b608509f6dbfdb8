// Facts about work that was taken out of the tree, and is brought back.
import { z } from 'zod';

export const setAsideFacts = [
  z.object({
    type: z.literal('work-set-aside'),
    /** Only this task's work, so that another task can begin; its next attempt brings it back. */
    task: z.string().optional(),
    /** Another machine continues the run: nothing brings the work back automatically. */
    fenced: z.literal(true).exactOptional(),
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
