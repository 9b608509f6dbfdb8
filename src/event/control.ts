// Facts about what a person does to a run, and about its budgets.
import { z } from 'zod';
import { budgetNames } from './caps.ts';
import { fact } from './shapes.ts';

const budgetNameSchema = z.enum(budgetNames);

const capSchema = z.object({
  budget: budgetNameSchema,
  cap: z.number(),
  /** A flag, a variable, a file with its line; `default`: nobody. */
  from: z.string(),
});

export const controlFacts = [
  fact('intervention', {
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
  fact('paused', {}),
  /** Notes sent to a running session; those a session begins with are in `session-started`. */
  fact('notes-delivered', { session: z.number(), notes: z.array(z.number()) }),
  /** All caps from here on; emitted at every start, and when a person sets one. */
  fact('budgets-set', {
    /** The tightest of all settings, by budget. */
    settings: z.array(capSchema),
    /** By flag or command; holds across restarts until asked again. */
    asked: z.array(capSchema),
  }),
  /** Once for each budget, cap and share. */
  fact('budget-reached', {
    /** `task`: the `budget:` of one task, US dollars. */
    budget: z.enum([...budgetNames, 'task']),
    task: z.string().optional(),
    /** For a day's budget: the local date, e.g. 2026-11-22. */
    day: z.string().optional(),
    /** 0.8: most of it is spent. 1: it is spent, and nothing more starts. */
    share: z.literal([0.8, 1]),
    /** In the cap's unit. */
    spent: z.number(),
    cap: z.number(),
    /** `spent` is a lower bound. */
    atLeast: z.boolean(),
  }),
] as const;
