// Wakes workers when the database has changed, by PostgreSQL's NOTIFY. A pooler may not pass it on, so listeners also
// look by themselves.
import type { Client } from 'pg';

const channel = 'pawl';

/** Wakes all who listen, once the transaction is committed. */
export async function tellFleet(query: (sql: string) => Promise<unknown>): Promise<void> {
  await query(`select pg_notify('${channel}', '')`);
}

const againMs = 10_000;

export function listenToFleet(connect: () => Client, hear: () => void): AsyncDisposable {
  let isOver = false;
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  const later = () => {
    client = undefined;
    if (!isOver) timer ??= setTimeout(begin, againMs).unref();
  };
  const begin = () => {
    timer = undefined;
    const own = connect();
    client = own;
    own.on('error', later);
    own.on('end', later);
    own.on('notification', hear);
    own
      .connect()
      .then(() => own.query(`listen ${channel}`))
      .catch(later);
  };
  begin();
  return {
    [Symbol.asyncDispose]: async () => {
      isOver = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
