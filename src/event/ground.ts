// What a start works with, each start of a run its own.
import { z } from 'zod';

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
