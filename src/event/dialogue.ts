// Facts about the dialogue of `pawl plan`, and what becomes of the plan file.
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

export const dialogueFacts = [
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
] as const;
