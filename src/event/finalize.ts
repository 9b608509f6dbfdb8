// Facts about finalizing: one piece of work after the review, with the user's own prompt, and the squash of the run's
// commits.
import { z } from 'zod';

export const finalizeFacts = [
  /** A piece of work like a task, whose facts carry its id. */
  z.object({ type: z.literal('finalize-started'), task: z.string(), title: z.string() }),
  /** One commit replaces the run's, with the same files. */
  z.object({
    type: z.literal('run-squashed'),
    /** HEAD before and after. */
    from: z.string(),
    to: z.string(),
    /** The ref that keeps the old commits. */
    kept: z.string(),
    /** How many there were. */
    commits: z.number(),
  }),
  z.object({
    type: z.literal('finalize-ended'),
    /** `committed`: files were changed, and the checks are green. `failed`: the files are as they were before. */
    result: z.enum(['committed', 'nothing', 'failed']),
    reason: z.string(),
    oid: z.string().optional(),
    /** Rescue commit of the work, if it failed. */
    rescue: z.string().optional(),
  }),
] as const;
