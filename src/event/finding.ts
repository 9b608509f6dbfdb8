// A reviewer's finding as data: the shapes that reviewers and fixers are asked for. finding/ parses answers.
import { z } from 'zod';
import { severities } from './severity.ts';

export const severitySchema = z.enum(severities);

/** Shows a finding without anybody's word; no command: an opinion. */
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

/** All fields are required, since some agents accept only such schemas; empty text means none. */
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

/** An empty list is an answer; no list is none. */
export const opinionSchema = z.strictObject({ findings: z.array(findingSchema) });
export type Opinion = z.infer<typeof opinionSchema>;

export const noProof: FindingProof = { command: '', patch: '' };

export const answerSchema = z.strictObject({
  finding: z.string().min(1).describe('Id of the finding, e.g. F3.'),
  answer: z.enum(['fixed', 'rejected']),
  reason: z.string().describe('What was changed; or why the finding is wrong or not worth it.'),
});
export type FixAnswer = z.infer<typeof answerSchema>;

export const answersSchema = z.strictObject({ answers: z.array(answerSchema) });

/** For agents that answer by schema. Bounds are left to zod: strict modes refuse them. */
export function opinionJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema: _, ...schema } = z.toJSONSchema(opinionSchema, {
    override: ({ jsonSchema }) => {
      for (const bound of ['minLength', 'minimum', 'maximum', 'default'] as const) delete jsonSchema[bound];
    },
  });
  return schema;
}
