// Runs as a table for 100 columns. Pure; the unknown is never 0.

import type { CountedRun } from '../../journal/run-stats.ts';
import type { RunState } from '../../journal/state.ts';
import { proofWordOf } from '../../journal/task-proof.ts';
import { formatCost, formatMs } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import { alignRows } from '../text/width.ts';

const mostName = 30;

export function formatRunsTable(runs: readonly CountedRun[]): readonly Line[] {
  const rows = runs.map(({ stats, state }) => {
    const { whole, interventions, finished } = stats;
    return [
      stats.run,
      `${finished ? 'finished' : 'open'}`,
      formatClosed({ stats, state }),
      `${whole.attempts}`,
      formatCost(whole.spent).replace('cost unknown', 'unknown').replace('at least ', '≥ '),
      formatMs(interventions.atWorkMs),
      `${interventions.list.length}`,
      formatDifference(state) ?? 'unknown',
    ];
  });
  const titles = ['run', 'end', 'closed', 'attempts', 'cost', 'at work', 'person', 'lines'];
  const [head = '', ...body] = alignRows([titles, ...rows], mostName);
  return [line('head', head), ...body.map((text) => line('plain', text))];
}

function formatClosed({ stats, state }: CountedRun): string {
  const unchecked = [...state.tasks.values()].filter((task) => proofWordOf(task) === 'unchecked').length;
  return `${stats.closed}/${stats.total}${unchecked > 0 ? `, ${unchecked} unchecked` : ''}`;
}

function formatDifference({ ended }: RunState): string | undefined {
  if (!ended?.difference) return undefined;
  const { insertions, deletions } = ended.difference;
  return `+${insertions} −${deletions}`;
}
