// Facts about lanes, in which tasks are worked on side by side, and about the gate through which their work lands on the
// run's branch. Any other fact carries `lane` beside its instant where it happened in one.
import { z } from 'zod';
import { checkResultSchema } from './guard.ts';
import { definitionSchema } from './task.ts';

export const laneFacts = [
  z.object({
    type: z.literal('lane-opened'),
    /** Counts from 1 within the run. */
    lane: z.number(),
    /** Absolute path of its working tree. */
    folder: z.string(),
    /** What it took to make it ready, milliseconds. */
    ms: z.number(),
  }),
  z.object({
    type: z.literal('lane-tried'),
    lane: z.number(),
    /** Checks that say something else in a fresh lane than in the run's own tree; empty: it can be believed. */
    differs: z.array(z.object({ command: z.string(), was: checkResultSchema, is: checkResultSchema })),
  }),
  z.object({
    /** Announced before anything in the lane moves: from here on the catch-up is gone through with. */
    type: z.literal('lane-catching-up'),
    lane: z.number(),
    task: z.string(),
    /** The commit that the work stood on, and the head of the branch that it is merged with. */
    from: z.string(),
    onto: z.string(),
    /** Tree T of the work, and the tree that the merge made. */
    tree: z.string(),
    merged: z.string(),
    /** Files in which the merge left conflicts. */
    conflicts: z.array(z.string()),
    /** The same, by conflict: of one there may be several names. */
    clashes: z.array(z.array(z.string())).optional(),
    /** Tasks whose work came in; `rivals`: those of them that changed a file in conflict, where that is known. */
    landed: z.array(z.string()),
    rivals: z.array(z.string()).optional(),
  }),
  z.object({
    type: z.literal('lane-caught-up'),
    lane: z.number(),
    task: z.string(),
    /** The head of the branch, on which the work stands now, and its tree. */
    commit: z.string(),
    tree: z.string(),
    /** Tree of the lane: the work, merged. */
    merged: z.string(),
    conflicts: z.array(z.string()),
    landed: z.array(z.string()),
    /** What the checks name, as the head of the branch has it. */
    definitions: z.array(definitionSchema),
  }),
  /** Others were landing meanwhile. */
  z.object({ type: z.literal('landing-waited'), lane: z.number(), task: z.string(), ms: z.number() }),
  z.object({
    /** Merged work did not pass: its session, or the next, is told. */
    type: z.literal('landing-given-back'),
    lane: z.number(),
    task: z.string(),
    why: z.enum(['conflict', 'red']),
    /** Files in conflict. */
    files: z.array(z.string()),
    /** Tasks that landed since the work began; of a conflict, those that it is with. */
    landed: z.array(z.string()),
    /** The gate is kept for it, so that others do not always come first. */
    held: z.boolean(),
  }),
  z.object({
    /** A check that was red on merged work, once more, and what it said. Green: it is flaky. */
    type: z.literal('landing-rerun'),
    lane: z.number(),
    task: z.string(),
    check: z.string(),
    command: z.string(),
    result: checkResultSchema,
  }),
  z.object({
    /** What the resolution of conflicts leaves out of the files in conflict; empty: nothing any more. */
    type: z.literal('landing-left-out'),
    lane: z.number(),
    task: z.string(),
    files: z.array(
      z.object({
        file: z.string(),
        /** Lines that are not there any more: of what had landed, and of the task's own. */
        landed: z.number(),
        own: z.number(),
        /** The commit and the tree that still have them. */
        onto: z.string(),
        tree: z.string(),
      }),
    ),
  }),
  /** Files of the run's own tree that a person has changed: they did not follow the branch. */
  z.object({ type: z.literal('trunk-kept'), files: z.array(z.string()) }),
  z.object({
    /** A session is about to write into another lane than its own, by what it says of its tools. */
    type: z.literal('lane-reached'),
    session: z.number(),
    into: z.number(),
    /** Files that a tool of its own writes, from the root of that lane. */
    files: z.array(z.string()),
    /** A command names that lane: what it does there nobody can tell. */
    runs: z.boolean(),
  }),
  z.object({ type: z.literal('lane-closed'), lane: z.number() }),
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
