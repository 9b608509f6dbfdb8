// `pawl cap`: what all machines with an account may spend together, in the fleet's database.
import { Failure } from '../failure.ts';
import { type CliContext, print } from '../start/context.ts';
import { loadSettings } from '../start/load-settings.ts';
import type { Command } from './command.ts';

type CapOptions = Readonly<{ per?: 'day' | 'month' | 'total' }>;

/** Shows all caps, or sets one. */
export const setAccountCap: Command<CapOptions> = async (context, [account, dollars], { per = 'day' }) => {
  const url = needUrl(context);
  if (account !== undefined && dollars === undefined)
    throw new Failure('usage', `what may ${account} spend?`, {
      hint: `pawl cap ${account} 20; pawl cap alone shows all caps`,
    });
  const usd = dollars === undefined ? undefined : readUsd(dollars);
  const [{ openDatabase }, { listCaps, setCap }] = await Promise.all([
    import('../fleet/database.ts'),
    import('../fleet/account-caps.ts'),
  ]);
  await using database = await openDatabase(url, { connections: 1 });
  if (account !== undefined) await setCap(database, { account, per, usd });
  const caps = await listCaps(database);
  for (const { account: name, says } of caps) print(context, `${name}: ${says}`);
  if (caps.length === 0) print(context, 'No account has a cap: `pawl cap <account> <dollars>` sets one.');
  return 0;
};

function needUrl(context: CliContext): string {
  const { config } = loadSettings(context, { trusted: false });
  if (config.fleet.url !== undefined) return config.fleet.url;
  throw new Failure('usage', 'caps are kept in the database of a fleet, and fleet.url names none', {
    hint: 'Set PAWL_FLEET_URL, or fleet.url in your own settings. For one machine budgets.day is a cap.',
  });
}

function readUsd(text: string): number | undefined {
  if (text === 'none') return undefined;
  const usd = /^\$?(\d+(?:\.\d{1,4})?)$/.exec(text.trim())?.[1];
  if (usd !== undefined && Number(usd) > 0) return Number(usd);
  throw new Failure('usage', `“${text}” is not a number of US dollars`, {
    hint: 'pawl cap team 20, or pawl cap team none',
  });
}
