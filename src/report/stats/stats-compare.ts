// Formats the statistics of several runs side by side: a row per figure, a column per run, and each task's cost and work.

import type { RunStats } from '../../journal/run-stats.ts';
import type { Tally } from '../../journal/tally.ts';
import { formatCost, formatMs, formatSpentTokens } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import { alignRows } from '../text/width.ts';

/** Runs in columns. */
export function compareStats(all: readonly RunStats[]): readonly Line[] {
  const row = (label: string, of: (stats: RunStats) => string) => [label, ...all.map(of)];
  const whole = (of: (tally: Tally) => string) => (stats: RunStats) => of(stats.whole);
  const time = (doing: keyof Tally['ms']) => whole(({ ms }) => formatMs(ms[doing]));
  const token = (kind: 'input' | 'output' | 'cacheRead' | 'cacheWrite') =>
    whole(({ spent }) => formatSpentTokens(spent, (tokens) => tokens[kind]));
  const rows = [
    row('run', ({ run }) => run),
    row('tasks closed', ({ closed, total }) => `${closed} of ${total}`),
    row('cost', whole(formatTallyCost)),
    row(
      'sessions',
      whole(({ sessions }) => `${sessions}`),
    ),
    row(
      'attempts',
      whole(({ attempts }) => `${attempts}`),
    ),
    row(
      'corrections',
      whole(({ corrections }) => `${corrections}`),
    ),
    row('tokens input', token('input')),
    row('tokens output', token('output')),
    row('tokens cache read', token('cacheRead')),
    row('tokens cache write', token('cacheWrite')),
    row('in sessions', time('working')),
    row('in checks', time('checking')),
    row('pawl’s own', time('own')),
    row('waiting', time('waiting')),
    row('paused', time('paused')),
    row('stopped', time('stopped')),
    row('interventions', ({ interventions }) => `${interventions.list.length}`),
    row('one every', ({ interventions: { mtbiMs } }) => (mtbiMs === undefined ? 'none' : formatMs(mtbiMs))),
    ...taskIds(all).map((id) => row(`task ${id}`, (stats) => formatTask(stats, id))),
  ];
  const [head = '', ...body] = alignRows(rows, mostLabel);
  return [line('head', head), ...body.map((text) => line('plain', text))];
}

const mostLabel = 24;

function taskIds(all: readonly RunStats[]): readonly string[] {
  return [...new Set(all.flatMap(({ tasks }) => tasks.map(({ name }) => name)))];
}

function formatTask({ tasks }: RunStats, id: string): string {
  const found = tasks.find(({ name }) => name === id);
  return found ? `${formatTallyCost(found.tally)}, ${formatMs(found.tally.ms.working)}` : '–';
}

function formatTallyCost({ spent }: Tally): string {
  return formatCost(spent);
}
