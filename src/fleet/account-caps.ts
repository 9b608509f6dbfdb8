// What the machines of an account may spend together: the caps, read with what is spent of them, set and listed.
import type { Database, Query } from './database.ts';
import { type Cap, capWords, formatUsd } from './leave.ts';

/** The caps of an account, and what of each is spent in its time and held by runs, US dollars. */
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

/** Sets the cap of an account for a time, or takes it away; undefined dollars: none. */
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

/** All caps, as lines: `team: $12.40 of $20.00 a day are spent, $5.00 are reserved`. */
export async function listCaps({ query }: Pick<Database, 'query'>): Promise<readonly string[]> {
  const accounts = await query<{ account: string }>('select distinct account from pawl.cap order by account');
  const lines: string[] = [];
  for (const { account } of accounts)
    for (const { per, usd, spent, held } of await readCaps(query, account))
      lines.push(
        `${account}: ${formatUsd(spent)} of ${formatUsd(usd)} ${capWords[per]} are spent, ${formatUsd(held)} are reserved`,
      );
  return lines;
}
