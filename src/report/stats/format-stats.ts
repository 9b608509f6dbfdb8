// Formats the statistics of runs.
import type { Spent } from '../../journal/ledger.ts';
import type { RunState } from '../../journal/state.ts';
import { formatTimes } from '../text/amount.ts';
import { formatCost, formatCount, formatMoment, formatMs, formatTokens } from '../text/figure.ts';
import { type Line, labelled, line } from '../text/line.ts';
import { alignRows } from '../text/width.ts';
import type { RunView } from '../view/run-view.ts';

const mostInterventions = 20;

/** With what people did in it. */
export type CountedRun = RunView & Pick<RunState, 'interventions'>;

export function formatStats(run: CountedRun): readonly Line[] {
  const { times, tasks, apiEquivalent } = run;
  const state = run.state === 'finished' ? 'finished' : 'not finished';
  const about = [run.run, state, `${tasks.closed} of ${formatCount(tasks.total, 'task')} closed`];
  return [
    line('head', `${run.title} (${run.plan})`),
    labelled('plain', 'run', about.join(', ')),
    labelled('plain', 'time', formatTimes(times)),
    labelled('plain', 'spent', `${formatEffort(run)}${apiEquivalent ? ` (${apiEquivalent})` : ''}`),
    labelled('plain', 'tokens', formatAllTokens(run.spent)),
    ...formatInterventions(run),
  ];
}

function formatEffort({ spent, attempts, corrections }: CountedRun): string {
  const { sessions } = spent;
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

/** The mean time between interventions. */
function formatMean({ interventions: { length }, times: { atWork } }: CountedRun): string {
  if (length === 0) return `no interventions in ${formatMs(atWork)}`;
  return `${formatMs(atWork / length)} at work between interventions (${length} in ${formatMs(atWork)})`;
}

function formatInterventions(run: CountedRun): readonly Line[] {
  const { interventions } = run;
  const rest = interventions.length - mostInterventions;
  return [
    labelled('plain', 'person', formatMean(run)),
    ...interventions
      .slice(0, mostInterventions)
      .map(({ at, kind, text }) => labelled('dim', '', `${formatMoment(Date.parse(at))}  ${kind}: ${text}`)),
    ...(rest > 0 ? [labelled('dim', '', `and ${rest} more, see pawl stats --json`)] : []),
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
