// Facts about one task's life: attempts, corrections, the closing protocol, and how it ended.
import { z } from 'zod';
import { proofWordSchema } from './proof.ts';
import { outcomeKindSchema } from './session.ts';
import { byState } from './shapes.ts';

/** What a round concluded. */
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

export const taskFacts = [
  z.object({
    type: z.literal('task-started'),
    task: z.string(),
    title: z.string(),
    /** HEAD and tree T when the task first started; a resumed task keeps them. */
    commit: z.string(),
    tree: z.string(),
    rescue: z.string(),
    /** Task checks that were already green before the work: vacuous. */
    vacuous: z.array(z.string()),
    /** Task checks that were red before the work. */
    red: z.array(z.string()),
    /** Files that its checks called, and those that only the checks of other tasks did. */
    called: z.array(z.string()),
    calledByOthers: z.array(z.string()),
    /** What decides checks outside of the tree. */
    outside: z.array(outsideSchema),
  }),
  z.object({
    type: z.literal('definitions-taken'),
    task: z.string(),
    /** What a person changed of the files that decide checks. */
    changed: z.array(z.string()),
    /** The tree that has them as the person left them. */
    tree: z.string(),
  }),
  z.object({
    type: z.literal('attempt-started'),
    task: z.string(),
    /** Counts from 1 within the task. */
    attempt: z.number(),
    reason: z.string(),
  }),
  z.object({
    type: z.literal('correction-sent'),
    task: z.string(),
    session: z.number(),
    kind: z.enum(['red', 'finished?', 'nothing-changed', 'ignored', 'runner', 'proof', 'conflict']),
    reason: z.string(),
  }),
  z.object({
    type: z.literal('round-ended'),
    task: z.string(),
    attempt: z.number(),
    verdict: verdictSchema,
    /** Why, in words a person can read. */
    reason: z.string(),
    /** What a person is asked, if the verdict is `park`. */
    question: z.string().optional(),
    /** Of what was red; equal for the same failure. */
    fingerprint: z.string().optional(),
    tree: z.string().optional(),
    /** How its session ended. */
    outcome: outcomeKindSchema.optional(),
    /** False if the round does not count as an attempt (a limit, an overload). */
    counts: z.boolean(),
  }),
  /** Attempts lead to nothing new. */
  z.object({
    type: z.literal('stuck'),
    task: z.string(),
    /** What repeats, in words. */
    why: z.string(),
    /** What follows: the next attempt must find the cause first, gets the stronger model, or there is none. */
    step: z.enum(['diagnose', 'escalate', 'give-up']),
  }),
  z.object({
    type: z.literal('closing'),
    task: z.string(),
    parent: z.string(),
    /** The commit's tree: T with the ticks. */
    tree: z.string(),
    key: z.string(),
    proof: proofWordSchema,
    summary: z.string(),
    /** Why it counts as closed, in words. */
    reason: z.string(),
    /** How the session ended, in case it is judged again after a crash. */
    outcome: outcomeKindSchema,
  }),
  z.object({
    type: z.literal('task-closed'),
    task: z.string(),
    oid: z.string(),
    /** The close key in the commit's message, which a rebase keeps. */
    key: z.string(),
    proof: proofWordSchema,
    reason: z.string(),
    summary: z.string(),
    files: z.number(),
    insertions: z.number(),
    deletions: z.number(),
    /** Files of the commit that the task's `files:` does not name; absent if it names none, or all of them. */
    outside: z.array(z.string()).optional(),
    /** Files of the commit that no tool call of the task's sessions named, nor its `files:`. */
    unnamed: z.array(z.string()).optional(),
    /** New and changed files of the commit by which programs of a person's machine run. */
    hostPrograms: z.array(z.string()).optional(),
    /** Files of the commit, at most ten; absent if nothing was red on the way to it. */
    mended: z.array(z.string()).optional(),
    /**
     * Hash of the plan's text with the task's ticks, as in `plan-read`: a plan with only that difference is not reported
     * again.
     */
    planHash: z.string().optional(),
  }),
  byState('undo', {
    started: {
      /** An undo begins: from here on it will be completed, if need be by the next `pawl undo` after a kill. */
      task: z.string(),
      /** The run whose commit closed it. */
      closer: z.string(),
      /** Where the plan was: relative to the repository's root, or absolute if outside. */
      plan: z.string(),
      /** HEAD before. */
      head: z.string(),
      /** Rescue commit of the tree before, and what it does not hold. */
      rescue: z.string(),
      notHeld: z.array(z.object({ file: z.string(), why: z.string() })),
    },
    ended: { task: z.string() },
  }),
  z.object({
    type: z.literal('task-reopened'),
    task: z.string(),
    by: z.enum(['hand', 'undo']),
    detail: z.string(),
    /** Tree of the working tree as an undo left it, for the next start of this run; absent if another run continues. */
    tree: z.string().optional(),
    /** HEAD as that undo left it. */
    head: z.string().optional(),
  }),
  /** Nobody works on it any more: it waits for a person, or for its turn. */
  z.object({
    type: z.literal('task-set-aside'),
    task: z.string(),
    /** `parked`: it waits for an answer. `open`: another task comes first, and its next attempt brings its work back. */
    as: z.enum(['failed', 'parked', 'skipped', 'open']),
    /** Why; what a person is asked, if it is parked. */
    reason: z.string(),
    /** Rescue commit of its work, if that was taken out of the tree so that other tasks can go on. */
    rescue: z.string().optional(),
  }),
] as const;
