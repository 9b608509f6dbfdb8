// Facts about several runs of one command: which queue a run belongs to, and what it set aside so that the next plan found
// a clean tree.
import { z } from 'zod';

export const queueFacts = [
  /** Emitted at each start of a run in a queue: by it the same command finds the queue again. */
  z.object({
    type: z.literal('queued'),
    /** Random id of the queue. */
    queue: z.string(),
    /** Names of its plans in order, relative to the repository's root or absolute. */
    plans: z.array(z.string()),
    /** Branch the command began on; every plan of the queue begins there. */
    base: z.string(),
  }),
  /** The run stops and its work is taken out of the tree; its next start brings it back. */
  z.object({
    type: z.literal('work-set-aside'),
    /** Only this task's work, so that another task can begin; its next attempt brings it back. */
    task: z.string().optional(),
    /** Another machine continues the run: nothing brings the work back automatically. */
    fenced: z.literal(true).exactOptional(),
    /** The rescue commit that holds it. */
    rescue: z.string(),
  }),
  z.object({
    type: z.literal('work-brought-back'),
    rescue: z.string(),
    /** Files that others changed meanwhile: they stay as they are, and the rescue holds the run's version. */
    left: z.array(z.string()),
  }),
] as const;
