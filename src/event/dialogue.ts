// Facts about the dialogue of `pawl plan`: what the planner asks and drafts, what a person answers, and what becomes of the
// plan file.
import { z } from 'zod';

/** What `pawl plan` was asked. */
export const planningAskedSchema = z.object({
  /** Where the text of the request came from, in words, e.g. `notes/cache.md` or `issue 12`. */
  from: z.string(),
  /** Where the plan is to be written, absolute; absent: named by its title, where plans live. */
  output: z.string().optional(),
  /** The plan is to be committed. */
  commit: z.boolean(),
});

export type PlanningAsked = Readonly<z.infer<typeof planningAskedSchema>>;

/** Where a request came from that was typed behind the command. */
export const commandLine = 'the command line';

/** One answer that a planner proposes. */
export const optionSchema = z.object({
  label: z.string(),
  /** What speaks for it. */
  why: z.string().optional(),
  recommended: z.boolean(),
});

/** Who gave an answer: a person, the file of answers, or nobody, so that the recommended one was taken. */
const answererSchema = z.enum(['person', 'file', 'default']);

export const dialogueFacts = [
  z.object({
    type: z.literal('question-asked'),
    /** Counts from 1 within the run. */
    question: z.number(),
    session: z.number(),
    /** A word or two that name the matter. */
    header: z.string().optional(),
    text: z.string(),
    /** What the planner found out that it rests on. */
    context: z.string().optional(),
    /** In the planner's order; empty: it can only be answered in own words. */
    options: z.array(optionSchema),
  }),
  z.object({
    type: z.literal('question-answered'),
    question: z.number(),
    answer: z.string(),
    by: answererSchema,
    /** Why it was this one, where no person gave it. */
    because: z.string().optional(),
  }),
  /** A draft is kept in the run folder, good or not. */
  z.object({
    type: z.literal('draft-given'),
    /** Counts from 1 within the run. */
    draft: z.number(),
    /** Absent: it is a person's edit. */
    session: z.number().optional(),
    /** File of its text, relative to the run folder. */
    file: z.string(),
    title: z.string(),
    /** Numbers of its tasks and of their checks. */
    tasks: z.number(),
    checks: z.number(),
    /** Mistakes, each in a line of lint: such a plan cannot be run. */
    errors: z.array(z.string()),
    /** What the plan lacks or warns of: it can be run all the same. */
    notes: z.array(z.string()),
  }),
  /** pawl sends an answer of the planner's back, for it to be put right. */
  z.object({
    type: z.literal('planner-corrected'),
    session: z.number(),
    /** `answer`: it holds neither question nor draft. */
    what: z.enum(['question', 'draft', 'checks', 'answer']),
    problem: z.string(),
  }),
  /** The checks of a draft's tasks were run on the present tree, or a person did not want that. */
  z.object({
    type: z.literal('draft-checks-tried'),
    draft: z.number(),
    tried: z.boolean(),
    /** What is wrong with them, each in a sentence. */
    problems: z.array(z.string()),
  }),
  z.object({
    type: z.literal('draft-judged'),
    draft: z.number(),
    /** `commented`: the planner is told, and drafts anew. `edited`: a person's own text is taken as the next draft. */
    choice: z.enum(['accepted', 'commented', 'edited', 'rejected']),
    by: z.enum(['person', 'default']),
    /** The comment, or the changed lines of an edit that was sent as one. */
    text: z.string().optional(),
    /** File of the edited text, relative to the run folder. */
    file: z.string().optional(),
  }),
  /** An accepted draft is about to be written; from here on it is gone through with. */
  z.object({
    type: z.literal('plan-writing'),
    draft: z.number(),
    /** File of its text, relative to the run folder. */
    file: z.string(),
    /** Where to: relative to the repository's root, or absolute when it lies outside. */
    to: z.string(),
    /** It is committed as well. */
    commit: z.boolean(),
  }),
  z.object({
    type: z.literal('plan-written'),
    to: z.string(),
    /** Commit that holds it; absent: it is not committed. */
    oid: z.string().optional(),
  }),
] as const;
