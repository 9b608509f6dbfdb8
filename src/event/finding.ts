// A reviewer's finding as data: the shape reviewers are asked for, severities, and what makes a complete answer. finding/
// parses answers.
import { z } from 'zod';
import { severities } from './severity.ts';

export const severitySchema = z.enum(severities);

/** What shows a finding without anybody's word; no command: it is an opinion. */
export const proofSchema = z.strictObject({
  command: z
    .string()
    .default('')
    .describe(
      'A shell command, run in the root of a checkout of HEAD: it fails now because of this, and would pass once it is mended. Empty: none.',
    ),
  patch: z
    .string()
    .default('')
    .describe(
      'A unified diff (as `git diff` prints it) of test files only, applied before the command runs; it stays as the test of the fix. Empty: none.',
    ),
});
export type FindingProof = z.infer<typeof proofSchema>;

/**
 * One finding. All fields are required, since some agents accept only schemas without optional ones; empty text means none.
 */
export const findingSchema = z.strictObject({
  file: z.string().min(1).describe('Path relative to the root of the repository.'),
  line: z
    .int()
    .min(0)
    .describe('Line in the file as it is now, counted from 1; 0 when it is about the whole file.'),
  severity: severitySchema.describe(
    'critical: loses data, breaks security or the build. major: wrong behaviour. minor: works, but will hurt. note: taste.',
  ),
  title: z.string().min(1).describe('The complaint in one short sentence.'),
  evidence: z
    .string()
    .describe('What in the code shows it: the lines, the input that fails, the command that proves it.'),
  suggestion: z.string().describe('How to mend it; empty when unsure.'),
  proof: proofSchema.prefault({}),
});
export type Finding = z.infer<typeof findingSchema>;

/** A reviewer's whole answer. An empty list is an answer; no list is none. */
export const opinionSchema = z.strictObject({ findings: z.array(findingSchema) });
export type Opinion = z.infer<typeof opinionSchema>;

/** The proof of what is only an opinion. */
export const noProof: FindingProof = { command: '', patch: '' };

/** What a fixer says about one finding. */
export const answerSchema = z.strictObject({
  finding: z.string().min(1).describe('Id of the finding, e.g. F3.'),
  answer: z.enum(['fixed', 'rejected']),
  reason: z.string().describe('What was changed; or why the finding is wrong or not worth it.'),
});
export type FixAnswer = z.infer<typeof answerSchema>;

/** A fixer's whole answer. */
export const answersSchema = z.strictObject({ answers: z.array(answerSchema) });

/**
 * JSON Schema of an opinion, for agents that answer by schema. Bounds are left to zod: strict modes refuse schemas with
 * them.
 */
export function opinionJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema: _, ...schema } = z.toJSONSchema(opinionSchema, {
    override: ({ jsonSchema }) => {
      for (const bound of ['minLength', 'minimum', 'maximum', 'default'] as const) delete jsonSchema[bound];
    },
  });
  return schema;
}
