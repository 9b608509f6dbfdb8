// Facts about lanes, in which tasks are worked on side by side, and the gate through which they land: other facts from
// a lane carry `lane` next to their time. And about a run carried to a git remote, so that another machine can take it
// up.
import { z } from 'zod';
import { ownWorktreeSchema } from './run.ts';
import { byState } from './shapes.ts';

/** `host`: shown to people; `at`: when it last carried. */
const carrierSchema = z.object({ host: z.string(), at: z.string() });

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
      clashes: z.array(z.array(z.string())),
      landed: z.array(z.string()),
    },
    'caught-up': {
      /** As announced last. `tree`: what the work begins on now. */
      lane: z.number(),
      task: z.string(),
      tree: z.string(),
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
  byState('carry', {
    begun: {
      remote: z.string(),
      /** Id of the fleet job. */
      job: z.string().exactOptional(),
    },
    done: {
      /** What the ref holds now; `head`: of the run's branch in it. */
      oid: z.string(),
      head: z.string(),
      /** Makes up for a failure. */
      caughtUp: z.literal(true).exactOptional(),
    },
    failed: {
      /** Emitted once for failures in a row; the work continues. `branch`: only the branch is not carried. */
      what: z.enum(['all', 'branch']),
      reason: z.string(),
    },
    'taken-up': {
      remote: z.string(),
      oid: z.string(),
      head: z.string(),
      from: carrierSchema,
      job: z.string().exactOptional(),
      /** Rescue commit of the working tree as it is at the head: where open tasks begin, here. */
      rescue: z.string(),
      /** The user's files here; they replace the first machine's. */
      untracked: z.array(z.string()),
      /** Rescues not carried. */
      gone: z.array(z.string()),
      /** Absent if it works where it was taken up. */
      worktree: ownWorktreeSchema.optional(),
      /** Ref with commits of an earlier process here, never carried. */
      kept: z.string().optional(),
    },
    fenced: {
      /** Another machine has the run: this one ends. */
      by: carrierSchema,
      /** Ref with commits that the other lacks. */
      kept: z.string().optional(),
    },
    /** Work taken out of the tree because another machine took the run up. */
    'work-aside': {
      rescue: z.string(),
    },
  }),
] as const;
