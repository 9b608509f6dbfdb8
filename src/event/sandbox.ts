// Facts about the sandbox that agents and checks run in.
import { z } from 'zod';

export const sandboxFacts = [
  /** At each start of a run that works in one. */
  z.object({
    type: z.literal('sandbox-opened'),
    kind: z.enum(['docker', 'process']),
    /** Name or id of a container's image. */
    image: z.string().optional(),
    /** Host folders that are seen inside beside the working tree, those that can be written with ` (writable)`. */
    mounts: z.array(z.string()),
    /** Of the working tree what is read-only beside the plan, relative to its root; absent: nothing is. */
    protected: z.array(z.string()).optional(),
    /** Names of variables that the user's settings hand in. */
    env: z.array(z.string()),
    egress: z.enum(['restricted', 'open', 'none']),
    /** The agent's API and the user's own hosts. */
    hosts: z.array(z.string()),
    /** Absent: without a bound. */
    memory: z.string().optional(),
    /** Most processes; absent: without a bound. */
    pids: z.number().optional(),
  }),
] as const;
