// Facts about the sandbox that agents and checks run in.
import { z } from 'zod';

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
