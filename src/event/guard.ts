// Facts about what pawl itself saw and did around a session.
import { z } from 'zod';
import { fileInRun } from './shapes.ts';

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
]);

/** `absorbed`: kept in a ref; its content goes into pawl's own commit. `allowed`: by a person's plan. */
export const responseSchema = z.enum(['absorbed', 'put-back', 'allowed', 'reported', 'refused']);

/** `interrupted`: cut off with the run; says nothing about the work. */
export const checkResultSchema = z.enum(['green', 'red', 'could-not-run', 'timed-out', 'interrupted']);

/**
 * `setup`: the command that sets up a working tree. `draft`: for a plan only drafted. `baseline`: on the untouched
 * tree. `after`: a turn. `verify`: on pawl's own commit. `fresh`: in a fresh checkout at the end. `proof`: of a
 * finding.
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
    name: z.string().optional(),
    when: checkWhenSchema,
    task: z.string().optional(),
    result: checkResultSchema,
    /** Null: ended by a signal, or not started. */
    exitCode: z.number().nullable(),
    durationMs: z.number(),
    log: fileInRun,
    /** Independent of times, paths and line numbers; absent when green. */
    fingerprint: z.string().optional(),
    /** The most telling line of its output, at most 160 characters, or its last three; absent when green or silent. */
    says: z.string().optional(),
    /** As its test runner says; absent if none spoke. */
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
    detail: z.string(),
    response: responseSchema,
    /** Ref or file with what was taken away. */
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
    detail: z.string(),
    /** The first such line, or its meaning. */
    quote: z.string().optional(),
  }),
  z.object({
    type: z.literal('tree-written'),
    task: z.string(),
    /** Tree T. */
    tree: z.string(),
    files: z.number(),
    insertions: z.number(),
    deletions: z.number(),
    /** A tree that only checks changed contains no work. */
    by: z.enum(['session', 'check', 'person']),
    /** No session changed anything since the task first started. */
    untouched: z.boolean(),
  }),
  z.object({
    type: z.literal('fresh-verified'),
    head: z.string(),
    /** `not-verified`: unknown, for `reason`. */
    result: z.enum(['green', 'red', 'not-verified']),
    /** Commands red in the checkout only. */
    red: z.array(z.string()),
    /** Commands that closed a task, red in both. */
    broken: z.array(z.string()).optional(),
    /**
     * Checks are red without the change of these files: definitions as at the run's start or, with `of`, tests as that
     * task left them. `by`: tasks that changed them without leave.
     */
    weakened: z
      .array(z.object({ file: z.string(), by: z.array(z.string()), of: z.string().optional() }))
      .optional(),
    /** A few files that the tree has and the commit lacks. */
    beside: z.array(z.string()),
    reason: z.string(),
  }),
  z.object({
    type: z.literal('files-made'),
    files: z.array(z.string()),
    /**
     * New files that are not work, and are never committed. `person`: plans for other work, written while the run was
     * stopped; `start`: changed inside submodules before the run; `beside`: appeared while reviewers or planners
     * worked; absent: while checks ran. `session`: some have become a session's work.
     */
    by: z.enum(['person', 'start', 'beside', 'session']).optional(),
  }),
  /** Out of the sandbox; emitted for each host at the 1st, 10th, 100th time, … */
  z.object({
    type: z.literal('egress-refused'),
    host: z.string(),
    port: z.number(),
    /** `host`: not listed. `address`: it resolves into a local network that is not listed. */
    why: z.enum(['host', 'address']),
    /** Since pawl's start. */
    times: z.number(),
  }),
  z.object({
    type: z.literal('rescue-saved'),
    /** Its work is taken out of the tree next; the following fact says that it was. */
    task: z.string().optional(),
    reason: z.string(),
    /** Commit on `refs/pawl/<run>/rescue`. */
    oid: z.string(),
    ref: z.string(),
    notHeld: z.array(z.object({ file: z.string(), why: z.string() })),
  }),
  z.object({
    type: z.literal('plan-edit-set-aside'),
    number: z.number(),
    /** Relative to the run folder. */
    file: z.string(),
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

/** As in “2 assertions fewer in test/a.js: assert.equal(a, b);”. */
export function sayTamper({ file, line, detail, quote }: TamperNote): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return `${detail} in ${place}${quote === undefined ? '' : `: ${quote}`}`;
}
