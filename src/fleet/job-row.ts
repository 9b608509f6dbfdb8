// A row of pawl's own table of jobs, and what it says to people. Pure.
import { type Result, resultSchema } from './job.ts';
import type { Listed } from './queue.ts';

export type JobRow = Readonly<{
  id: string;
  queue: string;
  data: unknown;
  after: string | null;
  priority: number;
  at: Date;
  run: string | null;
  result: unknown;
  sent: boolean;
  heartbeat: number;
  troubles: number;
  returned: number;
  trouble: string | null;
  worker: string | null;
  headline: unknown;
  /** Result of the job that it comes after. */
  before: unknown;
}>;

/**
 * The job as people see it; `state`: the engine's, null if the engine does not know the job; `due`: in how many ms it will
 * be offered.
 */
export function listedOf(
  row: JobRow & Readonly<{ state: string | null; due: number | null; age: number | null }>,
): Listed {
  const result = resultOf(row.result);
  return {
    ...{ id: row.id, data: row.data, state: stateOf(row), priority: row.priority, at: row.at.getTime() },
    ...{ after: row.after ?? undefined, run: row.run ?? undefined, result, before: resultOf(row.before) },
    seen:
      row.age === null
        ? undefined
        : { worker: row.worker ?? '', headline: row.headline, ageMs: Math.max(0, row.age) },
    last: row.troubles > 0 ? { says: row.trouble ?? '', times: row.troubles, ...dueOf(row) } : undefined,
  };
}

function dueOf({ state, due }: Parameters<typeof listedOf>[0]): Readonly<{ dueMs?: number }> {
  return state === 'retry' && due !== null && due > 0 ? { dueMs: due } : {};
}

function stateOf({ result, sent, state, before }: Parameters<typeof listedOf>[0]): Listed['state'] {
  const kind = resultOf(result)?.kind;
  if (kind !== undefined) return kind === 'dead' ? 'dead' : 'over';
  if (sent) return state === 'active' ? 'active' : 'queued';
  return resultOf(before) ? 'held' : 'waiting';
}

/** A result as stored in the database; undefined if it is not a known one. */
export function resultOf(value: unknown): Result | undefined {
  const read = resultSchema.safeParse(value);
  return read.success ? read.data : undefined;
}
