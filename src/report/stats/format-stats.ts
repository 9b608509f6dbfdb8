// Formats the statistics of runs as lines: where time and money went, how often a person had to act, and tables by task,
// phase, role, agent and model.
import type { Tokens } from '../../event/activity.ts';
import type { Interventions } from '../../journal/interventions.ts';
import type { Spent } from '../../journal/ledger.ts';
import type { Part, Parts, RunStats, Together } from '../../journal/run-stats.ts';
import type { Tally } from '../../journal/tally.ts';
import {
  formatCost,
  formatCount,
  formatMoment,
  formatMs,
  formatSpentTokens,
  formatTokens,
} from '../text/figure.ts';
import { type Line, labelled, line } from '../text/line.ts';
import { alignRows } from '../text/width.ts';
import { formatAtOnce } from './at-once.ts';

/** `width`: of the terminal; below `wholeWidth` tables omit columns. Default: unlimited. */
type Look = Readonly<{ width?: number }>;

/** What a typical row with all columns needs. */
const wholeWidth = 110;

/** How many interventions are listed. */
const mostInterventions = 20;

/** One run. `equivalent`: shown beside a cost that a subscription pays; empty if dollars are dollars. */
export function formatStats(
  stats: RunStats,
  options: Look & Readonly<{ equivalent: string }>,
): readonly Line[] {
  const state = stats.finished ? 'finished' : 'not finished';
  return [
    line('head', `${stats.title} (${stats.plan})`),
    labelled(
      'plain',
      'run',
      `${stats.run}, ${state}, ${stats.closed} of ${formatCount(stats.total, 'task')} closed`,
    ),
    ...formatWhole(stats, options.equivalent),
    ...formatReplans(stats),
    ...(stats.atOnce ? formatAtOnce(stats.atOnce) : []),
    ...formatParts(stats, options),
  ];
}

/** Several runs together, each a row. */
export function formatTogether(together: Together, options: Look): readonly Line[] {
  return [
    line('head', formatCount(together.runs.length, 'run')),
    ...formatWhole(together, ''),
    ...table(
      'by run',
      together.runs.map(({ name, tally }) => ({ name, tally })),
      { ...options, most: mostRun },
    ),
    ...formatParts(together, options),
  ];
}

function formatWhole(
  { whole, interventions }: Pick<RunStats, 'whole' | 'interventions'>,
  equivalent: string,
): readonly Line[] {
  const label = equivalent === '' ? '' : ` (${equivalent})`;
  return [
    labelled('plain', 'time', formatTimes(whole, interventions.atWorkMs)),
    labelled('plain', 'spent', `${formatEffort(whole)}${label}`),
    labelled('plain', 'tokens', formatAllTokens(whole.spent)),
    ...formatInterventions(interventions),
  ];
}

/** Empty if no planner was asked. */
function formatReplans({ replans }: RunStats): readonly Line[] {
  const counts = Object.entries(replans).map(([result, count]) => `${count} ${result}`);
  return counts.length === 0 ? [] : [labelled('plain', 're-plans', counts.join(', '))];
}

/** Where the time went: what was done at work, and the rest. */
export function formatTimes({ ms }: Tally, atWorkMs: number): string {
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

/** Those that took any time. */
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

/** Tokens by class; unknown is not none. */
export function formatAllTokens({ tokens, tokensAtLeast, sessions }: Spent): string {
  if (!tokens) return sessions === 0 ? 'none' : 'unknown';
  const { input, output, cacheRead, cacheWrite } = tokens;
  const bound = tokensAtLeast ? 'at least ' : '';
  return `${bound}${formatTokens(input)} input, ${formatTokens(output)} output, ${formatTokens(cacheRead)} cache read, ${formatTokens(cacheWrite)} cache write`;
}

/** The mean time between interventions, or that there was none. */
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

function formatParts({ tasks, phases, roles, agents, models }: Parts, look: Look): readonly Line[] {
  return [
    ...table('by task', tasks, look),
    ...table('by phase', phases, look),
    ...table('by role', roles, look),
    // A single agent has the run's figures.
    ...(agents.length > 1 ? table('by agent', agents, look) : []),
    ...table('by model', models, look),
  ];
}

/** `in`, `out`, `read` and `write` are tokens: input, output, and those of the cache. */
const columns = [
  'sessions',
  'attempts',
  'corrected',
  'in',
  'out',
  'read',
  'write',
  'cost',
  'work',
  'check',
  'wait',
  'own',
];

/** Omitted on a narrow terminal: the totals are above the tables. */
const leftOut: ReadonlySet<string> = new Set(['in', 'out', 'read', 'write', 'own']);

function table(
  title: string,
  parts: readonly Part[],
  { width = wholeWidth, most = mostName }: Look & Readonly<{ most?: number }>,
): readonly Line[] {
  if (parts.length === 0) return [];
  const fitting = (cells: readonly string[]) =>
    cells.filter((_, at) => width >= wholeWidth || !leftOut.has(columns[at] ?? ''));
  const rows = parts.map(({ name, title: named, tally }) => [
    named === undefined ? name : `${name} ${named}`,
    ...fitting(cellsOf(tally)),
  ]);
  const [head = '', ...body] = alignRows([[title, ...fitting(columns)], ...rows], most);
  return [line('plain', ''), line('dim', head, 1), ...body.map((text) => line('plain', text, 1))];
}

/** Widest first column; the id of a run is for typing. */
const mostName = 24;
const mostRun = 60;

function shorten(figure: string): string {
  return figure.replace('at least ', '≥').replace(/^(cost )?unknown$/, '?');
}

function cellsOf({ sessions, attempts, corrections, spent, ms }: Tally): readonly string[] {
  const count = (number: number) => (number === 0 ? '–' : `${number}`);
  const token = (kind: keyof Tokens) => shorten(formatSpentTokens(spent, (tokens) => tokens[kind]));
  const time = (span: number) => (span === 0 ? '–' : formatMs(span));
  const used =
    sessions === 0
      ? ['–', '–', '–', '–', '–']
      : [
          token('input'),
          token('output'),
          token('cacheRead'),
          token('cacheWrite'),
          shorten(formatCost(spent)),
        ];
  const times = [time(ms.working), time(ms.checking), time(ms.waiting), time(ms.own)];
  return [count(sessions), count(attempts), count(corrections), ...used, ...times];
}
