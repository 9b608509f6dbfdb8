// Facts about lanes, in which tasks are worked on side by side, and about the gate through which their work lands on the
// run's branch. Any other fact that happened in a lane carries `lane` next to its time.
import { z } from 'zod';
import { byState } from './shapes.ts';

export const laneFacts = [
  byState('lane', {
    opened: {
      /** Counts from 1 within the run. */
      lane: z.number(),
      /** Absolute path of its working tree. */
      folder: z.string(),
      /** How long it took to get ready, milliseconds. */
      ms: z.number(),
    },
    'catching-up': {
      /** Announced before anything in the lane moves: from here on the catch-up will be completed. */
      lane: z.number(),
      task: z.string(),
      /** The commit that the work was based on, and the branch's head that it is merged with. */
      from: z.string(),
      onto: z.string(),
      /** Tree T of the work, and the merged tree. */
      tree: z.string(),
      merged: z.string(),
      /** Files in which the merge left conflicts. */
      conflicts: z.array(z.string()),
      /** The same by conflict, which may involve several names. */
      clashes: z.array(z.array(z.string())).optional(),
      /** Tasks whose work came in. */
      landed: z.array(z.string()),
    },
    'caught-up': {
      lane: z.number(),
      task: z.string(),
      /** The branch's head, on which the work is now based, and its tree. */
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
    waited: {
      lane: z.number(),
      task: z.string(),
      ms: z.number(),
    },
    'given-back': {
      /** Merged work did not pass: its session, or the next one, is told. */
      lane: z.number(),
      task: z.string(),
      why: z.enum(['conflict', 'red']),
      /** Files in conflict. */
      files: z.array(z.string()),
      /** Tasks that have landed since the work began. */
      landed: z.array(z.string()),
      /** The gate is kept for it, so that others do not always come first. */
      held: z.boolean(),
    },
    kept: { files: z.array(z.string()) },
  }),
] as const;

/** Conflicts among landings that were given back, each once: a session may be asked about one again. */
export function listConflicts<
  T extends Readonly<{ why: 'conflict' | 'red'; task: string; files: readonly string[] }>,
>(givenBack: readonly T[]): readonly T[] {
  const conflicts = givenBack.filter(({ why }) => why === 'conflict');
  return conflicts.filter(({ task, files }, at) => {
    const before = conflicts.slice(0, at).filter((other) => other.task === task);
    return !before.some((other) => files.every((file) => other.files.includes(file)));
  });
}
