// The part of the SARIF 2.1.0 schema that pawl uses. The schema itself was compared by hand: sarif-2.1.0-rtm.5.json, as
// the package @microsoft/jest-sarif has it.
import { z } from 'zod';

const words = z.strictObject({ text: z.string() });
const level = z.enum(['none', 'note', 'warning', 'error']);
const properties = z.record(z.string(), z.unknown());
const uriReference = z.string().regex(/^(?:file:\/\/)?[\w.!~*'()%/@-]+$/);

const resultSchema = z.strictObject({
  ruleId: z.string(),
  ruleIndex: z.int().min(-1),
  level,
  message: words,
  locations: z.array(
    z.strictObject({
      physicalLocation: z.strictObject({
        artifactLocation: z.strictObject({ uri: uriReference, uriBaseId: z.string().optional() }),
        region: z.strictObject({ startLine: z.int().min(1), endLine: z.int().min(1).optional() }),
      }),
    }),
  ),
  partialFingerprints: z.record(z.string(), z.string()).optional(),
  suppressions: z
    .array(
      z.strictObject({
        kind: z.enum(['inSource', 'external']),
        status: z.enum(['accepted', 'underReview', 'rejected']),
        justification: z.string(),
      }),
    )
    .optional(),
  properties: properties.optional(),
});

/** Every object is closed, as the schema has it: what is read here is what pawl writes. */
export const sarifLog = z.strictObject({
  $schema: z.url(),
  version: z.literal('2.1.0'),
  runs: z.array(
    z.strictObject({
      tool: z.strictObject({
        driver: z.strictObject({
          name: z.string(),
          semanticVersion: z.string(),
          rules: z.array(
            z.strictObject({
              id: z.string(),
              shortDescription: words,
              fullDescription: words.optional(),
              help: words.optional(),
              defaultConfiguration: z.strictObject({ level }).optional(),
            }),
          ),
        }),
      }),
      automationDetails: z.strictObject({ id: z.string() }),
      originalUriBaseIds: z.record(z.string(), z.strictObject({ description: words })).optional(),
      invocations: z
        .array(
          z.strictObject({
            executionSuccessful: z.boolean(),
            toolExecutionNotifications: z.array(z.strictObject({ level, message: words })),
          }),
        )
        .optional(),
      results: z.array(resultSchema),
      properties,
    }),
  ),
});
