// Facts about proof: what experiments over a task's work showed, and the word that follows from it.
import { z } from 'zod';

/**
 * `proven`: a check of its own was red before the work, or its checks miss the work if it is taken away. `passed`: its checks
 * are green, and nothing more is known. `unchecked`: no check ran, or what ran proves nothing.
 */
export const proofWordSchema = z.enum(['proven', 'passed', 'unchecked']);

export type ProofWord = z.infer<typeof proofWordSchema>;

/** Lines of a file, counted from 1. */
const spotSchema = z.object({ file: z.string(), from: z.number(), to: z.number() });

export const experimentsSchema = z.object({
  /** The checks on the work in a clean ground. `flaky`: green, then red on the same files: nothing else here counts. */
  clean: z.enum(['green', 'red', 'flaky', 'not-tried']),
  /** Configuration files without whose change the checks are red. */
  configs: z.array(z.string()),
  /** Old tests and fixtures without whose change the checks are red: an old expectation no longer holds. */
  redefined: z.array(spotSchema),
  /** Changed tests that decide nothing: the checks are green with garbage in their place. */
  deaf: z.array(z.string()),
  /** A comment more in the sources makes the checks red. */
  pinsText: z.boolean(),
  /** The checks on the base's sources with the work's tests. */
  withoutWork: z.enum(['red', 'green', 'not-tried']),
  /** Changed tests that are green without the work. */
  indifferent: z.array(z.string()),
  hunks: z.object({
    /** Those that were taken back, and those of them that a check missed. */
    lines: z.number(),
    provenLines: z.number(),
    unproven: z.array(spotSchema.extend({ executed: z.boolean().exactOptional() })),
    onlyRemoving: z.number(),
    withoutCode: z.number(),
    untried: z.number(),
  }),
  /** Runs of all checks, and how long they took together. */
  runs: z.number(),
  durationMs: z.number(),
  /** Why not everything was tried, in words; absent if it was. */
  stopped: z.string().exactOptional(),
});

export const proofFacts = [
  z.object({
    type: z.literal('proof-judged'),
    task: z.string().exactOptional(),
    word: proofWordSchema,
    /** Why, in sentences without a full stop. */
    reasons: z.array(z.string()),
    experiments: experimentsSchema.exactOptional(),
  }),
] as const;
