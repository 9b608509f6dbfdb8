// Facts about what a person asks of a running or stopped run: pauses, notes, skips, retries; and when the run has done so.
// An answer to an agent's question is in task.ts, a cap in budget.ts.
import { z } from 'zod';

export const controlFacts = [
  z.object({
    type: z.literal('pause-asked'),
    /** The running session is interrupted; otherwise it may finish its turn. */
    now: z.boolean(),
  }),
  /** The run is at rest: no session works, no clock runs, and the plan may be edited by hand. */
  z.object({ type: z.literal('paused') }),
  /** Ends a pause, and cuts a wait short. */
  z.object({ type: z.literal('continued') }),
  /** Ends the process as one Ctrl-C does; everything can be resumed. */
  z.object({ type: z.literal('stop-asked') }),
  z.object({
    type: z.literal('note-left'),
    /** Counts from 1 within the run. */
    note: z.number(),
    text: z.string(),
    /** Only for sessions of this task; absent: the next session, whatever its task. */
    task: z.string().optional(),
    /** The running session is told at once. */
    now: z.boolean(),
  }),
  /** Notes sent to a running session. Those a session begins with are in `session-started`. */
  z.object({ type: z.literal('notes-delivered'), session: z.number(), notes: z.array(z.number()) }),
  /** A person wants the task skipped; its session, if one is running, is ended. */
  z.object({ type: z.literal('skip-asked'), task: z.string() }),
  z.object({
    type: z.literal('task-skipped'),
    task: z.string(),
    /** Rescue commit of its work, which was taken out of the tree so that other tasks can go on. */
    rescue: z.string().optional(),
  }),
  /** New attempts for a task that failed, waits for an answer, or was skipped. */
  z.object({ type: z.literal('retry-asked'), task: z.string() }),
] as const;
