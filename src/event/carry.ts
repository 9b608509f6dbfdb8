// Facts about a run carried to a git remote, so that another machine can take it up.
import { z } from 'zod';
import { byState } from './shapes.ts';

/** `host`: shown to people; `at`: when it last carried. */
const carrierSchema = z.object({ host: z.string(), at: z.string() });

export const carryFacts = [
  byState('carry', {
    begun: {
      remote: z.string(),
      ref: z.string(),
      /** Random; the run belongs to whoever's value is in the ref. */
      owner: z.string(),
      /** Id of the fleet job. */
      job: z.string().exactOptional(),
    },
    done: {
      /** What the ref holds now; `head`: of the run's branch in it. */
      oid: z.string(),
      head: z.string(),
      /** Nothing was there before. */
      first: z.literal(true).exactOptional(),
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
      ref: z.string(),
      owner: z.string(),
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
      worktree: z.object({ path: z.string(), from: z.string(), portOffset: z.number() }).optional(),
      /** Ref with commits of an earlier process here, never carried. */
      kept: z.string().optional(),
    },
    fenced: {
      /** Another machine has the run: this one ends. */
      by: carrierSchema,
      /** Ref with commits that the other lacks. */
      kept: z.string().optional(),
    },
    /** Work taken out of the tree because another machine took the run up, and brought back. */
    'work-aside': {
      rescue: z.string(),
    },
    'work-back': {
      rescue: z.string(),
      /** Changed by others meanwhile: left alone; the rescue holds the run's version. */
      left: z.array(z.string()),
    },
  }),
] as const;
