// Facts about the guard around reviewers and planners, who may change nothing: when it began, and what it found.
import { z } from 'zod';

export const watchFacts = [
  /**
   * Files that changed meanwhile, not provably because of a session: they stay as they are, and are in no commit of the
   * run's.
   */
  z.object({
    type: z.literal('edits-left'),
    /** `lane`: while tasks were worked on in lanes, and nobody worked in this tree. */
    who: z.enum(['lane']),
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
