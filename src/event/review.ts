// Facts about the review: stages, rounds, opinions, the fixer's answers, and how each stage ended.
import { z } from 'zod';
import { severitySchema } from './finding.ts';
import { byState } from './shapes.ts';

/**
 * How a stage can end. `settled`: what is left are opinions that are minor or were rejected with a reason. `open`: something
 * is left to a person. `skipped`: it is optional and could not begin.
 */
export const stageEndSchema = z.enum(['clean', 'settled', 'open', 'incomplete', 'over-budget', 'skipped']);

export type StageEnd = z.infer<typeof stageEndSchema>;

export const reviewFacts = [
  byState('stage', {
    started: {
      stage: z.string(),
      reviewers: z.array(z.string()),
      /** The maximum number of rounds. */
      rounds: z.number(),
      optional: z.boolean(),
      /** What is reviewed: the diff from this commit. */
      base: z.string(),
    },
    ended: {
      stage: z.string(),
      end: stageEndSchema,
      reason: z.string(),
      /** Ids of the findings that are open or disputed. */
      open: z.array(z.string()),
    },
  }),
  byState('review-round', {
    started: {
      stage: z.string(),
      /** Counts from 1 within the stage. */
      round: z.number(),
      head: z.string(),
    },
    ended: {
      stage: z.string(),
      round: z.number(),
      /** What follows: another round, or the stage's end. */
      verdict: z.enum(['again', 'end']),
      /** How the stage ended, if it did. */
      end: stageEndSchema.optional(),
      reason: z.string(),
      head: z.string(),
    },
  }),
  byState('opinion', {
    given: {
      stage: z.string(),
      round: z.number(),
      reviewer: z.string(),
      /** Absent: nobody was asked, as by CI. */
      session: z.number().optional(),
      /** The stage in which it had answered about this very commit, and was not asked again. */
      from: z.string().optional(),
      findings: z.array(
        z.object({
          file: z.string(),
          /** Counts from 1; 0 for the whole file. */
          line: z.number(),
          severity: severitySchema,
          title: z.string(),
          evidence: z.string(),
          suggestion: z.string(),
          proof: z.object({ command: z.string(), patch: z.string() }),
          /** Unique in the run, e.g. `F3`; a finding that was raised before keeps its id. */
          id: z.string(),
          /** Text of the line it points at, trimmed. */
          anchor: z.string(),
          fingerprint: z.string(),
        }),
      ),
    },
    missing: {
      stage: z.string(),
      round: z.number(),
      reviewer: z.string(),
      session: z.number().optional(),
      reason: z.string(),
      /** It is asked once more in this round. */
      again: z.boolean(),
    },
  }),
  z.object({
    /** The proof of a finding was run on the round's commit, in a ground. */
    type: z.literal('finding-tried'),
    stage: z.string(),
    round: z.number(),
    finding: z.string(),
    /** `confirmed`: red, as it said. `refuted`: green. `unproven`: it could not run, and says nothing. */
    result: z.enum(['confirmed', 'refuted', 'unproven']),
    reason: z.string(),
    /** Test files of its patch, relative to the root. */
    files: z.array(z.string()),
  }),
  z.object({
    /** What a fixer says about all findings it was given; a later answer in the round replaces an earlier one. */
    type: z.literal('findings-answered'),
    stage: z.string(),
    round: z.number(),
    session: z.number(),
    answers: z.array(
      z.object({ finding: z.string(), answer: z.enum(['fixed', 'rejected']), reason: z.string() }),
    ),
  }),
] as const;
