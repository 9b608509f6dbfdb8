// Facts about a run as a whole: its start, its branch and plan, its waits, its end.
import { z } from 'zod';

import { planningAskedSchema } from './dialogue.ts';
import { groundSchema, groundShape } from './ground.ts';

/** The last instant that a Date can hold, epoch milliseconds: a wait until then has no end. */
export const lastInstant = 8.64e15;

/** One reason for an exit code, in words. */
export const endReasonSchema = z.object({
  exit: z.number(),
  code: z.string(),
  text: z.string(),
  /** What to do about it. */
  hint: z.string().optional(),
});

export type EndReason = z.infer<typeof endReasonSchema>;

/** How much was changed. */
const changeSchema = z.object({ files: z.number(), insertions: z.number(), deletions: z.number() });

/** What `pawl review` was asked for. Asking for the same again continues it. */
export const reviewAskedSchema = z.object({
  /** The commit from which the diff is taken. */
  base: z.string(),
  /** Names of stages, in order; absent: those that are configured. */
  stages: z.array(z.string()).optional(),
  /** Relative to the repository's root, or absolute; absent if there is none. */
  plan: z.string().optional(),
  /** Nothing is changed. */
  reportOnly: z.boolean(),
  /** Proofs are run, and only what they confirm counts. */
  prove: z.boolean().optional(),
  /** No reviewer is asked: what people say about the branch's request is answered. */
  answers: z.boolean().optional(),
});

export type ReviewAsked = Readonly<z.infer<typeof reviewAskedSchema>>;
/** A worktree that pawl made for one run. */
const ownWorktreeSchema = z.object({
  /** Its real, absolute path. */
  path: z.string(),
  /** Root of the working tree the run was started from, whose untracked files were copied. */
  from: z.string(),
  /** Value of `PAWL_PORT_OFFSET` in it, unique among the repository's trees at any time. */
  portOffset: z.number(),
});

export type OwnWorktree = Readonly<z.infer<typeof ownWorktreeSchema>>;

/** `setup`: the command of `worktree.setup`. */
const phaseSchema = z.enum([
  ...(['setup', 'baseline', 'tasks', 'at-end', 'review', 'finalize', 'archive', 'publish', 'plan'] as const),
]);

export const runFacts = [
  z.object({
    type: z.literal('run-started'),
    run: z.string(),
    pawl: z.string(),
    /** Relative to the repository's root, or absolute if the plan is outside. */
    plan: z.string(),
    /** The link by which a person named it, in the same form as `plan`; absent if there was none. */
    planLink: z.string().optional(),
    title: z.string(),
    /** `tracked`: ticked in the commits. `outside`: ignored or not in the repository, ticked in place. */
    planPlace: z.enum(['tracked', 'outside']),
    branch: z.string(),
    /** HEAD when the run started, before pawl's own commits. */
    base: z.string(),
    /** Untracked files, not ignored, that are the user's and are never committed. */
    untracked: z.array(z.string()),
    ...groundShape,
    /** Only a review, as it was asked for; absent: the plan is run. */
    review: reviewAskedSchema.optional(),
    /** Only a plan is made; `plan` is then the text of the request. */
    planning: planningAskedSchema.optional(),
    /** Absent: the run works where it was started. */
    worktree: ownWorktreeSchema.optional(),
  }),
  z.object({
    type: z.literal('run-resumed'),
    /** Which run of which plan, as in `run-started`: a program may begin to listen only here. */
    run: z.string().optional(),
    plan: z.string().optional(),
    pawl: z.string(),
    /** `drain`: the fleet worker that it worked for was ended, and nobody has looked at it. */
    after: z.enum(['stop', 'crash', 'drain']),
    /** Work found in the tree that belongs to the open attempt. */
    dirt: z.array(z.string()),
    /** A new worktree, since that of the last start is gone. */
    worktree: ownWorktreeSchema.optional(),
    /** Replaces what `run-started` says; absent: unknown whether it is the same. */
    ground: groundSchema.optional(),
  }),
  z.object({
    type: z.literal('plan-read'),
    /** SHA-256 of its bytes. */
    hash: z.string(),
    /** Commands of the checks that run for every task. */
    checks: z.array(z.string()).optional(),
    tasks: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        closed: z.boolean(),
        steps: z.number(),
        manual: z.array(z.string()),
        /** Open optional steps. */
        optional: z.array(z.string()).optional(),
        /** Commands of the task's own checks. */
        checks: z.array(z.string()).optional(),
        /** Globs of the files that it names as its own; absent: it names none. */
        files: z.array(z.string()).optional(),
        /** What a person says of it, whose words give leave to change what decides checks; absent if that is unchanged. */
        leave: z.object({ files: z.array(z.string()), text: z.string() }).optional(),
      }),
    ),
    /** Open boxes that no task tracks, being outside of all or none to markdown: their words and lines. */
    outside: z.array(z.object({ text: z.string(), line: z.number() })).optional(),
  }),
  z.object({ type: z.literal('branch-created'), branch: z.string(), from: z.string() }),
  z.object({ type: z.literal('plan-committed'), oid: z.string(), plan: z.string() }),
  z.object({
    type: z.literal('phase'),
    phase: phaseSchema,
    state: z.enum(['started', 'ended']),
    /** Why it ended. */
    reason: z.string().exactOptional(),
    /** Of the baseline: commands of checks that a person excuses for this run. */
    knownRed: z.array(z.string()).exactOptional(),
  }),
  z.object({
    type: z.literal('waiting'),
    /** `answer`: a person's, to a task that asks; not counted as the run's time. `ci`: of the pushed commit. */
    why: z.enum(['limit', 'overload', 'crash', 'answer', 'ci']),
    /** Epoch milliseconds. */
    until: z.number(),
    text: z.string(),
    /** Whose sessions wait; absent: all. */
    agents: z.array(z.string()).optional(),
  }),
  z.object({ type: z.literal('waited'), how: z.enum(['time', 'person', 'interrupted']) }),
  z.object({
    /**
     * A person discards the run: from here on this will be completed, if need be by the next `pawl discard` after a kill.
     */
    type: z.literal('discard-started'),
    branch: z.string(),
    /** Its commit, and where it goes back to; absent: it is already gone, or is deleted because the run created it. */
    head: z.string().optional(),
    back: z.string().optional(),
    /** What becomes of the work tree that has the branch checked out. */
    tree: z.object({ rescue: z.string(), onto: z.string().optional(), keep: z.array(z.string()) }).optional(),
    /** Rescue commit of uncommitted work; absent if there was none. */
    uncommitted: z.string().optional(),
  }),
  z.object({
    type: z.literal('plan-archived'),
    /** Announced before the plan is moved, so that a restart can finish the move. */
    state: z.enum(['announced', 'done']),
    from: z.string(),
    to: z.string(),
    oid: z.string().optional(),
  }),
  z.object({ type: z.literal('noticed'), code: z.string(), text: z.string() }),
  z.object({
    type: z.literal('run-ended'),
    exit: z.number(),
    reasons: z.array(endReasonSchema),
    /** The same command can continue. */
    retryable: z.boolean(),
    /** All tasks closed and the last phase ended: the next `run` is a new one. */
    finished: z.boolean(),
    /** Tree of the working tree as it was left, for the next start. */
    tree: z.string().optional(),
    head: z.string().optional(),
    /** What the run's commits changed in total, apart from the plan's file; absent if not determined. */
    difference: changeSchema.optional(),
    /** The same for uncommitted changes in its tree; absent: none, or not determined. */
    uncommitted: changeSchema.optional(),
    /** Files in it that the tree does not hold, since they are not committed; absent: none. */
    refused: z.array(z.string()).optional(),
  }),
] as const;
