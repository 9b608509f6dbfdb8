// Facts about a run that is carried to a git remote, so that another machine can take it up: whose it is, what stands there,
// and who took it.
import { z } from 'zod';

/** Whoever carries a run: a machine's name, for people, and when it last carried. */
const carrierSchema = z.object({ host: z.string(), at: z.string() });

export const carryFacts = [
  z.object({
    /** From here on the run's state goes to a remote. */
    type: z.literal('carry-begun'),
    remote: z.string(),
    /** The ref there that holds the run. */
    ref: z.string(),
    /** Random; whoever's stands in the ref owns the run. */
    owner: z.string(),
    /** Id of the fleet's job that it is begun for. */
    job: z.string().exactOptional(),
  }),
  z.object({
    type: z.literal('carried'),
    /** The commit that the ref holds now, and the head of the run's branch in it. */
    oid: z.string(),
    head: z.string(),
    ms: z.number(),
    /** What went wrong before is made up for. */
    caughtUp: z.literal(true).exactOptional(),
  }),
  z.object({
    /** Told once for failures in a row; the work goes on. `branch`: the run is carried, its branch is not. */
    type: z.literal('carry-failed'),
    what: z.enum(['all', 'branch']),
    reason: z.string(),
  }),
  z.object({
    /** The run goes on here, where it was not before. */
    type: z.literal('taken-up'),
    remote: z.string(),
    ref: z.string(),
    owner: z.string(),
    /** The commit that says so in the ref. */
    oid: z.string(),
    head: z.string(),
    from: carrierSchema,
    job: z.string().exactOptional(),
    /** Rescue of the working tree as it is at the head: where open tasks begin, here. */
    rescue: z.string(),
    /** The user's untracked files here, instead of those where it began. */
    untracked: z.array(z.string()),
    /** Rescues that were not carried. */
    gone: z.array(z.string()),
    /** The working tree that was made for it here; absent: it works where it was taken up. */
    worktree: z.object({ path: z.string(), from: z.string(), portOffset: z.number() }).optional(),
    /** Ref of commits of an earlier life here that were never carried. */
    kept: z.string().optional(),
  }),
  z.object({
    /** Another has taken the run up: this one ends. */
    type: z.literal('fenced'),
    by: carrierSchema,
    /** Ref of commits that the other does not have. */
    kept: z.string().optional(),
  }),
  z.object({
    /** What somebody asked from another machine was taken, or refused: the last word about it. */
    type: z.literal('request-answered'),
    request: z.string(),
    /** Who asked, and where; when, by that machine's clock. */
    by: z.string(),
    asked: z.string(),
    /** What was asked, e.g. `pause`, `edit`. */
    wish: z.string(),
    ok: z.boolean(),
    /** What follows from it, or why it does not apply. */
    text: z.string(),
  }),
] as const;
