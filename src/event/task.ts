// Facts about one task, and what experiments over its work showed.
import { z } from 'zod';
import { outcomeKindSchema } from './session.ts';
import { byState, changeShape, fact } from './shapes.ts';

export const verdictSchema = z.enum([
  'close',
  'correct',
  'again',
  'replan',
  'wait',
  'park',
  'skip',
  'fail',
  'stop',
]);

/** A file that decides checks and is in no tree, and a digest of its content. */
const outsideSchema = z.object({ file: z.string(), digest: z.string() });

/**
 * `proven`: an own check was red before the work, or is red without it. `passed`: checks are green, no more is known.
 * `unchecked`: no check ran, or what ran proves nothing.
 */
const proofWordSchema = z.enum(['proven', 'passed', 'unchecked']);

export type ProofWord = z.infer<typeof proofWordSchema>;

/** How a task closes. `pending`: experiments follow, and till then no more than `passed` is known. */
const closedProof = {
  proof: proofWordSchema,
  /** `turnedGreen`: what they build on, a check of its own that was red before. */
  pending: z.object({ turnedGreen: z.boolean() }).exactOptional(),
};

/** Lines from 1. */
const spotSchema = z.object({ file: z.string(), from: z.number(), to: z.number() });

const experimentsSchema = z.object({
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

export const taskFacts = [
  fact('task-started', {
    task: z.string(),
    title: z.string(),
    /** Of the title, in which secrets are masked. */
    titleHash: z.string(),
    /** HEAD and tree T at the first start; a resumed task keeps them. */
    commit: z.string(),
    tree: z.string(),
    rescue: z.string(),
    /** Red before the work. */
    red: z.array(z.string()),
    /** Files that its checks called; `calledByOthers`: that only other tasks' checks did. */
    called: z.array(z.string()),
    calledByOthers: z.array(z.string()),
    outside: z.array(outsideSchema),
  }),
  fact('definitions-taken', {
    task: z.string(),
    /** Files that decide checks and that a person changed; `tree` has them so. */
    changed: z.array(z.string()),
    tree: z.string(),
  }),
  fact('attempt-started', {
    task: z.string(),
    /** From 1 within the task. */
    attempt: z.number(),
    reason: z.string(),
  }),
  fact('correction-sent', {
    task: z.string(),
    session: z.number(),
    kind: z.enum(['red', 'finished?', 'nothing-changed', 'ignored', 'runner', 'proof', 'conflict']),
    reason: z.string(),
  }),
  fact('round-ended', {
    task: z.string(),
    attempt: z.number(),
    verdict: verdictSchema,
    reason: z.string(),
    /** If the verdict is `park`. */
    question: z.string().optional(),
    /** Of what was red; equal for the same failure. */
    fingerprint: z.string().optional(),
    tree: z.string().optional(),
    outcome: outcomeKindSchema.optional(),
    /** False: no attempt was used up (a limit, an overload). */
    counts: z.boolean(),
  }),
  fact('stuck', {
    task: z.string(),
    why: z.string(),
    /**
     * `diagnose`: the next attempt must find the cause first. `escalate`: it gets the stronger model. `give-up`: none
     * follows.
     */
    step: z.enum(['diagnose', 'escalate', 'give-up']),
  }),
  fact('closing', {
    task: z.string(),
    parent: z.string(),
    /** T with the ticks. */
    tree: z.string(),
    key: z.string(),
    ...closedProof,
    summary: z.string(),
    reason: z.string(),
    /** Of the session, in case it is judged again after a crash. */
    outcome: outcomeKindSchema,
  }),
  fact('task-closed', {
    task: z.string(),
    oid: z.string(),
    /** In the commit's message, which a rebase keeps. */
    key: z.string(),
    ...closedProof,
    reason: z.string(),
    summary: z.string(),
    ...changeShape,
    /** Committed files that the task's `files:` does not name; absent if it names none, or all. */
    outside: z.array(z.string()).optional(),
    /** Committed files that no tool call and no `files:` named. */
    unnamed: z.array(z.string()).optional(),
    /** Its new and changed files by which programs of a person's machine run. */
    hostPrograms: z.array(z.string()).optional(),
    /** Committed files, at most ten; absent if nothing was red on the way. */
    mended: z.array(z.string()).optional(),
    /** As in `plan-read`, with the task's ticks: a plan with only that difference is not reported again. */
    planHash: z.string(),
  }),
  byState('undo', {
    started: {
      /** From here on it will be completed, after a kill by the next `pawl undo`. */
      task: z.string(),
      /** The run whose commit closed it. */
      closer: z.string(),
      /** Where it was: relative to the repository's root, or absolute if outside. */
      plan: z.string(),
      /** HEAD before. */
      head: z.string(),
      /** Of the tree before; `notHeld`: what it lacks. */
      rescue: z.string(),
      notHeld: z.array(z.object({ file: z.string(), why: z.string() })),
    },
    ended: { task: z.string() },
  }),
  fact('task-reopened', {
    task: z.string(),
    by: z.enum(['hand', 'undo']),
    detail: z.string(),
    /** As an undo left it; absent if another run continues. */
    tree: z.string().optional(),
    head: z.string().optional(),
  }),
  /** It waits for a person, or for its turn. */
  fact('task-set-aside', {
    task: z.string(),
    /** `parked`: for an answer. `open`: another task comes first; its next attempt brings its work back. */
    as: z.enum(['failed', 'parked', 'skipped', 'open']),
    /** If parked, the question. */
    reason: z.string(),
    /** Its work, if taken out of the tree so that others can go on. */
    rescue: z.string().optional(),
  }),
  fact('proof-judged', {
    task: z.string().exactOptional(),
    word: proofWordSchema,
    /** Sentences without a full stop. */
    reasons: z.array(z.string()),
    experiments: experimentsSchema.exactOptional(),
  }),
] as const;
