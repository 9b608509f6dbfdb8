// Facts about changing a plan while it runs.
import { z } from 'zod';
import { byState, fileInRun } from './shapes.ts';

/**
 * `failure`: a task's attempts are used up. `request`: its agent asked. `after-task`: a task was closed, and the rest
 * is reconsidered.
 */
export const replanWhySchema = z.enum(['failure', 'request', 'after-task']);

export type ReplanWhy = z.infer<typeof replanWhySchema>;

export const replanFacts = [
  byState('replan', {
    /** A planner is about to be asked; the next start asks again unless an end is journaled. */
    started: {
      /** From 1 within the run. */
      replan: z.number(),
      why: replanWhySchema,
      task: z.string(),
      reason: z.string(),
      /** The plan's SHA-256. */
      plan: z.string(),
    },
    /** Accepted and saved: from here on it will be applied. */
    taking: {
      replan: z.number(),
      session: z.number(),
      file: fileInRun,
      /** SHA-256 of the plan. */
      before: z.string(),
      after: z.string(),
      /** Ids of tasks. */
      added: z.array(z.string()),
      changed: z.array(z.string()),
      /** Lines with `-` and `+`, bounded. */
      diff: z.array(z.string()),
    },
    ended: {
      replan: z.number(),
      /** `refused`: it would weaken the plan. `unchanged`: the planner leaves it. `failed`: no usable answer. */
      result: z.enum(['taken', 'refused', 'unchanged', 'failed']),
      reason: z.string(),
      /** Absent if the plan is not committed. */
      oid: z.string().optional(),
      /** Of work taken out of the tree. */
      rescue: z.string().optional(),
    },
  }),
] as const;
