// Statistics in words and as CSV: what is unknown is never 0.
import { expect, it } from 'vitest';
import type { Fact } from '../../src/event.ts';
import { foldRun } from '../../src/journal/fold.ts';
import { type RunStats, tallyRun, tallyTogether } from '../../src/journal/run-stats.ts';
import { formatAtOnce } from '../../src/report/stats/at-once.ts';
import { formatStats, formatTogether } from '../../src/report/stats/format-stats.ts';
import { writeCsv } from '../../src/report/stats/stats-csv.ts';
import { type Line, renderLine } from '../../src/report/text/line.ts';
import { fact, stampAll } from '../helpers/facts.ts';

function tally(run: string, ...facts: readonly Fact[]): RunStats {
  const stamped = stampAll([fact('run-started', { run }), fact('plan-read'), ...facts], 60_000);
  const state = foldRun(stamped);
  if (!state) throw new Error('it begins with a start');
  return tallyRun(stamped, state);
}

const tokens = { input: 850, output: 20_400, cacheRead: 1_250_000, cacheWrite: 999 };
const { costUsd: _, tokens: __, ...silent } = fact('session-ended', { session: 2 });
const night = tally(
  'night',
  fact('phase-started', { phase: 'tasks' }),
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
  expect(words(formatStats(night, { equivalent: 'API-equivalent' }))).toMatchInlineSnapshot(`
    "Add user authentication (docs/plans/auth.md)
      run      night, not finished, 1 of 2 tasks closed
      time     12m 00s at work: 3m 00s in sessions, 1m 00s in checks, 8m 00s in pawl itself; besides 1m 00s waiting
      spent    at least $1.50 in 2 sessions, 2 attempts, 0 corrections (API-equivalent)
      tokens   at least 850 input, 20k output, 1.3m cache read, 999 cache write
      person   12m 00s at work between interventions (1 in 12m 00s)
               Sat 21 Nov, 22:41  answer: task 2 was answered

      by task           sessions  attempts   in  out  read  write   cost    work   check     own
      1 Add middleware         1         1  850  20k  1.3m    999  $1.50  2m 00s  1m 00s  2m 00s
      2 Add login              1         1    ?    ?     ?      ?      ?  1m 00s       –       –

      by phase  sessions  attempts    in   out   read  write    cost    work   check    wait     own
      tasks            2         2  ≥850  ≥20k  ≥1.3m   ≥999  ≥$1.50  3m 00s  1m 00s  1m 00s  6m 00s

      by role  sessions  attempts   in  out  read  write   cost    work   check
      task            1         1  850  20k  1.3m    999  $1.50  2m 00s  1m 00s
      fix             1         1    ?    ?     ?      ?      ?  1m 00s       –

      by model  sessions  attempts   in  out  read  write   cost    work   check
      opus             1         1  850  20k  1.3m    999  $1.50  2m 00s  1m 00s
      haiku            1         1    ?    ?     ?      ?      ?  1m 00s       –"
  `);
});

it('names the plan where it is now', () => {
  const moved = tally('moved', fact('plan-archived'));
  expect(words(formatStats(moved, { equivalent: '' }))).toMatch(
    /^Add user authentication \(docs\/plans\/completed\/auth\.md\)/,
  );
});

it('keeps tables within a narrow terminal', () => {
  const narrow = words(formatStats(night, { equivalent: '', width: 80 }));
  const table = narrow.slice(narrow.indexOf('by task')).split('\n');
  expect(table.filter((row) => row.length > 80)).toEqual([]);
  expect(table[0]).toMatch(/^by task +sessions +attempts +cost +work +check$/);
});

it('words a run in which nothing happened', () => {
  const text = words(formatStats(tally('empty'), { equivalent: '' }));
  expect(text).toContain('spent    no session was started');
  expect(text).toContain('person   no interventions in 1m 00s');
});

it('lists no more interventions than can be read', () => {
  const many = Array.from({ length: 23 }, () => fact('intervention'));
  expect(words(formatStats(tally('busy', ...many), { equivalent: '' }))).toContain(
    'and 3 more, see pawl stats --json',
  );
});

it('words runs together', () => {
  expect(words(formatTogether(tallyTogether([night, tally('other')]), {}))).toContain('\n  by run  sessions');
});

it('writes CSV, with nothing where nothing is known, and no formula', () => {
  const lines = writeCsv([{ ...night, plan: '=a "b", c' }]).split('\r\n');
  expect(lines[0]).toMatch(/^run,plan,by,name,sessions/);
  expect(lines[1]).toMatch(/^night,"'=a ""b"", c",run,night,2,2,0,850,20400,1250000,999,1.5,true,/);
  expect(lines.find((line) => line.includes(',role,fix,'))).toMatch(/,role,fix,1,1,0,,,,,,true,/);
  const cells = lines
    .filter((line) => line !== '')
    .map((line) => line.replace(/"[^\r]*?", c"/, 'p').split(',').length);
  expect(new Set(cells).size).toBe(1);
});

it('counts the planners that were asked, by what came of it', () => {
  const replan = (number: number, result: 'taken' | 'refused' | 'unchanged') => [
    fact('replan-started', { replan: number }),
    fact('replan-ended', { replan: number, result }),
  ];
  const stats = tally(
    'planned',
    ...replan(1, 'refused'),
    ...replan(2, 'taken'),
    fact('replan-started', { replan: 3 }),
  );
  expect(stats.replans).toEqual({ refused: 1, taken: 1, open: 1 });
  const lines = formatStats(stats, { equivalent: '' }).map(renderLine);
  expect(lines).toContain('  re-plans 1 refused, 1 taken, 1 open');
  expect(formatStats(night, { equivalent: '' }).map(renderLine).join('\n')).not.toContain('re-plans');
});

it('words what came of several tasks at once', () => {
  const atOnce = {
    lanes: 3,
    workMs: 7_800_000,
    busyMs: 2_460_000,
    waitedMs: 120_000,
    landed: 10,
    caughtUp: 6,
    conflicts: 2,
    redTogether: 0,
    flaky: 1,
    byFile: { 'src/api.ts': 1, 'src/index.ts': 2 },
  };
  expect(formatAtOnce(atOnce).map(renderLine)).toEqual([
    '  at once  2h 10m of work in 41m 00s, in 3 lanes; 2m 00s of waiting to land (2%)',
    '           10 landed: caught up 6 times, 2 conflicts, 0 red once merged, 1 flaky check',
    '           conflicts in src/index.ts (2), src/api.ts (1)',
  ]);
});
