// Facts about changing a plan while it runs: why a planner was asked, its result, and what became of the file.
import { z } from 'zod';
import { byState, fileInRun } from './shapes.ts';

/** Why: a task's attempts are used up, its agent asked for it, or a task was closed and the rest is reconsidered. */
export const replanWhySchema = z.enum(['failure', 'request', 'after-task']);

export type ReplanWhy = z.infer<typeof replanWhySchema>;

export const replanFacts = [
  byState('replan', {
    /** A planner is about to be asked; the next start asks again if no end is journaled. */
    started: {
      /** Counts from 1 within the run. */
      replan: z.number(),
      why: replanWhySchema,
      /** The task that caused it. */
      task: z.string(),
      reason: z.string(),
      /** SHA-256 of the plan text that is to be changed. */
      plan: z.string(),
    },
    /** A new plan was accepted and saved in the run folder; from here on it will be applied. */
    taking: {
      replan: z.number(),
      session: z.number(),
      /** File with the new text, relative to the run folder. */
      file: fileInRun,
      /** SHA-256 of the plan's text before and after. */
      before: z.string(),
      after: z.string(),
      /** Ids of tasks. */
      added: z.array(z.string()),
      changed: z.array(z.string()),
      dropped: z.array(z.string()),
      /** Changed lines with `-` and `+`, bounded. */
      diff: z.array(z.string()),
    },
    ended: {
      replan: z.number(),
      /**
       * `refused`: it would have weakened the plan. `unchanged`: the planner leaves the plan as it is. `failed`: it gave no
       * usable answer.
       */
      result: z.enum(['taken', 'refused', 'unchanged', 'failed']),
      reason: z.string(),
      /** Commit of the changed plan; absent if the plan is not committed. */
      oid: z.string().optional(),
      /** Rescue commit of the work that was taken out of the tree. */
      rescue: z.string().optional(),
    },
  }),
] as const;
