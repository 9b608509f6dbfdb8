// Formats the statistics of runs.
import type { RunState } from '../../journal/state.ts';
import { alignRows } from '../../width.ts';
import { toLines } from '../text/block.ts';
import { atMost, formatCost, formatCount, formatMoment, formatMs } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import { costBlocks } from '../view/report-run.ts';
import type { RunView } from '../view/run-view.ts';

const mostInterventions = 20;

/** With what people did in it. */
export type CountedRun = RunView & Pick<RunState, 'interventions'>;

export function formatStats(state: RunState, view: RunView): readonly Line[] {
  const { run, title, plan, tasks, attempts, corrections } = view;
  const { interventions } = state;
  const about = [
    view.state === 'finished' ? 'finished' : 'not finished',
    `${tasks.closed} of ${formatCount(tasks.total, 'task')} closed`,
    formatCount(attempts, 'attempt'),
    formatCount(corrections, 'correction'),
  ];
  return [
    line('head', `${title} (${plan})`),
    line('plain', `${run}: ${about.join(', ')}`, 1),
    ...toLines(costBlocks(state, view)),
    ...atMost(
      interventions.map(({ at, kind, text }) => `${formatMoment(Date.parse(at))}  ${kind}: ${text}`),
      mostInterventions,
      (rest) => `and ${rest} more, see pawl stats --json`,
    ).map((text) => line('dim', text, 2)),
  ];
}

const mostName = 30;

export function formatRunsTable(runs: readonly CountedRun[]): readonly Line[] {
  const rows = runs.map(({ run, state, tasks, changed, attempts, spent, times, interventions }) => [
    run,
    state === 'finished' ? 'finished' : 'open',
    `${tasks.closed}/${tasks.total}${tasks.unchecked > 0 ? `, ${tasks.unchecked} unchecked` : ''}`,
    `${attempts}`,
    formatCost(spent).replace('cost unknown', 'unknown').replace('at least ', '≥ '),
    formatMs(times.atWork),
    `${interventions.length}`,
    changed ? `+${changed.insertions} −${changed.deletions}` : 'unknown',
  ]);
  const titles = ['run', 'end', 'closed', 'attempts', 'cost', 'at work', 'person', 'lines'];
  const [head = '', ...body] = alignRows([titles, ...rows], mostName);
  return [line('head', head), ...body.map((text) => line('plain', text))];
}
