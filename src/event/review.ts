// Facts about the review, other work besides the plan's tasks, a run's pull or merge request, and what CI and people say
// about it.
import { z } from 'zod';
import { severitySchema } from './finding.ts';
import { byState, fact } from './shapes.ts';

/**
 * `settled`: only minor opinions, or ones rejected with a reason, are left. `open`: something is left to a person.
 * `skipped`: optional, and could not begin.
 */
export const stageEndSchema = z.enum(['clean', 'settled', 'open', 'incomplete', 'over-budget', 'skipped']);

export type StageEnd = z.infer<typeof stageEndSchema>;

/** `fixing`: a session is given what is red; the others are ends. */
const ciStateSchema = z.enum(['fixing', 'green', 'flaky', 'red', 'none', 'gave-up']);

/** Which round; from 1 within the stage. */
const roundShape = { stage: z.string(), round: z.number() };
const proofShape = z.object({ command: z.string(), patch: z.string() });

export const reviewFacts = [
  byState('stage', {
    started: {
      stage: z.string(),
      reviewers: z.array(z.string()),
      /** At most. */
      rounds: z.number(),
      optional: z.boolean(),
      /** The commit that the reviewed diff is from. */
      base: z.string(),
    },
    ended: {
      stage: z.string(),
      end: stageEndSchema,
      reason: z.string(),
      /** Findings open or disputed. */
      open: z.array(z.string()),
    },
  }),
  byState('review-round', {
    started: {
      ...roundShape,
      head: z.string(),
      /** The branch of a stack whose request the findings are about; absent: none, or the run's. */
      layer: z.string().exactOptional(),
    },
    ended: {
      ...roundShape,
      verdict: z.enum(['again', 'end']),
      end: stageEndSchema.optional(),
      reason: z.string(),
      head: z.string(),
    },
  }),
  byState('opinion', {
    given: {
      ...roundShape,
      reviewer: z.string(),
      /** Absent: nobody was asked, as by CI. */
      session: z.number().optional(),
      /** The stage in which it had answered about this very commit, and was not asked again. */
      from: z.string().optional(),
      findings: z.array(
        z.object({
          file: z.string(),
          /** From 1; 0: the whole file. */
          line: z.number(),
          severity: severitySchema,
          title: z.string(),
          evidence: z.string(),
          suggestion: z.string(),
          proof: proofShape,
          /** Unique in the run, e.g. `F3`; kept when raised again. */
          id: z.string(),
          /** The line's text, trimmed. */
          anchor: z.string(),
          fingerprint: z.string(),
        }),
      ),
    },
    missing: {
      ...roundShape,
      reviewer: z.string(),
      session: z.number().optional(),
      reason: z.string(),
      /** It is asked once more. */
      again: z.boolean(),
    },
  }),
  /** The finding's proofs were run on the round's commit, each in a ground, until one was red. */
  fact('finding-tried', {
    ...roundShape,
    finding: z.string(),
    /** `confirmed`: red. `refuted`: green. `unproven`: it could not run, and says nothing. */
    result: z.enum(['confirmed', 'refuted', 'unproven']),
    reason: z.string(),
    /** Test files of its patch, relative to the root. */
    files: z.array(z.string()),
    /** The red one of several. */
    proof: proofShape.exactOptional(),
  }),
  /** About all findings it was given; a later answer in the round replaces an earlier one. */
  fact('findings-answered', {
    ...roundShape,
    session: z.number(),
    answers: z.array(
      z.object({ finding: z.string(), answer: z.enum(['fixed', 'rejected']), reason: z.string() }),
    ),
  }),
  byState('work', {
    planned: {
      /** Work like a task, whose facts carry its id. */
      task: z.string(),
      title: z.string(),
      /** Findings to be fixed; absent: the finalizing. */
      fix: z.object({ ...roundShape, findings: z.array(z.string()) }).exactOptional(),
    },
    ended: {
      task: z.string(),
      fix: z.object(roundShape).exactOptional(),
      /** `committed`: with green checks. `failed`: the files are as before. */
      result: z.enum(['committed', 'nothing', 'failed']),
      reason: z.string(),
      /** Why a finding may not be fixed as meant. */
      doubts: z.array(z.object({ finding: z.string(), text: z.string() })).optional(),
      oid: z.string().optional(),
      /** Of the work, if it failed. */
      rescue: z.string().optional(),
    },
  }),
  /** One commit replaces the run's, with the same files. */
  fact('run-squashed', {
    /** HEAD before and after. */
    from: z.string(),
    to: z.string(),
    /** Ref with the old commits. */
    kept: z.string(),
    commits: z.number(),
  }),
  fact('request', {
    /** `open`: it holds this commit. `ready`: a draft no longer. */
    state: z.enum(['open', 'ready']),
    noun: z.enum(['pull request', 'merge request']),
    number: z.number(),
    url: z.string(),
    remote: z.string(),
    target: z.string(),
    head: z.string(),
    /** Somebody else has pushed it. */
    foreign: z.literal(true).exactOptional(),
    /** The run's, or a layer of its stack. */
    branch: z.string(),
  }),
  fact('ci', {
    state: ciStateSchema,
    head: z.string(),
    /** Why. */
    text: z.string(),
    /** Jobs not green; `onBase`: red on the target branch too. `branch`: as in `request`. */
    jobs: z.array(z.object({ name: z.string(), url: z.string(), onBase: z.boolean(), branch: z.string() })),
  }),
  /** Commits have other ids, with the same files at the end: a fix is in its layer of the stack, or a person rebased. */
  fact('commits-moved', {
    /** HEAD. */
    head: z.string(),
    /** `task`: also of a fix. */
    moved: z.array(z.object({ task: z.string(), from: z.string(), to: z.string() })),
  }),
  fact('comment', {
    /** `ignored`: its author may not write there; it is not acted on. */
    state: z.enum(['answered', 'ignored']),
    author: z.string(),
    text: z.string(),
    file: z.string().exactOptional(),
    line: z.number().exactOptional(),
    /** Empty if ignored. */
    answer: z.string(),
  }),
] as const;
