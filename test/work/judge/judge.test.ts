// The close rules, a row per branch; whatever two rows say together, nothing but green checks on changed work proves
// anything.
import { expect, test } from 'vitest';
import type { Outcome } from '../../../src/agent/session/session-plan.ts';
import { judgeRound } from '../../../src/work/judge/judge.ts';
import type { CorrectionKind, JudgeFacts, Verdict } from '../../../src/work/judge/verdict.ts';

const green = { ran: 2, excused: 0, red: [], turnedGreen: false, wasRed: false, ownGreen: false };
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

const outcome = (kind: Outcome['kind'], more: object = {}): Outcome =>
  ({ kind, reason: 'why', ...more }) as Outcome;
const ended = (kind: Outcome['kind'], more: object = {}) => ({ outcome: outcome(kind, more) });
const asked = (...kinds: Exclude<CorrectionKind, 'red'>[]) => ({ asked: new Set(kinds) });

const overspend = { reason: '$2 of $2', hint: 'more' };
const isRed = { checks: red };
const turned = { checks: { ...green, turnedGreen: true, wasRed: true } };
const ownGreen = { checks: { ...green, ownGreen: true } };
const unchecked = { checks: undefined };
const gone = { canCorrect: false };
const corrected = { correctionsLeft: 0 };
const last = { attemptsLeft: 1 };
const unchanged = { changed: false };
const alreadyDone = { ...unchanged, ...ended('already-done') };
const cut = ended('timed-out');
const asksReplan = { ...ended('replan'), mayReplan: true };
const standIn = { unusable: 'codex' };
const ignored = { hidden: ['lib/a.ts', 'b.ts'] };
const hidden = { ...ignored, ...asked('ignored') };
const excused = { checks: { ...green, ran: 0, excused: 1 } };
const unsaid = ended('already-done', { reason: '' });
const remedies = ['log in', 'or set a key'];
const refused = ended('refused', { remedies });
const absent = { ...ended('refused', { remedies, mayReturn: true }), changed: false };
const npmrc = { readByChecks: ['.npmrc is new'], unproved: ['.npmrc is new'] };
const line = 'a.ts:3: no test misses it';
const proof = (word: 'passed' | 'proven', missed: readonly string[]) => ({
  proof: { word, reasons: ['x'], missed },
});

/** Its kind, what it closes as, corrects or waits for, and whether it counts as an attempt. */
function wordsOf(verdict: Verdict): string {
  const { kind } = verdict;
  const { proof, correction, why } = verdict as Partial<Record<'proof' | 'correction' | 'why', string>>;
  return [kind, proof, correction, why, 'counts' in verdict && verdict.counts ? 'counts' : '']
    .filter(Boolean)
    .join(' ');
}

type Row = [name: string, seen: Partial<JudgeFacts>, verdict: string, says?: RegExp];
const rows: readonly Row[] = [
  ['done, green, changed', {}, 'close passed'],
  ['its own check was red before', { checks: { ...turned.checks, ownGreen: true } }, 'close proven'],
  ['it was, before what landed meanwhile', { checks: { ...green, wasRed: true } }, 'close proven'],
  ['no check exists', { checks: { ...green, ran: 0 } }, 'close unchecked'],
  ['the only check is excused', excused, 'close unchecked', /excused as known red/],
  ['no check was run', unchecked, 'close unchecked'],
  ['green, and no budget', { overspend }, 'close passed'],
  ['red', isRed, 'correct red'],
  ['red, checks are slow', { ...isRed, quick: false }, 'again counts'],
  ['red, the session is gone', { ...isRed, ...gone }, 'again counts'],
  ['red, corrections spent', { ...isRed, ...corrected }, 'again counts'],
  ['red, attempts spent', { ...isRed, ...gone, ...last }, 'fail'],
  ['red, and no budget', { ...isRed, overspend, ...last }, 'stop budget', /not corrected: red: npm test/],
  ['red, corrections spent, and no budget', { ...isRed, overspend, ...corrected }, 'again counts'],
  ['over budget', ended('over-budget'), 'stop budget'],
  ['in the middle', { ...ended('over-budget'), overspend, ...unchecked }, 'stop budget', /"hint":"more"/],
  ['in the middle, turned green', { ...ended('over-budget'), overspend, ...turned }, 'close proven'],
  ['a person raised it', { ...ended('over-budget'), refunded: 'raised', ...unchecked }, 'again', /raised/],
  ['raised too little', { ...ended('over-budget'), refunded: 'raised', overspend }, 'stop budget'],
  ['skipped while it was done and green', { held: 'skip' }, 'skip'],
  ['skipped while it was interrupted', { held: 'skip', ...ended('interrupted') }, 'skip'],
  ['interrupted', ended('interrupted'), 'stop interrupted'],
  ['interrupted by a pause', { held: 'pause', ...ended('interrupted'), ...last }, 'again'],
  ['interrupted for a note', { held: 'note', ...ended('interrupted') }, 'again'],
  ['done and green in a pause', { held: 'pause' }, 'close passed'],
  ['red in a pause: no attempt counted', { held: 'pause', ...isRed, ...last }, 'again'],
  ['red in a pause, corrections spent', { held: 'pause', ...isRed, ...corrected }, 'again counts'],
  ['the guard objects although all is green', { reds: ['a secret'] }, 'correct red'],
  ['the guard objects to cut-off work', { reds: ['a secret'], ...cut }, 'again counts'],
  ['red, ended by a clock', { ...isRed, ...cut }, 'again counts', /ended by its clock: why; red: npm test/],
  ['git ignores some of it: asked once', ignored, 'correct ignored', /git ignores lib\/a.ts and 1 other/],
  ['git ignores some of it, asked before', hidden, 'close passed'],
  ['it ignores all of it', { ...unchanged, ...hidden }, 'correct nothing-changed', /because git ignores lib/],
  ['the runner reads what is new: asked once', npmrc, 'correct runner', /"reason":".npmrc is new"/],
  ['asked before', { ...npmrc, ...asked('runner') }, 'close unchecked', /2 checks green, but .npmrc is new/],
  ['nothing of the session names what changed', { unnamed: ['README.md'] }, 'park', /nothing shows that/],
  ['passed where it must be proven', proof('passed', [line]), 'correct proof', /x; a.ts:3: no test/],
  ['proven, but for a line: told once', proof('proven', [line]), 'correct proof', /"reason":"a.ts:3/],
  ['told before', { ...proof('proven', [line]), ...asked('proof') }, 'close proven'],
  ['passed, told before', { ...proof('passed', []), ...asked('proof') }, 'park', /passed, not proven: x/],
  ['nothing changed', unchanged, 'correct nothing-changed'],
  ['nothing changed, asked before', { ...unchanged, ...asked('nothing-changed') }, 'again counts'],
  ['already done with a reason', alreadyDone, 'close unchecked'],
  ['already done, its own check is green', { ...alreadyDone, ...ownGreen }, 'close passed'],
  ['its own is green by what git ignores', { ...alreadyDone, ...hidden, ...ownGreen }, 'close unchecked'],
  ['already done without a reason', { ...alreadyDone, ...unsaid }, 'correct nothing-changed'],
  ['already done, but red', { ...alreadyDone, ...isRed }, 'correct red'],
  ['no marker', ended('silent'), 'correct finished?'],
  ['no marker, asked before', { ...ended('silent'), ...asked('finished?') }, 'close passed'],
  ['an agent without follow-up', { ...ended('silent'), noFollowUp: true, ...gone }, 'close passed'],
  ['no marker, cannot be asked', { ...ended('silent'), ...gone }, 'again counts'],
  ['it asks and changed nothing', { ...ended('silent'), asks: 'Which?', ...unchanged, ...gone }, 'park'],
  ['no marker, but turned green', { ...ended('silent'), ...turned }, 'close proven'],
  ['repeated itself', { ...ended('stuck'), ...gone }, 'again counts', /"reason":"why"/],
  ['repeated itself, attempts spent', { ...ended('stuck'), ...gone, ...last }, 'fail'],
  ['repeated itself, but turned green', { ...ended('stuck'), ...turned }, 'close proven'],
  ['timed out', cut, 'again counts'],
  ['timed out, but turned green', { ...cut, ...turned }, 'close proven'],
  ['work left in the background', ended('unfinished'), 'again counts'],
  ['gave up', ended('failed'), 'again counts'],
  ['gave up, but turned green', { ...ended('failed'), ...turned }, 'close proven', /not finish .failed/],
  ['gave up, attempts spent', { ...ended('failed'), ...last }, 'fail'],
  ['asks for another plan', ended('replan'), 'again counts'],
  ['asks for another plan and may', asksReplan, 'replan'],
  ['asks for another plan in its last attempt', { ...asksReplan, ...last }, 'fail'],
  ['asks a person', ended('needs-input'), 'park', /"question":"why"/],
  ['usage limit', ended('limited', { until: 7 }), 'wait limit', /"until":7/],
  ['overloaded', ended('overloaded'), 'wait overload'],
  ['crashed, nothing changed', { ...ended('crashed'), ...unchanged }, 'wait crash'],
  ['crashed after it changed something', ended('crashed'), 'wait crash counts'],
  ['crashed, attempts spent', { ...ended('crashed'), ...last }, 'fail'],
  ['crashed, but turned green', { ...ended('crashed'), ...turned }, 'close proven'],
  ['crashed, who only stood in', { ...ended('crashed'), ...standIn, attemptsLeft: 0 }, 'wait limit', /why"/],
  ['refused', ended('refused', { remedies: [] }), 'stop refused'],
  ['refused, who only stood in', { ...refused, ...standIn }, 'wait limit', /cannot stand in: why; log in/],
  ['refused, and what helps is known', refused, 'stop refused', /"hint":"log in\\nor set a key"/],
  ['refused by a program that was there', absent, 'wait crash', /"atLast":{"why":"refused","hint":"log in/],
];

test.each<Row>(rows)('%s', (_, change, words, says = /./) => {
  const verdict = judgeRound({ ...seen, ...change });
  expect(wordsOf(verdict)).toBe(words);
  expect(JSON.stringify(verdict)).toMatch(says);
});

test('closed as proven or passed means green checks that ran, and changed work or an own green check', () => {
  const changes = rows.map(([, change]) => change);
  const all = changes.flatMap((one) => changes.map((other) => ({ ...seen, ...one, ...other })));
  for (const one of all) {
    const verdict = judgeRound(one);
    expect(verdict.reason).not.toBe('');
    if (verdict.kind !== 'close' || verdict.proof === 'unchecked') continue;
    const { changed, checks } = one;
    const isProven = checks?.wasRed || one.proof?.word === 'proven';
    expect(verdict.proof === 'proven').toBe(changed && isProven === true);
    expect(one.reds).toEqual([]);
    expect(checks?.red).toEqual([]);
    expect(checks?.ran === 0 && !checks.ownGreen).toBe(false);
    expect(changed || checks?.ownGreen).toBe(true);
    expect(changed || one.hidden.length === 0).toBe(true);
    expect(one.unproved).toEqual([]);
    expect(changed && one.unnamed.length > 0).toBe(false);
  }
});
