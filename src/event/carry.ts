// Facts about a run that is carried to a git remote, so that another machine can take it up: whose it is, what the ref
// holds, and who took it.
import { z } from 'zod';
import { byState } from './shapes.ts';

/** Who carries a run: a machine's name, shown to people, and when it last carried. */
const carrierSchema = z.object({ host: z.string(), at: z.string() });

export const carryFacts = [
  byState('carry', {
    begun: {
      /** From here on the run's state goes to a remote. */
      remote: z.string(),
      /** The ref there that holds the run. */
      ref: z.string(),
      /** Random; the run belongs to whoever's value is in the ref. */
      owner: z.string(),
      /** Id of the fleet job that it is begun for. */
      job: z.string().exactOptional(),
    },
    done: {
      /** The commit that the ref holds now, and the head of the run's branch in it. */
      oid: z.string(),
      head: z.string(),
      ms: z.number(),
      /** Nothing of the run was there before. */
      first: z.literal(true).exactOptional(),
      /** An earlier failure is made up for. */
      caughtUp: z.literal(true).exactOptional(),
    },
    failed: {
      /** Emitted once for failures in a row; the work continues. `branch`: the run is carried, its branch is not. */
      what: z.enum(['all', 'branch']),
      reason: z.string(),
    },
    'taken-up': {
      /** The run continues here, on another machine than before. */
      remote: z.string(),
      ref: z.string(),
      owner: z.string(),
      /** The commit in the ref that says so. */
      oid: z.string(),
      head: z.string(),
      from: carrierSchema,
      job: z.string().exactOptional(),
      /** Rescue commit of the working tree as it is at the head: where open tasks begin, here. */
      rescue: z.string(),
      /** The user's untracked files here, which replace those of the first machine. */
      untracked: z.array(z.string()),
      /** Rescues that were not carried. */
      gone: z.array(z.string()),
      /** The worktree made for it here; absent if it works where it was taken up. */
      worktree: z.object({ path: z.string(), from: z.string(), portOffset: z.number() }).optional(),
      /** Ref with commits of an earlier process here that were never carried. */
      kept: z.string().optional(),
    },
    fenced: {
      /** Another machine has taken the run up: this one ends. */
      by: carrierSchema,
      /** Ref with commits that the other does not have. */
      kept: z.string().optional(),
    },
    /** Work that was taken out of the tree since another machine took the run up, and was brought back. */

    'work-aside': {
      /** The rescue commit that holds it. */
      rescue: z.string(),
    },
    'work-back': {
      rescue: z.string(),
      /** Files that others changed meanwhile: they stay as they are, and the rescue holds the run's version. */
      left: z.array(z.string()),
    },
  }),
] as const;
