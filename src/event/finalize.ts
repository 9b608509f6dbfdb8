// Facts about work besides the plan's tasks.
import { z } from 'zod';
import { byState } from './shapes.ts';

export const finalizeFacts = [
  byState('work', {
    planned: {
      /** Work like a task, whose facts carry its id. */
      task: z.string(),
      title: z.string(),
      /** Findings to be fixed; absent: the finalizing. */
      fix: z.object({ stage: z.string(), round: z.number(), findings: z.array(z.string()) }).exactOptional(),
    },
    ended: {
      task: z.string(),
      fix: z.object({ stage: z.string(), round: z.number() }).exactOptional(),
      /** `committed`: with green checks. `failed`: the files are as before. */
      result: z.enum(['committed', 'nothing', 'failed']),
      reason: z.string(),
      /** Why a finding may not be fixed as meant. */
      doubts: z.array(z.object({ finding: z.string(), text: z.string() })).optional(),
      oid: z.string().optional(),
      /** Of the work, if it failed. */
      rescue: z.string().optional(),
    },
  }),
  /** One commit replaces the run's, with the same files. */
  z.object({
    type: z.literal('run-squashed'),
    /** HEAD before and after. */
    from: z.string(),
    to: z.string(),
    /** Ref with the old commits. */
    kept: z.string(),
    commits: z.number(),
  }),
] as const;
