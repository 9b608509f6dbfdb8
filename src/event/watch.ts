// Facts about the guard around reviewers and planners, who may change nothing: when it began, and what it found.
import { z } from 'zod';

/** Who looks. */
export const lookerSchema = z.enum(['reviewer', 'planner']);

export const watchFacts = [
  /** From here on nobody of the run changes its tree. */
  z.object({
    type: z.literal('watch-started'),
    who: lookerSchema,
    /** Commit of the rescue point that holds the tree as it is now; absent in a report, which writes nothing. */
    rescue: z.string().optional(),
    /** Number of the last session before. */
    after: z.number(),
  }),
  z.object({ type: z.literal('watch-ended') }),
  /** A session did what its role may not: what it answered does not count. */
  z.object({ type: z.literal('answer-refused'), session: z.number(), reason: z.string() }),
  /** Files that changed meanwhile, and not provably by a session: they stay as they are, and are in no commit of the run's. */
  z.object({
    type: z.literal('edits-left'),
    /** `lane`: while tasks were worked on in lanes, nobody in this tree. */
    who: z.enum([...lookerSchema.options, 'lane']),
    /** New ones. */
    files: z.array(z.string()),
    /** Those that HEAD has otherwise. */
    changed: z.array(z.string()),
  }),
  /** A person took the changed ones into the open work. */
  z.object({ type: z.literal('edits-taken'), files: z.array(z.string()) }),
  /** A person gave what they changed in the run's own tree to a task that begins in a lane: it is there at its start. */
  z.object({
    type: z.literal('edits-given'),
    task: z.string(),
    files: z.array(z.string()),
    /** Commit of the rescue point that holds them, beside all else in that tree. */
    rescue: z.string(),
  }),
] as const;
