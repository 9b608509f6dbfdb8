// What people ask of a job's run: rows in the fleet's database. Its worker hands them to its pawl and stores the reply;
// if the worker dies in between, they are delivered again.
import { z } from 'zod';
import { jsonOf, type Query } from './database.ts';

const replySchema = z.object({ ok: z.boolean(), text: z.string() });

export type RequestReply = z.infer<typeof replySchema>;

/** `by`: who and where, for people. */
export type FleetRequest = Readonly<{
  id: string;
  job: string;
  by: string;
  at: Date;
  /** As stored: whoever hands it over judges it. */
  wish: unknown;
  /** Undefined: not taken yet. */
  reply: RequestReply | undefined;
}>;

/** Returns its id. */
export async function addRequest(
  query: Query,
  { job, by, wish }: Pick<FleetRequest, 'job' | 'by' | 'wish'>,
): Promise<string> {
  const [row] = await query<{ id: string }>(
    'insert into pawl.request (job, asked_by, wish) values ($1, $2, $3) returning id',
    [job, by, jsonOf(wish)],
  );
  return row?.id ?? '';
}

/** In order. */
export async function listRequests(query: Query, jobs: readonly string[]): Promise<readonly FleetRequest[]> {
  if (jobs.length === 0) return [];
  const rows = await query<FleetRequest>(
    'select id, job, asked_by as by, at, wish, reply from pawl.request where job = any($1) order by at',
    [jobs],
  );
  return rows.map((row) => ({ ...row, reply: replySchema.safeParse(row.reply).data }));
}

export async function answerRequest(query: Query, id: string, reply: RequestReply): Promise<void> {
  await query('update pawl.request set reply = $2 where id = $1', [id, jsonOf(reply)]);
}
