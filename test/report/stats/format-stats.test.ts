// Statistics in words: what is unknown is never 0.
import { expect, it } from 'vitest';
import type { Fact } from '../../../src/event.ts';
import type { RunState } from '../../../src/journal/state.ts';
import { formatRunsTable, formatStats } from '../../../src/report/stats/format-stats.ts';
import { type Line, renderLine } from '../../../src/report/text/line.ts';
import { viewRun } from '../../../src/report/view/view-run.ts';
import { fact, foldFacts } from '../../helpers/facts.ts';

function tally(run: string, ...facts: readonly Fact[]): RunState {
  return foldFacts([fact('run-started', { run }), fact('plan-read'), ...facts], 60_000);
}

const stats = (state: RunState) => words(formatStats(state, viewRun(state, {})));

const tokens = { input: 850, output: 20_400, cacheRead: 1_250_000, cacheWrite: 999 };
const { costUsd: _, tokens: __, ...silent } = fact('session-ended', { session: 2 });
const night = tally(
  'night',
  fact('phase', { phase: 'tasks' }),
  fact('task-started', { task: '1', title: 'Add middleware' }),
  fact('session-started', { session: 1, task: '1' }),
  fact('check-started', { task: '1' }),
  fact('check-ended', { task: '1' }),
  fact('session-ended', { session: 1, costUsd: 1.5, costAtLeast: false, tokens }),
  fact('task-closed', { task: '1' }),
  fact('waiting'),
  fact('waited'),
  fact('intervention', { kind: 'answer', text: 'task 2 was answered' }),
  fact('session-started', { session: 2, task: '2', role: 'fix', model: 'haiku' }),
  silent,
);
const words = (lines: readonly Line[]) => lines.map((line) => renderLine(line).trimEnd()).join('\n');

it('words one run', () => {
  expect(stats(night)).toMatchInlineSnapshot(`
    "Add user authentication (docs/plans/auth.md)
      night: not finished, 1 of 2 tasks closed, 2 attempts, 0 corrections
      Spent: at least $1.50 in 2 sessions; at least 850 input, 20k output, 1.3m cache read, 999 cache write tokens (what the API would charge; a subscription pays)
      Time: 12m 00s at work: 4m 00s in sessions, 12s in checks, 7m 48s in pawl itself; besides 1m 00s waiting
      A person acted once, every 12m 00s at work
        Sat 21 Nov, 22:41  answer: task 2 was answered"
  `);
});

it('names the plan where it is now', () => {
  const moved = tally('moved', fact('plan-archived'));
  expect(stats(moved)).toMatch(/^Add user authentication \(docs\/plans\/completed\/auth\.md\)/);
});

it('words a run in which nothing happened', () => {
  const text = stats(tally('empty'));
  expect(text).toContain('Spent: nothing');
});

it('lists no more interventions than can be read', () => {
  const many = Array.from({ length: 23 }, () => fact('intervention'));
  expect(stats(tally('busy', ...many))).toContain('and 3 more, see pawl stats --json');
});

it('shows several runs in rows, and unknown as that', () => {
  const table = words(
    formatRunsTable(
      [night, tally('other')].map((state) => ({ ...viewRun(state, {}), interventions: state.interventions })),
    ),
  );
  expect(table).toMatchInlineSnapshot(`
    "run     end  closed  attempts     cost  at work  person    lines
    night  open     1/2         2  ≥ $1.50  12m 00s       1  unknown
    other  open     1/2         0    $0.00   1m 00s       0  unknown"
  `);
});
