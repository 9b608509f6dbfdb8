// What a start works with: agent, permissions, who pays, and its command line. A later start of the same run has its own.
import { z } from 'zod';

/** What a start works with; the next may work with something else. */
export const groundShape = {
  agent: z.string(),
  /** The words the agent is started with: its program and the settings' own arguments. */
  agentCommand: z.string(),
  /** A script plays the agent, no model. */
  scripted: z.boolean().optional(),
  model: z.string().optional(),
  permissions: z.string().optional(),
  /** What agents and checks work in; absent: on this machine itself. */
  sandbox: z.enum(['docker', 'process']).optional(),
  /** Reviewers and planners see the tree read-only; false: it cannot be shown so; absent: in the sandbox, or by an older pawl. */
  readOnly: z.boolean().optional(),
  /** Most tasks that are worked on at once; absent: one. */
  jobs: z.number().optional(),
  /** Names of the stages of the review after the tasks; absent: no review. */
  reviews: z.array(z.string()).optional(),
  /** About how many sessions that review takes, without and with something to fix. */
  reviewSessions: z.object({ quiet: z.number(), withFixes: z.number() }).optional(),
  billing: z.string(),
  trusted: z.boolean(),
  /** The caller's span, if pawl was started within an OpenTelemetry trace. */
  traceparent: z.string().optional(),
  /** Command-line options that the run does not remember, as words, to be repeated when it is continued; absent: none. */
  flags: z.array(z.string()).optional(),
};

/** The same as a schema. */
export const groundSchema = z.object(groundShape);

export type GroundFields = Readonly<z.infer<typeof groundSchema>>;

/** All fields of a start except its ground. */
export function withoutGround<T extends GroundFields>(told: T): Omit<T, keyof GroundFields> {
  const others = Object.entries(told).filter(([name]) => !(name in groundShape));
  return Object.fromEntries(others) as Omit<T, keyof GroundFields>;
}

/** The ground among all that a start tells. */
export function groundOf(told: GroundFields): GroundFields {
  return groundSchema.parse(told);
}
