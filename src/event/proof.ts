// Facts about proof: what experiments over a task's work showed.
import { z } from 'zod';

/**
 * `proven`: an own check was red before the work, or is red without it. `passed`: checks are green, no more is known.
 * `unchecked`: no check ran, or what ran proves nothing.
 */
export const proofWordSchema = z.enum(['proven', 'passed', 'unchecked']);

export type ProofWord = z.infer<typeof proofWordSchema>;

/** How a task closes. `pending`: experiments follow, and till then no more than `passed` is known. */
export const closedProof = {
  proof: proofWordSchema,
  /** `turnedGreen`: what they build on, a check of its own that was red before. */
  pending: z.object({ turnedGreen: z.boolean() }).exactOptional(),
};

/** Lines from 1. */
const spotSchema = z.object({ file: z.string(), from: z.number(), to: z.number() });

export const experimentsSchema = z.object({
  /** In a clean ground. `flaky`: green, then red on the same files: nothing else here counts. */
  clean: z.enum(['green', 'red', 'flaky', 'not-tried']),
  /** Configuration without whose change the checks are red. */
  configs: z.array(z.string()),
  /** Old tests and fixtures without whose change the checks are red: an expectation no longer holds. */
  redefined: z.array(spotSchema),
  /** Changed tests: green even with garbage in their place. */
  deaf: z.array(z.string()),
  /** One more comment in the sources makes the checks red. */
  pinsText: z.boolean(),
  /**
   * The work's tests on the base. `load-only`: red there, but green while its functions fail or are comments.
   * `tests-alone`: nothing but new tests turned an own check green.
   */
  withoutWork: z.enum(['red', 'green', 'load-only', 'tests-alone', 'not-tried']),
  /** Changed tests, green without the work. */
  indifferent: z.array(z.string()),
  hunks: z.object({
    /** Taken back; `provenLines`: of them those without which a check is red. */
    lines: z.number(),
    provenLines: z.number(),
    unproven: z.array(spotSchema.extend({ executed: z.boolean().exactOptional() })),
    onlyRemoving: z.number(),
    withoutCode: z.number(),
    untried: z.number(),
  }),
  runs: z.number(),
  durationMs: z.number(),
  /** Why not everything was tried. */
  stopped: z.string().exactOptional(),
});

export const proofFacts = [
  z.object({
    type: z.literal('proof-judged'),
    task: z.string().exactOptional(),
    word: proofWordSchema,
    /** Sentences without a full stop. */
    reasons: z.array(z.string()),
    experiments: experimentsSchema.exactOptional(),
  }),
] as const;
