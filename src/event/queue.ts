// Facts about several runs of one command: which queue a run belongs to, and what it set aside so that the next plan found a
// clean tree.
import { z } from 'zod';

export const queueFacts = [
  /** Said at each start of a run in a queue: the same command finds the queue again by it. */
  z.object({
    type: z.literal('queued'),
    /** Random id of the queue. */
    queue: z.string(),
    /** Names of its plans in their order, relative to the repository's root or absolute. */
    plans: z.array(z.string()),
    /** Branch the command began on; every plan of the queue begins there. */
    base: z.string(),
  }),
  /** The run stops and its work is taken out of the tree; the next start of the run brings it back. */
  z.object({
    type: z.literal('work-set-aside'),
    /** Only this task's work, so that another task can begin; its next attempt brings it back. */
    task: z.string().optional(),
    /** Another machine goes on with the run: nothing brings it back by itself. */
    fenced: z.literal(true).exactOptional(),
    /** Commit of the rescue that holds it. */
    rescue: z.string(),
  }),
  z.object({
    type: z.literal('work-brought-back'),
    rescue: z.string(),
    /** Files that others changed meanwhile: they stay as they are, and the rescue holds the run's. */
    left: z.array(z.string()),
  }),
] as const;
