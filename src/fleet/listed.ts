// A job as people see it, from its row in the database. Pure.
import { type Result, resultOf } from './job.ts';

/** Instants are epoch ms, by the database's clock. */
export type Listed = Readonly<{
  id: string;
  data: unknown;
  /** `held`: the job it comes after is over but not done. */
  state: 'waiting' | 'held' | 'queued' | 'active' | 'over';
  after: string | undefined;
  /** Of the job that it comes after. */
  before: Result | undefined;
  at: number;
  run: string | undefined;
  result: Result | undefined;
  /** As its worker last told, `ageMs` ago. */
  seen: Readonly<{ worker: string; headline: unknown; ageMs: number }> | undefined;
  /** Why a machine last gave it back, how often in a row, and in how many ms it is offered again. */
  last: Readonly<{ says: string; times: number; dueMs?: number }> | undefined;
}>;

type JobRow = Readonly<{
  id: string;
  data: unknown;
  after: string | null;
  attempt: number;
  troubles: number;
  before: unknown;
}>;

export type OfferRow = JobRow & Readonly<{ before_data: unknown }>;

export type ListedRow = JobRow &
  Readonly<{
    at: Date;
    beat: Date | null;
    run: string | null;
    result: unknown;
    trouble: string | null;
    worker: string | null;
    headline: unknown;
    due_ms: number;
    age_ms: number | null;
  }>;

export function listedOf(row: ListedRow): Listed {
  const { id, data, troubles, trouble, worker, headline, due_ms: dueMs, age_ms: ageMs } = row;
  return {
    ...{ id, data, state: stateOf(row), at: row.at.getTime() },
    ...{ after: row.after ?? undefined, run: row.run ?? undefined },
    ...{ result: resultOf(row.result), before: resultOf(row.before) },
    seen: ageMs === null ? undefined : { worker: worker ?? '', headline, ageMs: Math.max(0, ageMs) },
    last:
      troubles > 0
        ? {
            says: trouble ?? 'a worker fell silent',
            times: troubles,
            ...(row.beat === null && dueMs > 0 ? { dueMs } : {}),
          }
        : undefined,
  };
}

function stateOf({ result, beat, after, before }: ListedRow): Listed['state'] {
  if (result !== null) return 'over';
  if (beat !== null) return 'active';
  if (after === null || resultOf(before)?.kind === 'done') return 'queued';
  return before === null ? 'waiting' : 'held';
}
