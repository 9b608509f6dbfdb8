// The budgets by table: what is measured against which cap, whose word holds, what is told once, and what a session is
// handed of the rest.
import { describe, expect, test } from 'vitest';
import { askCaps, type Cap, type Caps, capsInForce } from '../../../src/event/caps.ts';
import type { Fact } from '../../../src/event.ts';
import type { Today } from '../../../src/journal/day.ts';
import { foldFact, foldRun } from '../../../src/journal/fold.ts';
import type { RunState } from '../../../src/journal/state.ts';
import type { Place } from '../../../src/place/place.ts';
import type { Task } from '../../../src/plan/plan.ts';
import {
  defaultMaxSessions,
  endOfTime,
  findOverspend,
  formatOverspend,
  listReached,
} from '../../../src/work/budget/budget.ts';
import { countBeside, isMoneyHeld, shareOfRest } from '../../../src/work/budget/spending.ts';
import { fact, stampAll } from '../../helpers/facts.ts';

const start = Date.UTC(2026, 10, 21, 22, 30);
const minute = 60_000;
const asked = (budget: Cap['budget'], cap: number, from = '--max-x'): Cap => ({ budget, cap, from });
const tokens = { input: 100, output: 20, cacheRead: 300, cacheWrite: 80 };

/** A session of a minute that cost a dollar; `open`: it still runs. */
function session(number: number, task: string, more: { open?: boolean; handed?: number } = {}): Fact[] {
  const given = more.handed === undefined ? {} : { maxCostUsd: more.handed };
  const spent = { session: number, costUsd: 1, tokens };
  const last = more.open
    ? fact('session-cost', spent)
    : fact('session-ended', { ...spent, costAtLeast: false });
  return [fact('session-started', { session: number, task, ...given }), last];
}

function fold(caps: readonly Cap[], ...facts: readonly Fact[]): RunState {
  const begun = [
    fact('run-started', { plan: 'p.md' }),
    fact('budgets-set', { settings: [], asked: [...caps] }),
  ];
  const state = foldRun(stampAll([...begun, ...facts], minute));
  if (!state) throw new Error('it begins with a start');
  return state;
}

const task = (id: string, budget?: string) => ({ id, ...(budget === undefined ? {} : { budget }) }) as Task;
const today = (costUsd: number, more: Partial<Today> = {}) => ({
  today: () => {
    const elsewhere = { costUsd, atLeast: false };
    return { day: '2026-11-21', sinceMs: start - 60 * minute, elsewhere, ...more };
  },
});
const two = [...session(1, '1'), ...session(2, '2')];
/** When the facts above end: a minute each. */
const later = start + 10 * minute;

/** Two ended sessions of a dollar each, with a cap. */
const spent = (budget: Cap['budget'], cap: number, from?: string) => fold([asked(budget, cap, from)], ...two);
const stopped = fold([asked('time', 9 * minute)], fact('run-ended'), fact('run-resumed'));
const running = fold([asked('cost', 2)], ...session(1, '1'), ...session(2, '2', { open: true }));
const same = { newSession: false };

test.each<[string, RunState, Partial<Parameters<typeof findOverspend>[1]>, string?]>([
  ['no cap', fold([], ...two), {}],
  ['room', spent('cost', 2.01), {}],
  ['the run’s dollars', spent('cost', 2), same, '$2.00 of $2.00 are spent (--max-x)'],
  ['a lower bound', running, same, 'at least $2.00 of $2.00 are spent (--max-x)'],
  [
    'the day’s dollars, here and elsewhere',
    spent('day', 5),
    today(3, { elsewhere: { costUsd: 3, atLeast: true } }),
    'at least $5.00 of $5.00 of the day are spent (--max-x)',
  ],
  ['not those of yesterday', spent('day', 5), today(4, { sinceMs: start + 60 * minute })],
  [
    'a task’s dollars, its own alone',
    fold([], ...two),
    { task: task('2', '$1') },
    'task 2: $1.00 of $1.00 are spent (its budget in the plan)',
  ],
  ['a task’s dollars, not those of others', fold([], ...two), { task: task('3', '1') }],
  ['tokens of every class', spent('tokens', 1000), {}, '1000 of 1000 tokens are used (--max-x)'],
  ['time, stops left out', stopped, {}, '9m of 9m are over (--max-x)'],
  ['time that is left', stopped, { now: later - 1 }],
  ['sessions, nobody’s cap', spent('sessions', 2, 'default'), {}, '2 of 2 sessions are used'],
  ['a correction needs no session', spent('sessions', 2), same],
  ['an unknown cost is room', fold([asked('cost', 1)], fact('session-started', { session: 1 })), {}],
])('what is spent: %s', (_, state, spending, reason) => {
  expect(findOverspend(state, { now: later, newSession: true, ...spending })?.reason).toBe(reason);
});

describe('how to go on', () => {
  const hint = (cap: Cap, more = {}) =>
    findOverspend(fold([cap], ...two), { now: later, newSession: true, ...today(3), ...more })?.hint;
  const tomorrow = 'Tomorrow `pawl run p.md` continues by itself.';
  const raises = (option: string) => `\`pawl run ${option} p.md\` raises the cap and continues.`;

  test.each<[string, Cap, string]>([
    ['dollars', asked('cost', 2, '--max-cost'), raises('--max-cost 3')],
    ['cents', asked('cost', 0.2, 'pawl set'), raises('--max-cost 3')],
    [
      'a file',
      asked('cost', 2, '.pawl/config.yaml:3'),
      'The cap is budgets.maxCost in .pawl/config.yaml:3, and a flag can only lower it: raise it there, then `pawl run p.md` continues.',
    ],
    ['a day', asked('day', 5, '--set'), `${tomorrow} ${raises('--set budgets.day=8')}`],
    ['tokens', asked('tokens', 999), raises('--set budgets.maxTokens=1500')],
    ['time', asked('time', 10 * minute), raises('--max-time 15m')],
    ['hours', asked('time', 4 * minute), raises('--max-time 15m')],
    ['sessions', asked('sessions', 2, 'default'), raises('--set budgets.maxSessions=3')],
  ])('%s', (_, cap, expected) => expect(hint(cap)).toBe(expected));

  test('less than a cent is rounded to no cap of nothing', () => {
    const little = { ...asked('cost', 0.0003, '--max-cost'), spent: 0.0004, atLeast: false };
    const { reason, hint: words } = formatOverspend(little, fold([]));
    expect(reason).toContain('$0.0004 of $0.0003');
    expect(words).toContain('--max-cost 0.01 ');
  });

  test('a task’s own', () => {
    expect(hint(asked('cost', 9), { task: task('2', '1') })).toBe(
      'Raise `budget:` of task 2 in the plan, then `pawl run p.md` continues.',
    );
  });
});

describe('whose cap holds', () => {
  const file = asked('cost', 20, 'config.yaml:1');
  const flag = (cap: number) => asked('cost', cap, '--max-cost');
  test.each<[string, Caps, readonly Cap[]]>([
    ['nobody’s', { settings: [], asked: [] }, []],
    ['a flag below the settings', { settings: [file], asked: [flag(5)] }, [flag(5)]],
    ['a flag above the settings only asks', { settings: [file], asked: [flag(30)] }, [file]],
    ['of equal ones the settings’', { settings: [file], asked: [flag(20)] }, [file]],
    ['a flag alone', { settings: [], asked: [flag(30)] }, [flag(30)]],
    [
      'a default gives way to a higher one',
      { settings: [asked('sessions', 25, 'default')], asked: [asked('sessions', 90)] },
      [asked('sessions', 90)],
    ],
  ])('%s', (_, caps, expected) => expect(capsInForce(caps)).toEqual(expected));

  test('what was asked holds until it is asked again', () => {
    const before: Caps = { settings: [file], asked: [flag(5), asked('time', 1)] };
    expect(askCaps(before, []).asked).toEqual(before.asked);
    expect(askCaps(before, [flag(8)]).asked).toEqual([asked('time', 1), flag(8)]);
  });
});

describe('what is told', () => {
  const shares = (state: RunState, more = {}) =>
    listReached(state, { now: later, ...more }).map(({ budget, share }) => `${budget} ${share}`);

  test.each<[string, RunState, object, readonly string[]]>([
    ['nothing below 80 %', spent('cost', 2.6), {}, []],
    ['80 %', spent('cost', 2.5), {}, ['cost 0.8']],
    ['100 %, without the 80 % before it', spent('cost', 2), {}, ['cost 1']],
    ['each budget', fold([asked('cost', 2.5), asked('tokens', 1000)], ...two), {}, ['cost 0.8', 'tokens 1']],
    ['a task’s own', fold([], ...two), { task: task('1', '1') }, ['task 1']],
    ['the day’s', spent('day', 5), today(2), ['day 0.8']],
  ])('%s', (_, state, more, expected) => expect(shares(state, more)).toEqual(expected));

  test('each once, and again when the cap was raised or another day begins', () => {
    const tell = (state: RunState, more = {}): RunState => {
      const facts = stampAll(listReached(state, { now: later, ...more }));
      return facts.reduce<RunState>(foldFact, state);
    };
    let state = tell(fold([asked('cost', 2)], ...two));
    expect(shares(state)).toEqual([]);
    const [raised] = stampAll([fact('budgets-set', { settings: [], asked: [asked('cost', 2.4)] })]);
    state = foldFact(state, raised as NonNullable<typeof raised>);
    expect(shares(state)).toEqual(['cost 0.8']);
    const day = today(2);
    state = tell(fold([asked('day', 5)], ...two), day);
    expect(shares(state, day)).toEqual([]);
    expect(shares(state, today(2, { day: '2026-11-22' }))).toEqual(['day 0.8']);
  });
});

describe('what a session is handed', () => {
  const held = session(2, '2', { open: true, handed: 4 });
  test.each<[string, RunState, object, number, number | undefined]>([
    ['nothing without a cap', fold([], ...two), {}, 1, undefined],
    ['not by a cap in tokens', spent('tokens', 9), {}, 1, undefined],
    ['the rest', spent('cost', 5), {}, 1, 3],
    ['the least rest', fold([asked('cost', 5), asked('day', 9)], ...two), today(5), 1, 2],
    ['the task’s rest', spent('cost', 5), { task: task('1', '2.5') }, 1, 1.5],
    ['a share of it', spent('cost', 5), {}, 2, 1.5],
    ['a cent at least', spent('cost', 2), {}, 1, 0.01],
    ['what is worth a session, where there is so much', spent('cost', 2.3), {}, 4, 0.1],
    ['not what an open one holds', fold([asked('cost', 10)], ...session(1, '1'), ...held), {}, 1, 5],
    ['of a task’s own, all but its sessions’', fold([], ...held), { task: task('1', '3') }, 1, 3],
  ])('%s', (_, state, more, among, expected) =>
    expect(shareOfRest(state, { now: later, ...more }, among)).toBe(expected),
  );

  test.each([
    ['the first of four', 4, 0, 4],
    ['the last of four', 4, 3, 1],
    ['more sessions are open than that', 2, 3, 1],
  ])('beside it, %s', (_, atOnce, open, expected) => {
    const sessions = Array.from({ length: open }, (_each, at) => session(at + 1, `${at}`, { open: true }));
    expect(countBeside(fold([], ...sessions.flat()), atOnce)).toBe(expected);
  });

  // A session of another task holds two dollars, of which it has spent one.
  const other = session(9, '9', { open: true, handed: 2 });
  const within = (cap: number, ...facts: readonly Fact[]) => fold([asked('cost', cap)], ...facts);
  test.each<[string, RunState, boolean, object?]>([
    ['no cap', fold([], ...other), false],
    ['what is worth a session is left', within(2.1, ...other), false],
    ['less is left, and another holds some', within(2.05, ...other), true],
    ['little is left, and nobody is beside', within(0.05), false],
    ['in no lane', within(2.05, ...other), false, { lane: undefined }],
  ])('whether it waits for others: %s', (_, state, isHeld, more = {}) => {
    const run = { state: () => state, now: () => new Date(later) };
    const place = { lane: { number: 1 }, run, ...more } as unknown as Place;
    expect(isMoneyHeld(place, task('1'))).toBe(isHeld);
  });

  test.each([1, 2, 3, 5, 8])('%i started together have the rest between them, and no more', (many) => {
    let state = fold([asked('cost', 7)]);
    let handed = 0;
    for (let number = 1; number <= many; number += 1) {
      const maxCostUsd = shareOfRest(state, { now: later }, many - number + 1) ?? 0;
      handed += maxCostUsd;
      const [started] = stampAll([fact('session-started', { session: number, maxCostUsd })]);
      state = foldFact(state, started as NonNullable<typeof started>);
    }
    expect(handed).toBeLessThanOrEqual(7 + 1e-9);
    expect(handed).toBeGreaterThan(7 - 0.001 * many);
  });
});

test('the time of a run ends where its cap says, stops left out', () => {
  const state = fold([asked('time', 5 * minute)], fact('run-ended'), fact('run-resumed'));
  expect(endOfTime(state, later)?.at).toBe(start + 6 * minute);
  expect(endOfTime(fold([]), later)).toBeUndefined();
});

test('a plan of two tasks may take 30 sessions', () => expect(defaultMaxSessions(2)).toBe(30));
