// Facts about what pawl itself saw and did around a session: checks, restores, refusals, rescues.
import { z } from 'zod';
import { fileInRun } from './shapes.ts';

/** Something an agent did that is not its business. */
export const violationKindSchema = z.enum([
  'committed',
  'rewrote-history',
  'merge-in-progress',
  'switched-branch',
  'moved-ref',
  'stashed',
  'changed-git-config',
  'changed-hooks',
  'edited-plan',
  'ticked-plan',
  'removed-plan',
  'edited-check',
  'changed-user-file',
  'changed-tree',
  'pushed',
  'changed-worktree',
  'expired-reflog',
  'left-process',
  'nested-repository',
]);

/** `absorbed`: kept in a ref; its content goes into pawl's own commit. `allowed`: a person's plan lets it. */
export const responseSchema = z.enum(['absorbed', 'put-back', 'allowed', 'reported', 'refused']);

/** `interrupted`: cut off together with the run; says nothing about the work. */
export const checkResultSchema = z.enum(['green', 'red', 'could-not-run', 'timed-out', 'interrupted']);

/**
 * When a check ran: as the command that sets up a working tree, in a fresh lane, for a plan that is only drafted, on the
 * untouched tree, before the task, after a turn, on pawl's own commit, at the end, in a fresh checkout at the end,
 * or as the proof of a finding.
 */
export const checkWhenSchema = z.enum([
  'setup',
  'lane',
  'draft',
  'baseline',
  'before',
  'after',
  'verify',
  'at-end',
  'fresh',
  'proof',
]);

export const guardFacts = [
  z.object({
    type: z.literal('check-started'),
    check: z.string(),
    command: z.string(),
    when: checkWhenSchema,
    task: z.string().optional(),
  }),
  z.object({
    type: z.literal('check-ended'),
    check: z.string(),
    command: z.string(),
    /** Its short name in the plan. */
    name: z.string().optional(),
    when: checkWhenSchema,
    task: z.string().optional(),
    result: checkResultSchema,
    /** Null if it was ended by a signal or did not start. */
    exitCode: z.number().nullable(),
    durationMs: z.number(),
    /** File with the whole output, relative to the run folder. */
    log: fileInRun,
    /** Independent of times, paths and line numbers; absent when green. */
    fingerprint: z.string().optional(),
    /** The most telling line of its output, at most 160 characters, or its last three; absent when green or silent. */
    says: z.string().optional(),
    /** What its test runner says it ran; absent if none spoke. */
    tests: z.object({ passed: z.number(), failed: z.number(), skipped: z.number() }).optional(),
    /** Red before the work with the same fingerprint. */
    alreadyRed: z.boolean().optional(),
    /** `(known red)`: excused by the plan. */
    knownRed: z.boolean().optional(),
  }),
  z.object({
    type: z.literal('act-found'),
    task: z.string().optional(),
    session: z.number().optional(),
    act: violationKindSchema,
    /** What exactly, in words: a ref, a key, a file. */
    detail: z.string(),
    response: responseSchema,
    /** Ref or file where what was taken away is now. */
    kept: z.string().optional(),
    /** The branch it was done on, if not the run's. */
    branch: z.string().optional(),
  }),
  z.object({
    type: z.literal('file-refused'),
    task: z.string().optional(),
    file: z.string(),
    why: z.enum([
      'secret-name',
      'secret-content',
      'too-big',
      'nested-repository',
      'dirty-submodule',
      'special-file',
      'git-refuses',
      'ignored',
      'installed',
      'host-program',
    ]),
    detail: z.string(),
  }),
  z.object({
    type: z.literal('tamper-noted'),
    task: z.string(),
    file: z.string(),
    line: z.number().optional(),
    /** What was taken away, or added, there. */
    detail: z.string(),
    /** The first such line, or what it means. */
    quote: z.string().optional(),
  }),
  z.object({
    type: z.literal('tree-written'),
    task: z.string(),
    /** Object id of tree T. */
    tree: z.string(),
    files: z.number(),
    insertions: z.number(),
    deletions: z.number(),
    /** Who made it what it is. A tree that only checks changed contains no work. */
    by: z.enum(['session', 'check', 'person']),
    /** True while no session has changed anything since the task first started. */
    untouched: z.boolean(),
  }),
  /** New files that are not work, and are never committed. */
  z.object({
    type: z.literal('fresh-verified'),
    /** The commit that was checked out. */
    head: z.string(),
    /** `not-verified`: unknown, for the given reason. */
    result: z.enum(['green', 'red', 'not-verified']),
    /** Commands that are green in the run's tree and red in the checkout. */
    red: z.array(z.string()),
    /** Commands that closed a task, and are red in both. */
    broken: z.array(z.string()).optional(),
    /**
     * Files without whose change the checks are red: definitions as they were at the run's start, or, with `of`, tests as that
     * task left them. `by`: the tasks that changed them without leave.
     */
    weakened: z
      .array(z.object({ file: z.string(), by: z.array(z.string()), of: z.string().optional() }))
      .optional(),
    /** A few of the files that the run's tree has and the commit has not. */
    beside: z.array(z.string()),
    reason: z.string(),
  }),
  z.object({
    type: z.literal('files-made'),
    files: z.array(z.string()),
    /**
     * `person`: plans for other work, written while the run was stopped; `start`: changed inside submodules before the run;
     * absent: they appeared while checks ran; `beside`: while reviewers or planners worked. `session`: some have since become
     * a session's work.
     */
    by: z.enum(['person', 'start', 'beside', 'session']).optional(),
  }),
  /** A connection out of the sandbox was refused; emitted once for each host, and again at the 10th time, the 100th, … */
  z.object({
    type: z.literal('egress-refused'),
    host: z.string(),
    port: z.number(),
    /** `host`: it is not on the list. `address`: it resolves to an address in a local network, which is not on the list. */
    why: z.enum(['host', 'address']),
    /** How often so far, since pawl's start. */
    times: z.number(),
  }),
  z.object({
    type: z.literal('rescue-saved'),
    /** The task whose work is taken out of the tree next; the fact that follows says that it was. */
    task: z.string().optional(),
    reason: z.string(),
    /** Commit on `refs/pawl/<run>/rescue`. */
    oid: z.string(),
    ref: z.string(),
    /** Files the rescue does not hold, with the reason in words. */
    notHeld: z.array(z.object({ file: z.string(), why: z.string() })),
  }),
  z.object({
    type: z.literal('plan-edit-set-aside'),
    number: z.number(),
    /** Relative to the run folder. */
    file: z.string(),
    /** What the edit was, in words. */
    detail: z.string(),
    session: z.number().optional(),
  }),
] as const;

type TamperNote = Readonly<{
  file: string;
  line?: number | undefined;
  detail: string;
  quote?: string | undefined;
}>;

/** A note of what a work takes from tests, checkers and definitions, in words, as in “2 assertions fewer in test/a.js: assert.equal(a, b);”. */
export function sayTamper({ file, line, detail, quote }: TamperNote): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return `${detail} in ${place}${quote === undefined ? '' : `: ${quote}`}`;
}
