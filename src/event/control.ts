// Facts about what a person does to a run: commands to a running or stopped one, and acts that pawl sees; and when the run
// has done so. A cap is in budget.ts.
import { z } from 'zod';

export const controlFacts = [
  z.object({
    type: z.literal('intervention'),
    /**
     * `pause`: nothing new starts, once the running session has ended or, `now`, is interrupted. `continue`: ends a pause, and
     * cuts a wait short. `stop`: ends the process as one Ctrl-C does. `skip`: the task's session, if one is running, is ended.
     * `tick`: a task was ticked by hand, and is closed unchecked. `retry`: new attempts for a task that failed, waits for an answer, or was skipped.
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
      'discard',
    ]),
    /** What was done, in words. */
    text: z.string(),
    /** Where the person acted: `web`, or who it is on which machine of the fleet; absent: at a terminal. */
    by: z.string().exactOptional(),
    /** The task that is answered, skipped, ticked, tried again; of a note: whose sessions it is for, absent: the next, whosever. */
    task: z.string().exactOptional(),
    /** The running session is interrupted, or is given the note at once. */
    now: z.boolean().exactOptional(),
    /** Number of a note; counts from 1 within the run. */
    note: z.number().exactOptional(),
    /** The answer, or the note. */
    said: z.string().exactOptional(),
  }),
  /** The run is at rest: no session works, no clock runs, and the plan may be edited by hand. */
  z.object({ type: z.literal('paused') }),
  /** Notes sent to a running session. Those a session begins with are in `session-started`. */
  z.object({ type: z.literal('notes-delivered'), session: z.number(), notes: z.array(z.number()) }),
] as const;
