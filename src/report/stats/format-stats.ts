// Formats the statistics of runs.
import type { Spent, TimeByDoing } from '../../journal/ledger.ts';
import type { CountedRun, Interventions, RunStats, Tally } from '../../journal/run-stats.ts';
import type { RunState } from '../../journal/state.ts';
import { proofWordOf } from '../../journal/task-proof.ts';
import { formatCost, formatCount, formatMoment, formatMs, formatTokens } from '../text/figure.ts';
import { type Line, labelled, line } from '../text/line.ts';
import { alignRows } from '../text/width.ts';

const mostInterventions = 20;

/** `equivalent`: beside a cost that a subscription pays; empty if dollars are dollars. */
export function formatStats(stats: RunStats, equivalent: string): readonly Line[] {
  const { whole, interventions } = stats;
  const state = stats.finished ? 'finished' : 'not finished';
  return [
    line('head', `${stats.title} (${stats.plan})`),
    labelled(
      'plain',
      'run',
      `${stats.run}, ${state}, ${stats.closed} of ${formatCount(stats.total, 'task')} closed`,
    ),
    labelled('plain', 'time', formatTimes(whole.ms, interventions.atWorkMs)),
    labelled('plain', 'spent', `${formatEffort(whole)}${equivalent && ` (${equivalent})`}`),
    labelled('plain', 'tokens', formatAllTokens(whole.spent)),
    ...formatInterventions(interventions),
  ];
}

export function formatTimes(ms: TimeByDoing, atWorkMs: number): string {
  const isAtOnce = ms.working + ms.checking + ms.own > atWorkMs;
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
  const atWork = `${formatMs(atWorkMs)} at work${isAtOnce ? ' by the clock' : ''}`;
  return `${atWork}${work && `: ${work}`}${besides && `; besides ${besides}`}`;
}

function listTimes(spans: readonly (readonly [ms: number, what: string])[]): string {
  return spans
    .filter(([ms]) => ms > 0)
    .map(([ms, what]) => `${formatMs(ms)} ${what}`)
    .join(', ');
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
