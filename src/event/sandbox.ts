// Facts about the sandbox that agents and checks run in.
import { z } from 'zod';

export const sandboxFacts = [
  /** At each start of a run that works in one. */
  z.object({
    type: z.literal('sandbox-opened'),
    kind: z.enum(['docker']),
    /** Name or id of the image. */
    image: z.string(),
    /** Host folders that are seen inside beside the working tree, those that can be written with ` (writable)`. */
    mounts: z.array(z.string()),
    /** Names of variables that the user's settings hand in. */
    env: z.array(z.string()),
    egress: z.enum(['restricted', 'open', 'none']),
    /** The agent's API and the user's own hosts. */
    hosts: z.array(z.string()),
    memory: z.string(),
    /** Most processes. */
    pids: z.number(),
  }),
] as const;
