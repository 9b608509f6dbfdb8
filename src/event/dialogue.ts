// Facts about the dialogue of `pawl plan`: what the planner asks and drafts, what a person answers, and what becomes of the
// plan file.
import { z } from 'zod';
import { byState, fileInRun } from './shapes.ts';

/** What `pawl plan` was asked for. */
export const planningAskedSchema = z.object({
  /** Where the request's text came from, in words, e.g. `notes/cache.md` or `issue 12`. */
  from: z.string(),
  /** Where to write the plan, absolute; absent: in the plans folder, named by its title. */
  output: z.string().optional(),
});

export type PlanningAsked = Readonly<z.infer<typeof planningAskedSchema>>;

/** The origin of a request that was typed on the command line. */
export const commandLine = 'the command line';

/** One answer that a planner proposes. */
export const optionSchema = z.object({
  label: z.string(),
  /** The argument for it. */
  why: z.string().optional(),
  recommended: z.boolean(),
});

/** Who gave an answer: a person, or nobody, in which case the recommended one was taken. */
const answererSchema = z.enum(['person', 'default']);

export const dialogueFacts = [
  byState('dialogue', {
    asked: {
      /** Counts from 1 within the run. */
      question: z.number(),
      session: z.number(),
      /** A word or two that name the subject. */
      header: z.string().optional(),
      text: z.string(),
      /** What the planner found out that the question is based on. */
      context: z.string().optional(),
      /** In the planner's order; empty: it can only be answered in one's own words. */
      options: z.array(optionSchema),
    },
    answered: {
      question: z.number(),
      answer: z.string(),
      by: answererSchema,
      /** Why this answer, if no person gave it. */
      because: z.string().optional(),
    },
    /** A draft is kept in the run folder, good or not. */
    drafted: {
      /** Counts from 1 within the run. */
      draft: z.number(),
      /** Absent: it is a person's edit. */
      session: z.number().optional(),
      /** File with its text, relative to the run folder. */
      file: fileInRun,
      title: z.string(),
      /** How many tasks and checks it has. */
      tasks: z.number(),
      checks: z.number(),
      /** Mistakes, each as a line of lint: such a plan cannot be run. */
      errors: z.array(z.string()),
      /** What the plan lacks, and warnings: it can be run all the same. */
      notes: z.array(z.string()),
    },
    /** pawl returns an answer to the planner for correction. */
    corrected: {
      session: z.number(),
      /** `answer`: it contains neither a question nor a draft. */
      what: z.enum(['question', 'draft', 'checks', 'answer']),
      problem: z.string(),
    },
    /** The checks of a draft's tasks were run on the present tree, or a person did not want that. */
    tried: {
      draft: z.number(),
      tried: z.boolean(),
      /** What is wrong with them, one sentence each. */
      problems: z.array(z.string()),
    },
    judged: {
      draft: z.number(),
      /** `commented`: the planner is told, and drafts again. A person's edit is the next draft. */
      choice: z.enum(['accepted', 'commented', 'rejected']),
      by: z.enum(['person', 'default']),
      /** The comment. */
      text: z.string().optional(),
    },
    /** An accepted draft is about to be written; from here on this will be completed. */
    writing: {
      draft: z.number(),
      /** File with its text, relative to the run folder. */
      file: fileInRun,
      /** Its destination: relative to the repository's root, or absolute if outside. */
      to: z.string(),
    },
    written: {
      to: z.string(),
    },
  }),
] as const;
