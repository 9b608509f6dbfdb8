// What the repository's other runs have spent today. An unreadable run has spent an unknown amount.
import path from 'node:path';
import { listRunFolders, statJournal } from './folder.ts';
import { type Dollars, spentSince } from './ledger.ts';
import { findDamage, readIfSound } from './read-journal.ts';

/** The date, e.g. 2026-11-22, and its local midnight, epoch milliseconds. */
export type Day = Readonly<{ day: string; sinceMs: number }>;

/** `elsewhere`: spent that day by other runs. */
export type Today = Day & Readonly<{ elsewhere: Dollars }>;

export function dayOf(now: Date): Day {
  const midnight = new Date(now);
  midnight.setHours(0, 0, 0, 0);
  const [year, month, date] = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  const two = (number: number) => String(number).padStart(2, '0');
  return { day: `${year}-${two(month)}-${two(date)}`, sinceMs: midnight.getTime() };
}

/** In the local day of `now`. Omits `run`, whose own state is known better. */
export function spentToday(commonDir: string, run: string, now: Date): Today {
  const day = dayOf(now);
  const spent = listRunFolders(commonDir)
    .filter((folder) => path.basename(folder) !== run)
    .map((folder) => spentBy(folder, day.sinceMs));
  const costUsd = spent.reduce((sum, one) => sum + one.costUsd, 0);
  return { ...day, elsewhere: { costUsd, atLeast: spent.some(({ atLeast }) => atLeast) } };
}

function spentBy(folder: string, sinceMs: number): Dollars {
  if ((statJournal(folder)?.mtimeMs ?? 0) < sinceMs) return nothing;
  if (findDamage(folder)) return { costUsd: 0, atLeast: true };
  const state = readIfSound(folder);
  return state ? spentSince(state, sinceMs) : nothing;
}

const nothing: Dollars = { costUsd: 0, atLeast: false };

/** Whether it wrote anything in the local day of `now`: then its spending counts. */
export function isOfToday(folder: string, now: Date): boolean {
  return (statJournal(folder)?.mtimeMs ?? 0) >= dayOf(now).sinceMs;
}
