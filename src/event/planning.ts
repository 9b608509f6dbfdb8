// Facts about planning: the dialogue of `pawl plan`, what becomes of the plan file, and plans changed while they run.
import { z } from 'zod';
import { byState, fileInRun } from './shapes.ts';

export const planningAskedSchema = z.object({
  /** E.g. `issue 12`. */
  from: z.string(),
  /** Where to write the plan, absolute; absent: the plans folder. */
  output: z.string().optional(),
});

export type PlanningAsked = Readonly<z.infer<typeof planningAskedSchema>>;

/** `from` of a request typed there. */
export const commandLine = 'the command line';

export const optionSchema = z.object({
  label: z.string(),
  why: z.string().optional(),
  recommended: z.boolean(),
});

/** `default`: nobody; the recommended answer was taken. */
const answererSchema = z.enum(['person', 'default']);

/**
 * `failure`: a task's attempts are used up. `request`: its agent asked. `after-task`: a task was closed, and the rest
 * is reconsidered.
 */
export const replanWhySchema = z.enum(['failure', 'request', 'after-task']);

export type ReplanWhy = z.infer<typeof replanWhySchema>;

export const planningFacts = [
  byState('dialogue', {
    asked: {
      /** From 1 within the run. */
      question: z.number(),
      session: z.number(),
      header: z.string().optional(),
      text: z.string(),
      context: z.string().optional(),
      /** Empty: to be answered in one's own words. */
      options: z.array(optionSchema),
    },
    answered: {
      question: z.number(),
      answer: z.string(),
      by: answererSchema,
      /** If no person gave it. */
      because: z.string().optional(),
    },
    /** Kept in the run folder, good or not. */
    drafted: {
      /** From 1 within the run. */
      draft: z.number(),
      /** Absent: a person's edit. */
      session: z.number().optional(),
      file: fileInRun,
      title: z.string(),
      tasks: z.number(),
      checks: z.number(),
      /** Lines of lint: such a plan cannot be run. */
      errors: z.array(z.string()),
      /** What it lacks, and warnings: it can be run all the same. */
      notes: z.array(z.string()),
    },
    /** pawl returns an answer to the planner. */
    corrected: {
      session: z.number(),
      /** `answer`: neither a question nor a draft. */
      what: z.enum(['question', 'draft', 'checks', 'answer']),
      problem: z.string(),
    },
    /** The draft's checks on the present tree; `tried` false: a person did not want that. */
    tried: {
      draft: z.number(),
      tried: z.boolean(),
      problems: z.array(z.string()),
    },
    judged: {
      draft: z.number(),
      /** `commented`: the planner drafts again. A person's edit is the next draft. */
      choice: z.enum(['accepted', 'commented', 'rejected']),
      by: z.enum(['person', 'default']),
      text: z.string().optional(),
    },
    written: {
      /** Relative to the repository's root, or absolute if outside. */
      to: z.string(),
    },
  }),
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
