// Formats statistics as CSV (RFC 4180), one line per run and one for each part of it. Unknown is empty, never 0.
import type { Part, Parts, RunStats } from '../../journal/run-stats.ts';
import type { Doing } from '../../journal/timeline.ts';

const partings: readonly (keyof Parts)[] = ['tasks', 'phases', 'roles', 'agents', 'models'];
const doings: readonly Doing[] = ['working', 'checking', 'waiting', 'paused', 'stopped', 'own'];

const head = [
  'run',
  'plan',
  'by',
  'name',
  'sessions',
  'attempts',
  'corrections',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'costUsd',
  'costAtLeast',
  ...doings.map((doing) => `${doing}Ms`),
  'interventions',
  'mtbiMs',
];

/** The statistics of runs as CSV with a header line. `by` is `run`, `task`, `phase`, `role`, `agent` or `model`. */
export function writeCsv(all: readonly RunStats[]): string {
  const rows = all.flatMap((stats) => {
    const { list, mtbiMs } = stats.interventions;
    const whole = [...row(stats, 'run', { name: stats.run, tally: stats.whole }), list.length, mtbiMs];
    const parts = partings.flatMap((parting) =>
      stats[parting].map((part) => [...row(stats, parting.slice(0, -1), part), undefined, undefined]),
    );
    return [whole, ...parts];
  });
  return [head, ...rows].map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
}

type Cell = string | number | boolean | undefined;

function row({ run, plan }: RunStats, by: string, { name, tally }: Part): readonly Cell[] {
  const { sessions, attempts, corrections, spent, ms } = tally;
  const { tokens } = spent;
  return [
    ...[run, plan, by, name, sessions, attempts, corrections],
    ...[tokens?.input, tokens?.output, tokens?.cacheRead, tokens?.cacheWrite],
    ...[spent.costUsd, spent.atLeast],
    ...doings.map((doing) => ms[doing]),
  ];
}

/** Keeps a text from being taken for a formula by a spreadsheet. */
function cellOf(cell: Cell): string {
  if (typeof cell !== 'string') return cell === undefined ? '' : `${cell}`;
  const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
