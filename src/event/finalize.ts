// Facts about finalizing: one piece of work after the review, with the user's own prompt, which may rewrite the run's
// commits as long as the files stay the same.
import { z } from 'zod';

export const finalizeFacts = [
  /** A piece of work like a task, whose facts carry its id. */
  z.object({ type: z.literal('finalize-started'), task: z.string(), title: z.string() }),
  /** Other commits replace the run's: they are its history from here on. */
  z.object({
    type: z.literal('history-finalized'),
    /** The finalizing whose session did it, with the same files; absent: a person did, while the run was stopped. */
    task: z.string().optional(),
    /** HEAD before and after. */
    from: z.string(),
    to: z.string(),
    /** The ref that keeps the old history. */
    kept: z.string(),
    /** Commits that are no longer in the branch, newest first, each with the one that has its work now. */
    commits: z.array(z.object({ old: z.string(), now: z.string() })),
  }),
  z.object({
    type: z.literal('finalize-ended'),
    /**
     * `committed`: files were changed, and the checks are green. `rewritten`: only the history was. `failed`: files and
     * history are as they were before.
     */
    result: z.enum(['committed', 'rewritten', 'nothing', 'failed']),
    reason: z.string(),
    oid: z.string().optional(),
    /** Rescue commit of the work, if it failed. */
    rescue: z.string().optional(),
  }),
] as const;
