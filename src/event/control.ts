// Facts about what a person does to a run.
import { z } from 'zod';

export const controlFacts = [
  z.object({
    type: z.literal('intervention'),
    /**
     * `pause`: nothing new starts once the session has ended or, `now`, is interrupted. `continue`: also cuts a wait
     * short. `stop`: as one Ctrl-C. `skip`: ends the task's session. `tick`: ticked by hand, closed unchecked. `retry`:
     * new attempts for a failed, waiting or skipped task.
     */
    kind: z.enum([
      'answer',
      'pause',
      'continue',
      'stop',
      'steer',
      'hand-edit',
      'tick',
      'rerun',
      'skip',
      'retry',
      'undo',
      'budget',
      'take-edit',
    ]),
    text: z.string(),
    /** `web`, or who on which machine of the fleet; absent: at a terminal. */
    by: z.string().exactOptional(),
    /** Of a note: whose sessions it is for; absent: the next one's. */
    task: z.string().exactOptional(),
    /** Interrupts the running session, or gives it the note at once. */
    now: z.boolean().exactOptional(),
    /** Of a note, from 1 within the run. */
    note: z.number().exactOptional(),
    /** The answer, or the note. */
    said: z.string().exactOptional(),
  }),
  /** The run is at rest: no session works, no clock runs, and the plan may be edited by hand. */
  z.object({ type: z.literal('paused') }),
  /** Notes sent to a running session; those a session begins with are in `session-started`. */
  z.object({ type: z.literal('notes-delivered'), session: z.number(), notes: z.array(z.number()) }),
] as const;
