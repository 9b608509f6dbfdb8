// Facts about the guard around reviewers and planners, who may change nothing: when it began, and what it found.
import { z } from 'zod';

/** Who is watched. */
export const lookerSchema = z.enum(['reviewer', 'planner']);

export const watchFacts = [
  /** From here on no work of the run changes its tree. */
  z.object({
    type: z.literal('watch-started'),
    who: lookerSchema,
    /** The rescue point that holds the tree as it is now; absent for a report, which writes nothing. */
    rescue: z.string().optional(),
    /** Number of the last session before. */
    after: z.number(),
  }),
  z.object({ type: z.literal('watch-ended') }),
  /** A session did what its role may not: its answer does not count. */
  z.object({ type: z.literal('answer-refused'), session: z.number(), reason: z.string() }),
  /**
   * Files that changed meanwhile, not provably because of a session: they stay as they are, and are in no commit of the
   * run's.
   */
  z.object({
    type: z.literal('edits-left'),
    /** `lane`: while tasks were worked on in lanes, and nobody worked in this tree. */
    who: z.enum([...lookerSchema.options, 'lane']),
    /** New files. */
    files: z.array(z.string()),
    /** Files that differ from HEAD. */
    changed: z.array(z.string()),
  }),
  /** A person took the changed ones into the open work. */
  z.object({ type: z.literal('edits-taken'), files: z.array(z.string()) }),
  /** A person gave their changes in the run's own tree to a task that begins in a lane: they are there at its start. */
  z.object({
    type: z.literal('edits-given'),
    task: z.string(),
    files: z.array(z.string()),
    /** The rescue point that holds them, with everything else in that tree. */
    rescue: z.string(),
  }),
] as const;
