// What a start works with, each start of a run its own, and facts about the sandbox that agents and checks run in.
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

export const sandboxFacts = [
  /** At each start of a run in a sandbox. */
  z.object({
    type: z.literal('sandbox-opened'),
    kind: z.enum(['docker', 'process']),
    /** A container's, name or id. */
    image: z.string().optional(),
    /** Host folders visible besides the working tree; writable ones end in ` (writable)`. */
    mounts: z.array(z.string()),
    /** Read-only besides the plan, relative to the working tree. */
    protected: z.array(z.string()).optional(),
    /** Variables passed in by the user's settings. */
    env: z.array(z.string()),
    egress: z.enum(['restricted', 'open', 'none']),
    /** The agent's API and the user's own. */
    hosts: z.array(z.string()),
    /** Absent: unlimited. */
    memory: z.string().optional(),
    /** Most processes; absent: unlimited. */
    pids: z.number().optional(),
  }),
] as const;
