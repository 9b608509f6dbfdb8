// Runs side by side: a row for each figure, a column for each run. Pure; what is unknown is written as that, never as 0.
import { proofWordOf } from '../../event/proof-word.ts';
import type { RunStats } from '../../journal/run-stats.ts';
import type { RunState } from '../../journal/state.ts';
import { formatCost, formatMs, formatSpentTokens } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import { alignRows } from '../text/width.ts';
import { formatMtbi } from './format-stats.ts';

export type CountedRun = Readonly<{ stats: RunStats; state: RunState }>;

const mostName = 30;

export function formatRunsTable(runs: readonly CountedRun[]): readonly Line[] {
  const row = (label: string, of: (run: CountedRun) => string | undefined): readonly string[] => [
    label,
    ...runs.map((run) => of(run) ?? 'unknown'),
  ];
  const [head = '', ...body] = alignRows(
    [
      row('', ({ stats }) => stats.run),
      row('plan', ({ stats }) => stats.plan),
      row('agent', ({ state: { started } }) => [started.agent, started.model].filter(Boolean).join(':')),
      row('end', ({ stats }) => (stats.finished ? 'finished' : 'not finished')),
      row('tasks closed', (run) => formatClosed(run)),
      row('attempts', ({ stats: { whole } }) => `${whole.attempts}`),
      row('corrections', ({ stats: { whole } }) => `${whole.corrections}`),
      row('cost', ({ stats: { whole } }) => formatCost(whole.spent).replace('cost unknown', 'unknown')),
      row('tokens', ({ stats: { whole } }) => formatSpentTokens(whole.spent)),
      row('at work', ({ stats: { interventions } }) => formatMs(interventions.atWorkMs)),
      row('waiting', ({ stats: { whole } }) => formatMs(whole.ms.waiting)),
      row('person', ({ stats: { interventions } }) => formatMtbi(interventions)),
      row('lines', ({ state }) => formatDifference(state)),
      row('branch', ({ state }) => state.started.branch),
    ],
    mostName,
  );
  return [line('head', head), ...body.map((text) => line('plain', text))];
}

function formatClosed({ stats, state }: CountedRun): string {
  const unchecked = [...state.tasks.values()].filter((task) => proofWordOf(task) === 'unchecked').length;
  return `${stats.closed} of ${stats.total}${unchecked > 0 ? `, ${unchecked} unchecked` : ''}`;
}

function formatDifference({ ended }: RunState): string | undefined {
  if (!ended?.difference) return undefined;
  const { files, insertions, deletions } = ended.difference;
  return `+${insertions} −${deletions} in ${files}`;
}
