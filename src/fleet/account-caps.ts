// What the machines of an account may spend together: the caps, read with what is spent of them, set and listed.
import { formatUsd } from '../dollars.ts';
import type { Database, Query } from './database.ts';
import { type Cap, capWords, judgeWindow, type Window } from './leave.ts';

/** The caps of an account, with what is spent in each period and reserved by runs, US dollars. */
export async function readCaps(query: Query, account: string): Promise<readonly Cap[]> {
  return query<Cap>(
    `select c.per, c.usd::float8 as usd,
       coalesce((select sum(s.usd) from pawl.spend s where s.account = c.account and s.day >=
         case c.per when 'day' then current_date when 'month' then date_trunc('month', now())::date
           else date '0001-01-01' end), 0)::float8 as spent,
       coalesce((select sum(h.reserved) from pawl.hold h where h.account = c.account), 0)::float8 as held
     from pawl.cap c where c.account = $1 order by c.per`,
    [account],
  );
}

/** Sets the cap of an account for a period; undefined dollars remove it. */
export async function setCap(
  { query }: Pick<Database, 'query'>,
  { account, per, usd }: Readonly<{ account: string; per: Cap['per']; usd: number | undefined }>,
): Promise<void> {
  if (usd === undefined) await query('delete from pawl.cap where account = $1 and per = $2', [account, per]);
  else
    await query(
      `insert into pawl.cap (account, per, usd) values ($1, $2, $3)
       on conflict (account, per) do update set usd = $3, at = now()`,
      [account, per, usd],
    );
}

/** A cap of an account; `says`: `$12.40 of $20.00 a day are spent, $5.00 are reserved`. */
export type AccountCap = Cap & Readonly<{ account: string; says: string }>;

/** All caps of all accounts. */
export async function listCaps({ query }: Pick<Database, 'query'>): Promise<readonly AccountCap[]> {
  const accounts = await query<{ account: string }>('select distinct account from pawl.cap order by account');
  const caps: AccountCap[] = [];
  for (const { account } of accounts)
    for (const cap of await readCaps(query, account)) {
      const { per, usd, spent, held } = cap;
      const says = `${formatUsd(spent)} of ${formatUsd(usd)} ${capWords[per]} are spent, ${formatUsd(held)} are reserved`;
      caps.push({ account, ...cap, says });
    }
  return caps;
}

/** Agents with which nobody on an account starts a session now, and why; `forMs`: how much longer. */
export async function listShut({ query }: Pick<Database, 'query'>) {
  const rows = await query<Window & Readonly<{ account: string }>>(
    `select account, ${windowColumns} from pawl.window where until > now() order by account, agent`,
  );
  return rows.flatMap(({ account, ...window }) => {
    const judged = judgeWindow(window);
    return judged.kind === 'wait' ? [{ account, says: judged.text, forMs: judged.forMs }] : [];
  });
}

/** A window's columns, by the database's clock. */
export const windowColumns =
  'agent, set_by as by, canaries, (extract(epoch from until - clock_timestamp()) * 1000)::float8 as ms';
