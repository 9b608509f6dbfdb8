// Facts about changing a plan while it runs: why a planner was asked, its result, and what became of the file.
import { z } from 'zod';

/** Why: a task's attempts are spent, its agent asked for it, or a task was closed and the rest is looked at again. */
export const replanWhySchema = z.enum(['failure', 'request', 'after-task']);

export type ReplanWhy = z.infer<typeof replanWhySchema>;

export const replanFacts = [
  /** A planner is about to be asked; it is asked again by the next start, if no end is told. */
  z.object({
    type: z.literal('replan-started'),
    /** Counts from 1 within the run. */
    replan: z.number(),
    why: replanWhySchema,
    /** The task that gave rise to it. */
    task: z.string(),
    reason: z.string(),
    /** SHA-256 of the plan's text that is to be changed. */
    plan: z.string(),
  }),
  /** A new plan is found good and kept in the run folder; from here on it is gone through with. */
  z.object({
    type: z.literal('replan-taking'),
    replan: z.number(),
    session: z.number(),
    /** File of the new text, relative to the run folder. */
    file: z.string(),
    /** SHA-256 of the plan's text before and after. */
    before: z.string(),
    after: z.string(),
    /** Ids of tasks. */
    added: z.array(z.string()),
    changed: z.array(z.string()),
    dropped: z.array(z.string()),
    /** What it weakens, which the settings allow. */
    weakened: z.array(z.string()),
    /** Changed lines with `-` and `+`, bounded. */
    diff: z.array(z.string()),
  }),
  z.object({
    type: z.literal('replan-ended'),
    replan: z.number(),
    /** `refused`: it would have weakened the plan. `unchanged`: the planner leaves the plan as it is. `failed`: it gave no answer that can be used. */
    result: z.enum(['taken', 'refused', 'unchanged', 'failed']),
    reason: z.string(),
    /** Commit of the changed plan; absent where the plan is not committed. */
    oid: z.string().optional(),
    /** Rescue of the work that was taken out of the tree. */
    rescue: z.string().optional(),
  }),
] as const;
