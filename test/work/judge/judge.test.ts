// The close rules, a row per branch, and the property that nothing but green checks on changed work proves anything.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../src/agent/session/session-plan.ts';
import { outcomeKindSchema } from '../../../src/event/session.ts';
import { judgeRound } from '../../../src/work/judge/judge.ts';
import type { JudgeFacts, Verdict } from '../../../src/work/judge/verdict.ts';

const green = { ran: 2, excused: 0, red: [], turnedGreen: false, ownGreen: false };
const red = { ...green, red: ['npm test'] };
const done: Outcome = { kind: 'done', reason: 'made it' };

const seen: JudgeFacts = {
  outcome: done,
  summary: 'Made it.',
  asks: undefined,
  canCorrect: true,
  asked: new Set(),
  noFollowUp: false,
  correctionsLeft: 2,
  attemptsLeft: 3,
  reds: [],
  checks: green,
  changed: true,
  hidden: [],
  readByChecks: [],
  unproved: [],
  unnamed: [],
  quick: true,
};

type Short = Partial<{ kind: Verdict['kind'] } & Record<string, unknown>>;
const outcome = (kind: Outcome['kind'], more: object = {}): Outcome =>
  ({ kind, reason: 'why', ...more }) as Outcome;

const overspend = { reason: '$2 of $2', hint: 'more' };

const rows: readonly (readonly [string, Partial<JudgeFacts>, Short])[] = [
  ['done, green, changed', {}, { kind: 'close', proof: 'passed' }],
  [
    'done, green, and a check of its own was red before',
    { checks: { ...green, turnedGreen: true, ownGreen: true } },
    { kind: 'close', proof: 'proven' },
  ],
  ['done, no check exists', { checks: { ...green, ran: 0 } }, { kind: 'close', proof: 'unchecked' }],
  [
    'done, the only check is excused',
    { checks: { ...green, ran: 0, excused: 1 } },
    { kind: 'close', proof: 'unchecked', reason: 'its only checks are excused as known red' },
  ],
  ['done, no check was run', { checks: undefined }, { kind: 'close', proof: 'unchecked' }],
  ['red, the session can be corrected', { checks: red }, { kind: 'correct', correction: 'red' }],
  ['red, checks are slow', { checks: red, quick: false }, { kind: 'again', counts: true }],
  [
    'red, and no budget for a correction',
    { checks: red, overspend, attemptsLeft: 1 },
    { kind: 'stop', why: 'budget', reason: '$2 of $2; not corrected: red: npm test', hint: 'more' },
  ],
  [
    'red, corrections spent, and no budget',
    { checks: red, overspend, correctionsLeft: 0 },
    { kind: 'again', counts: true },
  ],
  ['done, green, and no budget', { overspend }, { kind: 'close', proof: 'passed' }],
  [
    'ended in the middle by a budget',
    { outcome: outcome('over-budget'), overspend, checks: undefined },
    { kind: 'stop', why: 'budget', reason: '$2 of $2', hint: 'more' },
  ],
  [
    'ended in the middle by a budget, its check turned green',
    { outcome: outcome('over-budget'), overspend, checks: { ...green, turnedGreen: true } },
    { kind: 'close', proof: 'proven' },
  ],
  [
    'ended in the middle by a budget that a person raised meanwhile',
    { outcome: outcome('over-budget'), refunded: 'raised', checks: undefined },
    { kind: 'again', reason: expect.stringContaining('raised'), counts: false },
  ],
  [
    'ended in the middle by a budget that a person set too low',
    { outcome: outcome('over-budget'), refunded: 'raised', overspend, checks: undefined },
    { kind: 'stop', why: 'budget' },
  ],
  ['skipped while it was done and green', { held: 'skip' }, { kind: 'skip' }],
  ['skipped while it was interrupted', { held: 'skip', outcome: outcome('interrupted') }, { kind: 'skip' }],
  [
    'interrupted by a pause',
    { held: 'pause', outcome: outcome('interrupted'), attemptsLeft: 1 },
    { kind: 'again', counts: false },
  ],
  [
    'interrupted for a note',
    { held: 'note', outcome: outcome('interrupted') },
    { kind: 'again', counts: false },
  ],
  ['done and green in a pause', { held: 'pause' }, { kind: 'close' }],
  [
    'red in a pause: no correction, and no attempt counted',
    { held: 'pause', checks: red, attemptsLeft: 1 },
    { kind: 'again', counts: false },
  ],
  ['red in a pause, corrections spent', { held: 'pause', checks: red, correctionsLeft: 0 }, { counts: true }],
  ['red, the session is gone', { checks: red, canCorrect: false }, { kind: 'again', counts: true }],
  ['red, corrections spent', { checks: red, correctionsLeft: 0 }, { kind: 'again', counts: true }],
  ['red, attempts spent', { checks: red, canCorrect: false, attemptsLeft: 1 }, { kind: 'fail' }],
  ['the guard objects although all is green', { reds: ['a secret'] }, { kind: 'correct', correction: 'red' }],
  [
    'the guard objects to cut-off work',
    { reds: ['a secret'], outcome: outcome('timed-out', { clock: 'silence' }) },
    { kind: 'again' },
  ],
  [
    'a session that a clock ended leaves red: the clock comes first',
    { checks: red, outcome: outcome('timed-out', { clock: 'silence' }) },
    { kind: 'again', reason: 'the session was ended by its clock: why; red: npm test' },
  ],
  [
    'finished, and git ignores some of it: asked once',
    { hidden: ['lib/a.ts', 'b.ts'] },
    { kind: 'correct', correction: 'ignored', reason: 'git ignores lib/a.ts and 1 other file' },
  ],
  [
    'finished, and git ignores some of it, asked before',
    { hidden: ['lib/a.ts'], asked: new Set(['ignored'] as const) },
    { kind: 'close', proof: 'passed' },
  ],
  [
    'finished, and a new rule hides some of it, asked before',
    { hidden: ['a.ts'], unproved: ['a.ts is hidden'], asked: new Set(['ignored'] as const) },
    { kind: 'close', proof: 'unchecked', reason: '2 checks green, but a.ts is hidden' },
  ],
  [
    'finished, and the runner reads what is new: asked once',
    { readByChecks: ['.npmrc is new'], unproved: ['.npmrc is new'] },
    { kind: 'correct', correction: 'runner', reason: '.npmrc is new' },
  ],
  [
    'finished, and the runner reads what is new, asked before',
    { readByChecks: ['.npmrc is new'], unproved: ['.npmrc is new'], asked: new Set(['runner'] as const) },
    { kind: 'close', proof: 'unchecked', reason: '2 checks green, but .npmrc is new' },
  ],
  [
    'finished, and nothing of the session names what changed',
    { unnamed: ['README.md'] },
    { kind: 'park', reason: 'nothing shows that the session did the work' },
  ],
  [
    'finished, but not proven where it must be',
    {
      proof: { word: 'passed', reasons: ['nothing misses this work'], missed: ['a.ts:3: no test misses it'] },
    },
    { kind: 'correct', correction: 'proof', reason: 'nothing misses this work; a.ts:3: no test misses it' },
  ],
  [
    'proven, but for a line: told once',
    { proof: { word: 'proven', reasons: ['x'], missed: ['a.ts:3: no test misses it'] } },
    { kind: 'correct', correction: 'proof', reason: 'a.ts:3: no test misses it' },
  ],
  [
    'proven, but for a line, and told before',
    {
      proof: { word: 'proven', reasons: ['x'], missed: ['a.ts:3: no test misses it'] },
      asked: new Set(['proof'] as const),
    },
    { kind: 'close', proof: 'proven' },
  ],
  [
    'not proven where it must be, and told before',
    { proof: { word: 'passed', reasons: ['x'], missed: [] }, asked: new Set(['proof'] as const) },
    { kind: 'park', question: 'This work is passed, not proven: x. May the task close as it is?' },
  ],
  [
    'finished, and git ignores all of it, asked before',
    { changed: false, hidden: ['lib/a.ts'], asked: new Set(['ignored'] as const) },
    {
      kind: 'correct',
      correction: 'nothing-changed',
      reason: 'nothing was changed, because git ignores lib/a.ts',
    },
  ],
  [
    'already done, its own check green by a file that git ignores',
    {
      changed: false,
      hidden: ['lib/a.ts'],
      asked: new Set(['ignored'] as const),
      outcome: outcome('already-done'),
      checks: { ...green, ownGreen: true },
    },
    { kind: 'close', proof: 'unchecked' },
  ],
  ['finished, nothing changed', { changed: false }, { kind: 'correct', correction: 'nothing-changed' }],
  [
    'finished, nothing changed, asked before',
    { changed: false, asked: new Set(['nothing-changed'] as const) },
    { kind: 'again' },
  ],
  [
    'already done with a reason',
    { changed: false, outcome: outcome('already-done') },
    { kind: 'close', proof: 'unchecked' },
  ],
  [
    'already done, a check of its own is green',
    { changed: false, outcome: outcome('already-done'), checks: { ...green, ownGreen: true } },
    { kind: 'close', proof: 'passed' },
  ],
  [
    'already done without a reason',
    { changed: false, outcome: outcome('already-done', { reason: '' }) },
    { kind: 'correct', correction: 'nothing-changed' },
  ],
  [
    'already done, but red',
    { changed: false, outcome: outcome('already-done'), checks: red },
    { kind: 'correct', correction: 'red' },
  ],
  [
    'an agent whose program is gone, and was there: it is waited for',
    { outcome: outcome('refused', { remedies: ['install it'], mayReturn: true }), changed: false },
    { kind: 'wait', why: 'crash', counts: false, atLast: { why: 'refused', hint: 'install it' } },
  ],
  ['no marker', { outcome: outcome('silent') }, { kind: 'correct', correction: 'finished?' }],
  [
    'no marker, asked before',
    { outcome: outcome('silent'), asked: new Set(['finished?'] as const) },
    { kind: 'close', proof: 'passed' },
  ],
  [
    'no marker, an agent that takes no follow-up',
    { outcome: outcome('silent'), noFollowUp: true, canCorrect: false },
    { kind: 'close', proof: 'passed' },
  ],
  ['no marker, cannot be asked', { outcome: outcome('silent'), canCorrect: false }, { kind: 'again' }],
  [
    'no marker, asks something, changed nothing',
    { outcome: outcome('silent'), asks: 'Which?', changed: false, canCorrect: false },
    { kind: 'park' },
  ],
  [
    'no marker, but a task check turned green',
    { outcome: outcome('silent'), checks: { ...green, turnedGreen: true } },
    { kind: 'close', proof: 'proven' },
  ],
  [
    'repeated itself',
    { outcome: outcome('stuck'), canCorrect: false },
    { kind: 'again', counts: true, reason: 'why' },
  ],
  [
    'repeated itself, attempts spent',
    { outcome: outcome('stuck'), canCorrect: false, attemptsLeft: 1 },
    { kind: 'fail' },
  ],
  [
    'repeated itself, but a task check turned green',
    { outcome: outcome('stuck'), checks: { ...green, turnedGreen: true } },
    { kind: 'close', proof: 'proven' },
  ],
  ['timed out', { outcome: outcome('timed-out', { clock: 'tool' }) }, { kind: 'again', counts: true }],
  [
    'timed out, a task check turned green',
    { outcome: outcome('timed-out', { clock: 'tool' }), checks: { ...green, turnedGreen: true } },
    { kind: 'close', proof: 'proven' },
  ],
  ['work left in the background', { outcome: outcome('unfinished') }, { kind: 'again' }],
  ['gave up', { outcome: outcome('failed') }, { kind: 'again', counts: true }],
  ['gave up, attempts spent', { outcome: outcome('failed'), attemptsLeft: 1 }, { kind: 'fail' }],
  ['asks for another plan', { outcome: outcome('replan') }, { kind: 'again' }],
  ['asks for another plan and may', { outcome: outcome('replan'), mayReplan: true }, { kind: 'replan' }],
  [
    'asks for another plan in its last attempt',
    { outcome: outcome('replan'), mayReplan: true, attemptsLeft: 1 },
    { kind: 'fail' },
  ],
  ['asks a person', { outcome: outcome('needs-input') }, { kind: 'park', question: 'why' }],
  [
    'usage limit',
    { outcome: outcome('limited', { until: 7 }) },
    { kind: 'wait', why: 'limit', until: 7, counts: false },
  ],
  ['overloaded', { outcome: outcome('overloaded') }, { kind: 'wait', why: 'overload', counts: false }],
  [
    'crashed, nothing changed',
    { outcome: outcome('crashed'), changed: false },
    { kind: 'wait', why: 'crash', counts: false },
  ],
  [
    'crashed after it changed something',
    { outcome: outcome('crashed') },
    { kind: 'wait', why: 'crash', counts: true },
  ],
  ['crashed, attempts spent', { outcome: outcome('crashed'), attemptsLeft: 1 }, { kind: 'fail' }],
  [
    'crashed, a task check turned green',
    { outcome: outcome('crashed'), checks: { ...green, turnedGreen: true } },
    { kind: 'close' },
  ],
  ['refused', { outcome: outcome('refused', { remedies: [] }) }, { kind: 'stop', why: 'refused' }],
  [
    'refused, who only stood in',
    { outcome: outcome('refused', { remedies: ['log in'] }), unusable: 'codex' },
    { kind: 'wait', why: 'limit', counts: false, reason: 'codex cannot stand in: why; log in' },
  ],
  [
    'crashed before its first word, who only stood in',
    { outcome: outcome('crashed'), unusable: 'codex', attemptsLeft: 0 },
    { kind: 'wait', why: 'limit', counts: false, reason: 'codex cannot stand in: why' },
  ],
  [
    'refused, and what helps is known',
    { outcome: outcome('refused', { remedies: ['log in', 'or set a key'] }) },
    { kind: 'stop', why: 'refused', hint: 'log in\nor set a key' },
  ],
  ['over budget', { outcome: outcome('over-budget') }, { kind: 'stop', why: 'budget' }],
  ['interrupted', { outcome: outcome('interrupted') }, { kind: 'stop', why: 'interrupted' }],
];

test.each(rows)('%s', (_, change, verdict) => {
  expect(judgeRound({ ...seen, ...change })).toMatchObject(verdict);
});

describe('whatever is seen', () => {
  const anything = fc.record({
    outcome: fc
      .constantFrom(...outcomeKindSchema.options)
      .map((kind) => outcome(kind, { clock: 'tool', remedies: [] })),
    summary: fc.string(),
    asks: fc.option(fc.string(), { nil: undefined }),
    canCorrect: fc.boolean(),
    asked: fc
      .subarray(['finished?', 'nothing-changed', 'ignored', 'runner'] as const)
      .map((kinds) => new Set(kinds)),
    noFollowUp: fc.boolean(),
    correctionsLeft: fc.integer({ min: 0, max: 2 }),
    attemptsLeft: fc.integer({ min: 0, max: 3 }),
    reds: fc.array(fc.constant('red'), { maxLength: 1 }),
    checks: fc.option(
      fc.record({
        ran: fc.integer({ min: 0, max: 2 }),
        excused: fc.integer({ min: 0, max: 2 }),
        red: fc.array(fc.constant('npm test'), { maxLength: 1 }),
        turnedGreen: fc.boolean(),
        ownGreen: fc.boolean(),
      }),
      { nil: undefined },
    ),
    changed: fc.boolean(),
    hidden: fc.subarray(['lib/a.ts', 'b.ts']),
    readByChecks: fc.subarray(['.npmrc is new']),
    unproved: fc.subarray(['a.ts is hidden']),
    unnamed: fc.subarray(['README.md']),
    quick: fc.boolean(),
  });

  test('closed as proven or passed means green checks that ran, and changed work or an own green check', () => {
    fc.assert(
      fc.property(anything, (one) => {
        const verdict = judgeRound(one);
        if (verdict.kind !== 'close' || verdict.proof === 'unchecked') return;
        expect(verdict.proof === 'proven').toBe(one.changed && one.checks?.turnedGreen === true);
        expect(one.reds).toEqual([]);
        expect(one.checks?.red).toEqual([]);
        expect(one.checks?.ran === 0 && !one.checks.ownGreen).toBe(false);
        expect(one.changed || one.checks?.ownGreen).toBe(true);
        expect(one.changed || one.hidden.length === 0).toBe(true);
        expect(one.unproved).toEqual([]);
        expect(one.changed && one.unnamed.length > 0).toBe(false);
      }),
      { numRuns: 5_000 },
    );
  });

  test('every verdict has a reason a person can read', () => {
    fc.assert(
      fc.property(anything, (one) => {
        expect(judgeRound(one).reason).not.toBe('');
      }),
    );
  });
});
