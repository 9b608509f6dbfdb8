// Facts about the sandbox that agents and checks run in.
import { z } from 'zod';

export const sandboxFacts = [
  /** At each start of a run that works in one. */
  z.object({
    type: z.literal('sandbox-opened'),
    kind: z.enum(['docker', 'process']),
    /** Name or id of a container's image. */
    image: z.string().optional(),
    /** Host folders that are visible inside besides the working tree; writable ones end in ` (writable)`. */
    mounts: z.array(z.string()),
    /** What is read-only in the working tree besides the plan, relative to its root; absent: nothing. */
    protected: z.array(z.string()).optional(),
    /** Names of variables that the user's settings pass in. */
    env: z.array(z.string()),
    egress: z.enum(['restricted', 'open', 'none']),
    /** The agent's API and the user's own hosts. */
    hosts: z.array(z.string()),
    /** Absent: unlimited. */
    memory: z.string().optional(),
    /** Maximum number of processes; absent: unlimited. */
    pids: z.number().optional(),
  }),
] as const;
