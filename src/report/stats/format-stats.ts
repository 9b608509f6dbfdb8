// Formats the statistics of runs.
import type { Spent } from '../../journal/ledger.ts';
import type { Interventions, RunStats, Tally } from '../../journal/run-stats.ts';
import { formatTimes } from '../text/amount.ts';
import { formatCost, formatCount, formatMoment, formatMs, formatTokens } from '../text/figure.ts';
import { type Line, labelled, line } from '../text/line.ts';
import { alignRows } from '../text/width.ts';
import type { RunView } from '../view/run-view.ts';

const mostInterventions = 20;

export type CountedRun = RunView & RunStats;

export function formatStats(run: CountedRun): readonly Line[] {
  const { whole, interventions, tasks, apiEquivalent } = run;
  const state = run.state === 'finished' ? 'finished' : 'not finished';
  const about = [run.run, state, `${tasks.closed} of ${formatCount(tasks.total, 'task')} closed`];
  return [
    line('head', `${run.title} (${run.plan})`),
    labelled('plain', 'run', about.join(', ')),
    labelled('plain', 'time', formatTimes(whole.ms, interventions.atWorkMs)),
    labelled('plain', 'spent', `${formatEffort(whole)}${apiEquivalent ? ` (${apiEquivalent})` : ''}`),
    labelled('plain', 'tokens', formatAllTokens(whole.spent)),
    ...formatInterventions(interventions),
  ];
}

function formatEffort({ spent, sessions, attempts, corrections }: Tally): string {
  if (sessions === 0) return 'no session was started';
  const effort = [
    formatCount(sessions, 'session'),
    formatCount(attempts, 'attempt'),
    formatCount(corrections, 'correction'),
  ];
  return `${formatCost(spent)} in ${effort.join(', ')}`;
}

/** Unknown is not none. */
export function formatAllTokens({ tokens, tokensAtLeast, sessions }: Spent): string {
  if (!tokens) return sessions === 0 ? 'none' : 'unknown';
  const { input, output, cacheRead, cacheWrite } = tokens;
  const bound = tokensAtLeast ? 'at least ' : '';
  return `${bound}${formatTokens(input)} input, ${formatTokens(output)} output, ${formatTokens(cacheRead)} cache read, ${formatTokens(cacheWrite)} cache write`;
}

export function formatMtbi({ list, atWorkMs, mtbiMs }: Interventions): string {
  if (mtbiMs === undefined) return `no interventions in ${formatMs(atWorkMs)}`;
  return `${formatMs(mtbiMs)} at work between interventions (${list.length} in ${formatMs(atWorkMs)})`;
}

function formatInterventions(interventions: Interventions): readonly Line[] {
  const { list } = interventions;
  const rest = list.length - mostInterventions;
  return [
    labelled('plain', 'person', formatMtbi(interventions)),
    ...list
      .slice(0, mostInterventions)
      .map(({ at, kind, text }) => labelled('dim', '', `${formatMoment(Date.parse(at))}  ${kind}: ${text}`)),
    ...(rest > 0 ? [labelled('dim', '', `and ${rest} more, see pawl stats --json`)] : []),
  ];
}

const mostName = 30;

export function formatRunsTable(runs: readonly CountedRun[]): readonly Line[] {
  const rows = runs.map(({ run, state, tasks, changed, whole, interventions }) => [
    run,
    state === 'finished' ? 'finished' : 'open',
    `${tasks.closed}/${tasks.total}${tasks.unchecked > 0 ? `, ${tasks.unchecked} unchecked` : ''}`,
    `${whole.attempts}`,
    formatCost(whole.spent).replace('cost unknown', 'unknown').replace('at least ', '≥ '),
    formatMs(interventions.atWorkMs),
    `${interventions.list.length}`,
    changed ? `+${changed.insertions} −${changed.deletions}` : 'unknown',
  ]);
  const titles = ['run', 'end', 'closed', 'attempts', 'cost', 'at work', 'person', 'lines'];
  const [head = '', ...body] = alignRows([titles, ...rows], mostName);
  return [line('head', head), ...body.map((text) => line('plain', text))];
}
