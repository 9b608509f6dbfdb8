// Facts about work besides the plan's tasks: fixes of a review's findings, one session that finalizes the work with the
// user's own prompt; and the squash of the run's commits.
import { z } from 'zod';
import { byState } from './shapes.ts';

export const finalizeFacts = [
  byState('work', {
    planned: {
      /** A piece of work like a task, whose facts carry its id, is about to begin. */
      task: z.string(),
      title: z.string(),
      /** The round whose findings are to be fixed, and their ids; absent: the finalizing. */
      fix: z.object({ stage: z.string(), round: z.number(), findings: z.array(z.string()) }).exactOptional(),
    },
    ended: {
      task: z.string(),
      fix: z.object({ stage: z.string(), round: z.number() }).exactOptional(),
      /** `committed`: files were changed, and the checks are green. `failed`: the files are as they were before. */
      result: z.enum(['committed', 'nothing', 'failed']),
      reason: z.string(),
      /** What of the commit makes one doubt that a finding was fixed as meant, in words. */
      doubts: z.array(z.object({ finding: z.string(), text: z.string() })).optional(),
      oid: z.string().optional(),
      /** Rescue commit of the work, if it failed. */
      rescue: z.string().optional(),
    },
  }),
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
] as const;
