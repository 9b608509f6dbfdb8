// Facts about one agent process, from spawn to end.
import { z } from 'zod';

/** Tokens by class, cumulative over the session. */
export const tokensSchema = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
});

/** What a session is for. */
export const roleSchema = z.enum(['plan', 'task', 'review', 'fix', 'replan', 'finalize']);

/** How a session ended: the outcome's kind and, in words, why. */
export const outcomeKindSchema = z.enum([
  'done',
  'failed',
  'already-done',
  'needs-input',
  'replan',
  'silent',
  'limited',
  'overloaded',
  'refused',
  'crashed',
  'timed-out',
  'stuck',
  'unfinished',
  'over-budget',
  'interrupted',
]);

export const sessionFacts = [
  z.object({
    type: z.literal('session-started'),
    /** Counts from 1 within the run; names the files `sessions/NNN.*`. */
    session: z.number(),
    role: roleSchema,
    task: z.string().optional(),
    attempt: z.number().optional(),
    /** Persona of a reviewer's session. */
    reviewer: z.string().optional(),
    /** Absolute path of the folder that the agent works in. */
    cwd: z.string(),
    agent: z.string(),
    /** The shipped agent that it is another login of; absent: it is a shipped one. */
    uses: z.string().optional(),
    /** The agent that it stands in for, which is at its usage limit. */
    insteadOf: z.string().optional(),
    /** As requested; absent: the agent's own default. */
    model: z.string().optional(),
    /** US dollars reserved for the session; absent: no cap. */
    maxCostUsd: z.number().optional(),
    pid: z.number(),
    /** Value of `PAWL_SESSION` in the environment of all its processes. */
    mark: z.string(),
    /** True if the repository's own agent config was kept out. */
    configKeptOut: z.boolean(),
    /** Number of the session whose conversation it continues; absent: a new one. */
    continues: z.number().optional(),
    /** Numbers of a person's notes in its prompt, which are delivered by this fact. */
    notes: z.array(z.number()).optional(),
  }),
  z.object({
    type: z.literal('session-ready'),
    session: z.number(),
    /** The agent's own id of the conversation, e.g. for `claude --resume`. */
    agentSession: z.string(),
    model: z.string(),
    version: z.string(),
  }),
  z.object({
    type: z.literal('session-cost'),
    session: z.number(),
    /** Cumulative, US dollars. */
    costUsd: z.number(),
    tokens: tokensSchema.optional(),
  }),
  z.object({
    type: z.literal('turn-ended'),
    session: z.number(),
    /** Counts from 1 within the session. */
    turn: z.number(),
    outcome: outcomeKindSchema,
    reason: z.string(),
    contextShare: z.number().optional(),
    /** The reset of a usage limit that ended it, epoch milliseconds; absent: none did, or nobody named it. */
    until: z.number().optional(),
    /** It ended as if at a usage limit that the agent does not report. */
    suspectsLimit: z.literal(true).optional(),
    /** What the agent leaves for later sessions by the marker `LESSON`. */
    lessons: z.array(z.string()).optional(),
  }),
  z.object({
    /** Another agent does the work from here on. */
    type: z.literal('agent-switched'),
    role: roleSchema,
    task: z.string().optional(),
    from: z.string(),
    to: z.string(),
    /**
     * `limit`: of `from`; `refused`: `from` could not stand in; `back`: `to` is the intended one, and its limit is over.
     */
    why: z.enum(['limit', 'refused', 'back']),
    /** The reset of that limit, epoch milliseconds; absent if nobody named it. */
    until: z.number().optional(),
  }),
  z.object({
    type: z.literal('clock-rang'),
    session: z.number().optional(),
    /** Name of the setting under `clocks`. */
    clock: z.string(),
    afterMs: z.number(),
  }),
  z.object({
    type: z.literal('limit-seen'),
    session: z.number(),
    status: z.enum(['allowed', 'warning', 'rejected']),
    window: z.string().optional(),
    /** 0 to 1. */
    utilization: z.number().optional(),
    /** Epoch milliseconds. */
    resetsAt: z.number().optional(),
  }),
  z.object({
    type: z.literal('leftovers-ended'),
    /** Absent: they belonged to a check. */
    session: z.number().optional(),
    processes: z.array(z.object({ pid: z.number(), command: z.string() })),
  }),
  z.object({
    type: z.literal('session-ended'),
    session: z.number(),
    outcome: outcomeKindSchema,
    reason: z.string(),
    /** Cumulative, US dollars; absent: unknown, which is never shown as 0. */
    costUsd: z.number().optional(),
    /** True if there was no final figure, so that `costUsd` is a lower bound. */
    costAtLeast: z.boolean(),
    tokens: tokensSchema.optional(),
    /** Spawn to end, milliseconds. */
    durationMs: z.number(),
    exitCode: z.number().nullable(),
    signal: z.string().nullable(),
  }),
] as const;
