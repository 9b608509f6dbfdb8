// Facts about what pawl itself saw and did around a session.
import { z } from 'zod';
import { changeShape, fact, fileInRun, keysOf } from './shapes.ts';

/** What an agent did that is not its business, in words. */
export const acts = {
  committed: 'There were commits that pawl did not make',
  'rewrote-history': 'History was rewritten',
  'merge-in-progress': 'A merge or rebase was left in progress',
  'switched-branch': 'The branch was switched',
  'moved-ref': 'A branch or tag was moved',
  stashed: 'The stash was changed',
  'changed-git-config': 'The git configuration was changed',
  'changed-hooks': 'Git hooks were changed',
  'edited-plan': 'The plan was edited',
  'ticked-plan': 'Boxes of the plan were ticked',
  'removed-plan': 'The plan was removed',
  'edited-check': 'A file that a check depends on was changed',
  'changed-user-file': 'A file of yours was changed or removed',
  'changed-tree': 'Files changed while no session worked in this tree',
  pushed: 'Something was pushed to a remote',
  'changed-worktree': 'Another working tree of the repository was changed',
  'expired-reflog': 'The history of where HEAD was is shorter',
  'left-process': 'A process was left running',
} as const;

/** `absorbed`: kept in a ref; its content goes into pawl's own commit. `allowed`: by a person's plan. */
export const responses = {
  absorbed: 'their content goes into pawl’s commit',
  'put-back': 'put back',
  allowed: 'allowed, so it stays',
  reported: 'left as it is',
  refused: 'the attempt fails',
} as const;

/** Why a file is not committed, and what to do. */
export const refusals = {
  'secret-name': ['its name looks like a secret’s', 'Ignore it, or list it in commit.include'],
  'secret-content': [
    'it contains what looks like a secret',
    'Remove the secret, or list the file in commit.include',
  ],
  'too-big': ['it is too big', 'Make it smaller, ignore it, or list it in commit.include'],
  'nested-repository': ['it is inside a nested repository', 'Remove its .git folder, or ignore it'],
  'dirty-submodule': ['it is a submodule with uncommitted changes', 'Commit inside the submodule'],
  'special-file': ['it is no longer a regular file', 'Make it a regular file again, or remove it'],
  'git-refuses': ['git refuses it', 'See what .gitattributes says about it'],
  ignored: ['git ignores it', 'If the work needs it, change the ignore rule and commit it'],
  installed: ['it was installed, not written', 'Ignore it, or list it in commit.include'],
  'host-program': [
    'it makes a program of this machine run',
    'Name it under `files:` in the plan, or list it in commit.include',
  ],
} as const;

/** `interrupted`: cut off with the run; says nothing about the work. */
export const checkResultSchema = z.enum(['green', 'red', 'could-not-run', 'timed-out', 'interrupted']);

/**
 * `setup`: the command that sets up a working tree. `draft`: for a plan only drafted. `baseline`: on the untouched
 * tree. `after`: a turn. `verify`: on pawl's own commit. `fresh`: in a fresh checkout at the end. `proof`: of a
 * finding.
 */
export const checkTimes = {
  setup: '',
  lane: 'in a lane',
  draft: 'before any work',
  baseline: 'on the untouched tree',
  before: 'before task',
  after: '',
  verify: 'on the commit',
  'at-end': 'at the end',
  fresh: 'in a fresh checkout',
  proof: 'as a finding’s proof',
} as const;

const checkWhenSchema = keysOf(checkTimes);

export const guardFacts = [
  fact('check-started', {
    check: z.string(),
    command: z.string(),
    when: checkWhenSchema,
    task: z.string().optional(),
  }),
  fact('check-ended', {
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
  fact('act-found', {
    task: z.string().optional(),
    session: z.number().optional(),
    act: keysOf(acts),
    detail: z.string(),
    response: keysOf(responses),
    /** Ref or file with what was taken away. */
    kept: z.string().optional(),
    /** The branch it was done on, if not the run's. */
    branch: z.string().optional(),
  }),
  fact('file-refused', {
    task: z.string().optional(),
    file: z.string(),
    why: keysOf(refusals),
    detail: z.string(),
  }),
  fact('tamper-noted', {
    task: z.string(),
    file: z.string(),
    line: z.number().optional(),
    detail: z.string(),
    /** The first such line, or its meaning. */
    quote: z.string().optional(),
  }),
  fact('tree-written', {
    task: z.string(),
    /** Tree T. */
    tree: z.string(),
    ...changeShape,
    /** A tree that only checks changed contains no work. */
    by: z.enum(['session', 'check', 'person']),
    /** No session changed anything since the task first started. */
    untouched: z.boolean(),
  }),
  fact('fresh-verified', {
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
  fact('files-made', {
    files: z.array(z.string()),
    /**
     * New files that are not work, and are never committed. `person`: plans for other work, written while the run was
     * stopped; `start`: changed inside submodules before the run, or what pawl prints into; `beside`: appeared while
     * reviewers or planners worked; absent: while checks ran. `session`: some have become a session's work.
     */
    by: z.enum(['person', 'start', 'beside', 'session']).optional(),
  }),
  /** Out of the sandbox; emitted for each host at the 1st, 10th, 100th time, … */
  fact('egress-refused', {
    host: z.string(),
    port: z.number(),
    /** `host`: not listed. `address`: it resolves into a local network that is not listed. */
    why: z.enum(['host', 'address']),
    /** Since pawl's start. */
    times: z.number(),
  }),
  fact('rescue-saved', {
    /** Its work is taken out of the tree next; the following fact says that it was. */
    task: z.string().optional(),
    reason: z.string(),
    /** Commit on `refs/pawl/<run>/rescue`. */
    oid: z.string(),
    ref: z.string(),
    notHeld: z.array(z.object({ file: z.string(), why: z.string() })),
  }),
  fact('plan-edit-set-aside', {
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
