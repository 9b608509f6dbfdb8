// Where a run stands after what a person has seen to since it stopped.
import { expect, test } from 'vitest';
import type { Fact } from '../../../src/event.ts';
import { foldRun } from '../../../src/journal/fold.ts';
import { formatStanding } from '../../../src/report/status/format-standing.ts';
import { renderLine } from '../../../src/report/text/line.ts';
import { viewRun } from '../../../src/report/view/view-run.ts';
import { byPerson, fact, setAside } from '../../helpers/facts.ts';

const tasks = ['1', '2'].map((id) => ({ id, title: id, closed: false, steps: 1, manual: [] }));
const before: readonly Fact[] = [fact('run-started'), fact('plan-read', { tasks })];
const ended = (exit: number, code: string, text: string) =>
  fact('run-ended', {
    exit,
    finished: false,
    reasons: [{ exit, code, text, hint: 'pawl run --max-cost 2 x' }],
  });

/** Told ten minutes after the run stopped; what came since, a minute ago. */
function told(facts: readonly Fact[], since: readonly Fact[], isHeld = false): string {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  const stamp = (minute: number) => (one: Fact) => ({ ...one, v: 10, at: at(minute) });
  const state = foldRun([...[...before, ...facts].map(stamp(0)), ...since.map(stamp(9))]);
  if (!state) throw new Error('no run');
  const holder = isHeld ? { pid: 1, host: 'h', since: at(0) } : undefined;
  return formatStanding(viewRun(state, { holder }), Date.parse(at(10)))
    .map(renderLine)
    .join('\n');
}

const parked = [
  setAside('parked', { task: '1', reason: 'which?' }),
  ended(3, 'needs-person', 'task 1 asks: which?'),
];
const capped = [
  fact('budgets-set', { settings: [], asked: [{ budget: 'cost', cap: 1, from: 'flag' }] }),
  ended(5, 'budget', 'the cost of $1.00 is spent'),
];
const raised = [
  fact('intervention', { kind: 'budget', text: 'the budget was set to $9.00' }),
  fact('budgets-set', { settings: [], asked: [{ budget: 'cost', cap: 9, from: 'pawl set' }] }),
];

test.each<[string, readonly Fact[], readonly Fact[], RegExp, RegExp]>([
  ['a question', parked, [], /stopped 10m 00s ago, not finished: .*[\s\S]*asks +task 1: which\?/, /^x$/],
  [
    'an answer since',
    parked,
    [byPerson('answer', { task: '1', said: 'this' })],
    /stopped 10m 00s ago, not finished$/m,
    /asks\b.*which|needs a person/,
  ],
  ['a spent budget', capped, [], /spent[\s\S]*next +pawl run --max-cost 2 x/, /^x$/],
  ['one that was raised since', capped, raised, /stopped 10m 00s ago, not finished$/m, /max-cost|is spent/],
  [
    'nothing left but a task that was skipped',
    [
      fact('task-closed', { task: '1' }),
      setAside('skipped', { task: '2' }),
      fact('run-ended', {
        exit: 3,
        finished: false,
        reasons: [{ exit: 3, code: 'skipped', text: 'skipped' }],
      }),
    ],
    [],
    /next +pawl retry 2$/m,
    /pawl run/,
  ],
  [
    'another machine that has it',
    [fact('carry-begun'), fact('carry-fenced'), ended(8, 'fenced', 'server has taken the run up')],
    [],
    /not finished: taken up by another machine\n +server has taken the run up\n[\s\S]*next +pawl fleet take \S+$/m,
    /pawl run|environment failed/,
  ],
  [
    'tasks taken back since',
    [fact('run-ended', { exit: 0, finished: true, reasons: [] })],
    ['2', '1'].map((task) => fact('task-reopened', { task, tree: 't' })),
    /tasks 2, 1 were taken back/,
    /task 1 was/,
  ],
])('%s', (_what, facts, since, says, saysNot) => {
  expect(told(facts, since)).toMatch(says);
  expect(told(facts, since)).not.toMatch(saysNot);
});

test('a pause that was asked for', () => {
  expect(told([], [byPerson('pause', { now: false })], true)).toMatch(/state +pausing /);
});

test('tasks that are worked on at once are all told, and the one that was taken out is not', () => {
  const begun = (task: string, lane: number) => [
    { ...fact('task-started', { task, title: `Part ${task}` }), lane },
    { ...fact('attempt-started', { task, attempt: 1 }), lane },
    { ...fact('session-started', { task, session: lane }), lane },
  ];
  const three = ['1', '2', '3'].map((id) => ({
    id,
    title: `Part ${id}`,
    closed: false,
    steps: 1,
    manual: [],
  }));
  const facts = [
    fact('plan-read', { tasks: three }),
    ...['1', '2', '3'].flatMap((id) => begun(id, Number(id))),
  ];
  const rows = (since: readonly Fact[]) =>
    told(facts, since, true)
      .split('\n')
      .filter((row) => row.includes('Part'))
      .map((row) => row.trim());
  expect(rows([])).toEqual([
    'task     1: Part 1 (attempt 1, session 1)',
    '2: Part 2 (attempt 1, session 2)',
    '3: Part 3 (attempt 1, session 3)',
  ]);
  expect(rows([fact('task-closed', { task: '2' })])).toHaveLength(2);
});
