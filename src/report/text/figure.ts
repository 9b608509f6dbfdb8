// Formats durations, money, budgets, counts, names, times.
import { formatUsd } from '../../dollars.ts';
import type { BudgetName, Cap } from '../../event/caps.ts';
import type { FactOf } from '../../event.ts';
import type { RunTimes, Spent } from '../../journal/ledger.ts';

/** `0.4s`, `12s`, `2m 04s`, `1h 02m`. */
export function formatMs(ms: number): string {
  if (ms < 950) return `${(Math.max(0, ms) / 1000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${twoDigits(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${twoDigits(minutes % 60)}m`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}

/** `$0.42`, `at least $0.42`; a bound of nothing is `cost unknown`, never $0. */
export function formatCost(cost: Readonly<{ costUsd?: number | undefined; atLeast: boolean }>): string {
  if (cost.costUsd === undefined) return 'cost unknown';
  if (!cost.atLeast) return formatUsd(cost.costUsd);
  return cost.costUsd > 0 ? `at least ${formatUsd(cost.costUsd)}` : 'cost unknown';
}

export function formatCount(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

export function formatList(names: readonly string[], most = 6): string {
  if (names.length <= most) return names.join(', ');
  return `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
}

/** `more`: in the place of those that are too many. */
export function atMost<T>(all: readonly T[], most: number, more: (rest: number) => T): readonly T[] {
  return all.length <= most ? all : [...all.slice(0, most), more(all.length - most)];
}

/** Of many the first ones, and how many there are. */
export function formatTasks(ids: readonly string[], most = 6): string {
  if (ids.length < 2) return `task ${ids.join('')}`;
  if (ids.length > most) return `tasks ${formatList(ids, most)}`;
  return `tasks ${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`;
}

/** Of several lines the first that runs something, and how many there are. */
export function formatCommand(command: string): string {
  const lines = command.split('\n').filter((text) => text.trim() !== '');
  const first = lines.find((text) => !text.trim().startsWith('#')) ?? lines[0] ?? '';
  return lines.length > 1 ? `${first.trim()} … (${lines.length} lines)` : first.trim();
}

/** Paths are relative to the session's `folder`. */
export function formatToolDetail(detail: string, folder: string | undefined): string {
  if (folder === undefined || !detail.includes(folder)) return detail;
  if (detail === folder) return '.';
  return detail
    .split(`${folder}/`)
    .map((part, at, { length }) => (at < length - 1 && /[\w./-]$/.test(part) ? `${part}${folder}/` : part))
    .join('');
}

export function shortOid(name: string): string {
  return isOid(name) ? name.slice(0, 10) : name;
}

export function isOid(name: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(name);
}

/** `share`: 0 to 1. */
export function formatShare(share: number): string {
  return `${Math.round(share * 100)}%`;
}

export function formatTokens(tokens: number): string {
  if (tokens < 1000) return `${tokens}`;
  return tokens < 999_500 ? `${Math.round(tokens / 1000)}k` : `${(tokens / 1_000_000).toFixed(1)}m`;
}

/** In the reader's time zone: `Sat 22 Nov, 02:30`. */
export function formatMoment(epochMs: number): string {
  if (!Number.isFinite(epochMs) || Math.abs(epochMs) > 8.64e15) return 'an unknown time';
  // Intl takes 40 ms to load.
  const date = new Date(epochMs);
  const [weekday, month] = date.toDateString().split(' ');
  return `${weekday} ${date.getDate()} ${month}, ${date.toTimeString().slice(0, '02:30'.length)}`;
}

/** `02:30`, with the day if it is more than a day away. */
export function formatTime(epochMs: number, nowMs: number): string {
  const moment = formatMoment(epochMs);
  return Math.abs(epochMs - nowMs) < 20 * 3_600_000 ? moment.slice(-'02:30'.length) : moment;
}

/** `Sat 22 Nov, 02:30 to 03:10`; within a minute a single one. */
export function formatSpan(fromMs: number, toMs: number): string {
  const from = formatMoment(fromMs);
  return formatMoment(toMs) === from ? from : `${from} to ${formatTime(toMs, fromMs)}`;
}

export function formatClock(at: string): string {
  const date = new Date(at);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  return parts.map((part) => String(Number.isNaN(part) ? '--' : part).padStart(2, '0')).join(':');
}

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kb = bytes / 1024;
  return kb < 1024 ? `${kb.toFixed(0)} KB` : `${(kb / 1024).toFixed(1)} MB`;
}

/** In one row: `at most $20.00 (--max-cost), 35 sessions`. */
export function formatCaps(caps: readonly Cap[]): string {
  const words = caps.map(
    ({ budget, cap, from }) => `${formatAmount(budget, cap)}${from === 'default' ? '' : ` (${from})`}`,
  );
  const hasDollars = caps.some(({ budget }) => budget === 'cost' || budget === 'day');
  const limits = words.length === 0 ? [] : [`at most ${words.join(', ')}`];
  return [...(hasDollars ? [] : ['no cost limit']), ...limits].join(', ');
}

export function formatAmount(budget: BudgetName | 'task', amount: number): string {
  switch (budget) {
    case 'cost':
    case 'task':
      return formatUsd(amount);
    case 'day':
      return `${formatUsd(amount)} a day`;
    case 'tokens':
      return `${formatTokens(amount)} tokens`;
    case 'time':
      return formatMs(amount);
    case 'sessions':
      return formatCount(amount, 'session');
  }
}

export function formatReached(fact: FactOf<'budget-reached'>): string {
  const { budget, task, share, spent, cap, atLeast } = fact;
  const of = budget === 'task' ? `of task ${task ?? ''}` : budgetNames[budget];
  const amounts = `${atLeast ? 'at least ' : ''}${formatAmount(budget, spent)} of ${formatAmount(budget, cap)}`;
  return share === 1
    ? `The budget ${of} is spent: ${amounts}; nothing new starts`
    : `${Math.floor((100 * spent) / cap)}% of the budget ${of} is spent: ${amounts}`;
}

const budgetNames: Readonly<Record<BudgetName, string>> = {
  cost: 'of this run',
  day: 'of the day',
  tokens: 'of tokens',
  time: 'of time',
  sessions: 'of sessions',
};

export function formatTimes(ms: RunTimes): string {
  const isAtOnce = ms.working + ms.checking + ms.own > ms.atWork;
  const work = listTimes([
    [ms.working, 'in sessions'],
    [ms.checking, `in checks${isAtOnce ? ', some at once' : ''}`],
    [ms.own, 'in pawl itself'],
  ]);
  const besides = listTimes([
    [ms.waiting, 'waiting'],
    [ms.paused, 'paused'],
    [ms.stopped, 'stopped'],
  ]);
  const atWork = `${formatMs(ms.atWork)} at work${isAtOnce ? ' by the clock' : ''}`;
  return `${atWork}${work && `: ${work}`}${besides && `; besides ${besides}`}`;
}

function listTimes(spans: readonly (readonly [ms: number, what: string])[]): string {
  return spans
    .filter(([ms]) => ms > 0)
    .map(([ms, what]) => `${formatMs(ms)} ${what}`)
    .join(', ');
}

export function formatSpent({ sessions, ...cost }: Spent): string {
  return sessions === 0 ? 'nothing' : `${formatCost(cost)} in ${formatCount(sessions, 'session')}`;
}
