// Facts about one agent process.
import { z } from 'zod';
import { fact } from './shapes.ts';

/** Cumulative over the session. */
export const tokensSchema = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
});

export const roleSchema = z.enum(['plan', 'task', 'review', 'fix', 'replan', 'finalize']);

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
  fact('session-started', {
    /** From 1 within the run; names the files `sessions/NNN.*`. */
    session: z.number(),
    role: roleSchema,
    task: z.string().optional(),
    attempt: z.number().optional(),
    reviewer: z.string().optional(),
    /** Absolute. */
    cwd: z.string(),
    agent: z.string(),
    /** The shipped agent that it is another login of. */
    uses: z.string().optional(),
    /** The agent that it stands in for, which is at its usage limit. */
    insteadOf: z.string().optional(),
    /** As requested; absent: the agent's default. */
    model: z.string().optional(),
    /** Reserved, US dollars; absent: no cap. */
    maxCostUsd: z.number().optional(),
    pid: z.number(),
    /** `PAWL_SESSION` of all its processes. */
    mark: z.string(),
    /** The repository's own agent config was kept out. */
    configKeptOut: z.boolean(),
    /** The session whose conversation it continues. */
    continues: z.number().optional(),
    /** A person's notes in its prompt: this fact delivers them. */
    notes: z.array(z.number()).optional(),
  }),
  fact('session-ready', {
    session: z.number(),
    /** The agent's id of the conversation, as for `claude --resume`. */
    agentSession: z.string(),
    model: z.string(),
    version: z.string(),
  }),
  fact('session-cost', {
    session: z.number(),
    /** Cumulative; absent: unknown. */
    costUsd: z.number().optional(),
    tokens: tokensSchema.optional(),
  }),
  fact('turn-ended', {
    session: z.number(),
    /** From 1 within the session. */
    turn: z.number(),
    outcome: outcomeKindSchema,
    reason: z.string(),
    contextShare: z.number().optional(),
    /** Reset of the usage limit that ended it, epoch milliseconds; absent: none did, or it is unknown. */
    until: z.number().optional(),
    /** It ended as if at a usage limit that the agent does not report. */
    suspectsLimit: z.literal(true).optional(),
    /** Left for later sessions by the marker `LESSON`. */
    lessons: z.array(z.string()).optional(),
  }),
  fact('agent-switched', {
    role: roleSchema,
    task: z.string().optional(),
    from: z.string(),
    to: z.string(),
    /** `limit`: of `from`; `refused`: `from` could not stand in; `back`: `to` is the intended one, its limit over. */
    why: z.enum(['limit', 'refused', 'back']),
    /** Reset of that limit, epoch milliseconds; absent: unknown. */
    until: z.number().optional(),
  }),
  fact('clock-rang', {
    session: z.number().optional(),
    /** A setting under `clocks`. */
    clock: z.string(),
    afterMs: z.number(),
  }),
  fact('limit-seen', {
    session: z.number(),
    status: z.enum(['allowed', 'warning', 'rejected']),
    window: z.string().optional(),
    /** 0 to 1. */
    utilization: z.number().optional(),
    /** Epoch milliseconds. */
    resetsAt: z.number().optional(),
  }),
  fact('leftovers-ended', {
    /** Absent: a check's. */
    session: z.number().optional(),
    processes: z.array(z.object({ pid: z.number(), command: z.string() })),
  }),
  fact('session-ended', {
    session: z.number(),
    outcome: outcomeKindSchema,
    reason: z.string(),
    /** Cumulative; absent: unknown, which is never shown as 0. */
    costUsd: z.number().optional(),
    /** No final figure: `costUsd` is a lower bound. */
    costAtLeast: z.boolean(),
    tokens: tokensSchema.optional(),
    /** Spawn to end. */
    durationMs: z.number(),
    exitCode: z.number().nullable(),
    signal: z.string().nullable(),
  }),
] as const;
