// Facts about a run as a whole.
import { z } from 'zod';
import { planningAskedSchema } from './planning.ts';
import { changeShape, fact, keysOf } from './shapes.ts';
import { waits } from './waits.ts';

/** The last instant of a Date, epoch milliseconds: a wait until then has no end. */
export const lastInstant = 8.64e15;

export const endReasonSchema = z.object({
  exit: z.number(),
  code: z.string(),
  text: z.string(),
  hint: z.string().optional(),
});

export type EndReason = z.infer<typeof endReasonSchema>;

const changeSchema = z.object(changeShape);

/** Asking `pawl review` for the same again continues it. */
export const reviewAskedSchema = z.object({
  base: z.string(),
  /** In order; absent: as configured. */
  stages: z.array(z.string()).optional(),
  /** Relative to the repository's root, or absolute; absent: none. */
  plan: z.string().optional(),
  reportOnly: z.boolean(),
  /** Only what proofs confirm counts. */
  prove: z.boolean().optional(),
  /** No reviewer is asked: comments on the request are answered. */
  answers: z.boolean().optional(),
});

export type ReviewAsked = Readonly<z.infer<typeof reviewAskedSchema>>;
/** A worktree that pawl made for one run. */
export const ownWorktreeSchema = z.object({
  /** Real, absolute. */
  path: z.string(),
  /** Root of the working tree where the run was started; its untracked files were copied. */
  from: z.string(),
  /** `PAWL_PORT_OFFSET` in it, unique among the repository's trees at any time. */
  portOffset: z.number(),
});

export type OwnWorktree = Readonly<z.infer<typeof ownWorktreeSchema>>;

/** What a start works with, each start of a run its own. */
export const groundSchema = z.object({
  agent: z.string(),
  model: z.string().optional(),
  permissions: z.string().optional(),
  /** Absent: on this machine itself. */
  sandbox: z.enum(['docker', 'process']).optional(),
  /** Most tasks worked on at once; absent: one. */
  jobs: z.number().optional(),
  /** Stages after the tasks; absent: no review. */
  reviews: z.array(z.string()).optional(),
  /** About how many sessions, without and with something to fix. */
  reviewSessions: z.object({ quiet: z.number(), withFixes: z.number() }).optional(),
  billing: z.string(),
  trusted: z.boolean(),
  /** The caller's OpenTelemetry span. */
  traceparent: z.string().optional(),
  /** Command-line words that the run does not remember, to be repeated when it is continued. */
  flags: z.array(z.string()).optional(),
});

export type GroundFields = Readonly<z.infer<typeof groundSchema>>;

/** `setup`: the command of `worktree.setup`. */
const phaseSchema = z.enum([
  ...(['setup', 'baseline', 'tasks', 'at-end', 'review', 'finalize', 'archive', 'publish', 'plan'] as const),
]);

export const runFacts = [
  fact('run-started', {
    run: z.string(),
    pawl: z.string(),
    /** Relative to the repository's root, or absolute if outside. */
    plan: z.string(),
    /** The link that a person named, in the form of `plan`. */
    planLink: z.string().optional(),
    title: z.string(),
    /** `tracked`: ticked in commits. `outside`: ignored or not in the repository, ticked in place. */
    planPlace: z.enum(['tracked', 'outside']),
    branch: z.string(),
    /** HEAD before pawl's own commits. */
    base: z.string(),
    /** The user's, not ignored, never committed. */
    untracked: z.array(z.string()),
    ground: groundSchema,
    /** Only a review; absent: the plan is run. */
    review: reviewAskedSchema.optional(),
    /** Only a plan is made; `plan` is then the request's text. */
    planning: planningAskedSchema.optional(),
    /** Absent: the run works where it was started. */
    worktree: ownWorktreeSchema.optional(),
  }),
  fact('run-resumed', {
    /** As in `run-started`: a program may begin to listen only here. */
    run: z.string(),
    plan: z.string(),
    pawl: z.string(),
    /** `drain`: its fleet worker was ended, and nobody has looked. */
    after: z.enum(['stop', 'crash', 'drain']),
    /** Work found in the tree that belongs to the open attempt. */
    dirt: z.array(z.string()),
    /** New: that of the last start is gone. */
    worktree: ownWorktreeSchema.optional(),
    /** Replaces what `run-started` says. */
    ground: groundSchema,
  }),
  fact('plan-read', {
    /** SHA-256 of its bytes. */
    hash: z.string(),
    /** Commands that run for every task. */
    checks: z.array(z.string()),
    tasks: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        closed: z.boolean(),
        steps: z.number(),
        manual: z.array(z.string()),
        /** Open optional steps. */
        optional: z.array(z.string()).optional(),
        /** Commands of its own checks. */
        checks: z.array(z.string()).optional(),
        /** Globs of the files that it names as its own; absent: none. */
        files: z.array(z.string()).optional(),
        /** A person's words, which give leave to change what decides checks; absent if unchanged. */
        leave: z.object({ files: z.array(z.string()), text: z.string() }).optional(),
      }),
    ),
    /** Open boxes that no task tracks. */
    outside: z.array(z.object({ text: z.string(), line: z.number() })).optional(),
  }),
  fact('branch-created', { branch: z.string(), from: z.string() }),
  fact('plan-committed', { oid: z.string(), plan: z.string() }),
  fact('phase', {
    phase: phaseSchema,
    state: z.enum(['started', 'ended']),
    reason: z.string().exactOptional(),
    /** Of the baseline: commands of checks that a person excuses for this run. */
    knownRed: z.array(z.string()).exactOptional(),
  }),
  fact('waiting', {
    /** `ci`: of the pushed commits. `comments`: on the request. */
    why: keysOf(waits),
    /** Epoch milliseconds. */
    until: z.number(),
    text: z.string(),
    /** Whose sessions wait; absent: all. */
    agents: z.array(z.string()).optional(),
  }),
  fact('waited', { how: z.enum(['time', 'person', 'interrupted']) }),
  fact('plan-archived', {
    /** Announced before the plan is moved, so that a restart can finish. */
    state: z.enum(['announced', 'done']),
    from: z.string(),
    to: z.string(),
    oid: z.string().optional(),
  }),
  fact('noticed', { code: z.string(), text: z.string() }),
  fact('run-ended', {
    exit: z.number(),
    reasons: z.array(endReasonSchema),
    /** All tasks closed and the last phase ended: the next `run` is a new one. */
    finished: z.boolean(),
    /** Working tree as left, for the next start. */
    tree: z.string().optional(),
    head: z.string().optional(),
    /** By the run's commits, without the plan; absent if not determined. */
    difference: changeSchema.optional(),
    /** Uncommitted changes in its tree; absent: none, or not determined. */
    uncommitted: changeSchema.optional(),
    /** Uncommitted files that `tree` does not hold. */
    refused: z.array(z.string()).optional(),
  }),
] as const;
