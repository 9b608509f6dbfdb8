// Facts about lanes, in which tasks are worked on side by side, and the gate through which they land. Other facts from
// a lane carry `lane` next to their time.
import { z } from 'zod';
import { byState } from './shapes.ts';

export const laneFacts = [
  byState('lane', {
    opened: {
      /** From 1 within the run. */
      lane: z.number(),
      /** Its working tree, absolute. */
      folder: z.string(),
    },
    'catching-up': {
      /** Announced before anything moves: from here on the catch-up will be completed. */
      lane: z.number(),
      task: z.string(),
      /** `from`: the work's base. `onto`: the branch's head. */
      from: z.string(),
      onto: z.string(),
      /** Tree T of the work; `merged`: the merged tree. */
      tree: z.string(),
      merged: z.string(),
      /** Files in which the merge left conflicts. */
      conflicts: z.array(z.string()),
      /** The same by conflict, which may involve several names. */
      clashes: z.array(z.array(z.string())).optional(),
      landed: z.array(z.string()),
    },
    'caught-up': {
      lane: z.number(),
      task: z.string(),
      /** The branch's head, now the work's base, and its tree. */
      commit: z.string(),
      tree: z.string(),
      /** Tree of the lane: the work, merged. */
      merged: z.string(),
      conflicts: z.array(z.string()),
      landed: z.array(z.string()),
    },
    closed: { lane: z.number() },
  }),
  byState('landing', {
    'given-back': {
      /** Merged work did not pass: its session, or the next one, is told. */
      lane: z.number(),
      task: z.string(),
      why: z.enum(['conflict', 'red']),
      files: z.array(z.string()),
      /** Tasks that have landed since the work began. */
      landed: z.array(z.string()),
    },
    kept: { files: z.array(z.string()) },
  }),
] as const;
