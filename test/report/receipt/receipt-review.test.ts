// The review in the receipt and in the status: stages with their ends, who is missing, what waits for a person.
import { describe, expect, it, test } from 'vitest';
import type { Fact, FactOf } from '../../../src/event.ts';
import { writeReceipt } from '../../../src/report/receipt/receipt.ts';
import { formatStanding } from '../../../src/report/status/format-standing.ts';
import { renderLine } from '../../../src/report/text/line.ts';
import { viewRun } from '../../../src/report/view/view-run.ts';
import { fact, foldFacts, stateOf } from '../../helpers/facts.ts';
import { disputedReview, opinion } from '../review-state.ts';

function receipt(...facts: readonly Fact[]): string {
  const state = stateOf(...facts);
  return writeReceipt(state);
}

function status(facts: readonly Fact[], isHeld = false): readonly string[] {
  const state = stateOf(...facts);
  const holder = isHeld ? { pid: 1, host: 'h', since: '' } : undefined;
  const standing = viewRun(state, { holder });
  return formatStanding(standing, 0)
    .map(renderLine)
    .filter((text) => /^ {2}(review|finding| {8} (?!pawl))/.test(text));
}

const sectionOf = (text: string) => /## Review[^\n]*\n\n([\s\S]*?)\n\n## /.exec(text)?.[1] ?? '';

it('lists stages, what waits for a person, what was rejected, and counts the rest', () => {
  expect(sectionOf(receipt(...disputedReview))).toMatchInlineSnapshot(`
    "- first: open after 2 rounds: F4 was rejected and raised again
    - Open: F3 critical \`src/auth.ts:40\` Complaint F3 (quality)
    - Open: F5 note \`./src/a b.ts:3\` Complaint F5 (testing)
    - Disputed: F4 major \`src/auth.ts:12\` Complaint F4 — rejected, and raised again or proven: harmless (quality, testing)
    - Rejected: F2 minor \`src/b.ts\` Complaint F2 — rejected: it is meant so (quality)
    - Fixed: F1 major \`src/auth.ts:12\` The token is compared with == — fixed: constant time (quality)"
  `);
});

it('says at the top what is not clean, but nothing that a later stage has settled', () => {
  expect(receipt(...disputedReview)).toMatch(/^\*\*REVIEW NOT CLEAN: first open; 3 open findings\*\*\n/);
  const left = [
    fact('stage-started'),
    fact('review-round-started'),
    opinion('quality', { F1: {} }),
    fact('stage-ended', { end: 'open', open: ['F1'] }),
  ];
  expect(receipt(...left)).toMatch(/^\*\*REVIEW NOT CLEAN: first open/);
  const settled = receipt(...left, fact('finding-tried'), fact('finding-tried', { result: 'refuted' }));
  expect(settled).not.toContain('NOT CLEAN');
  expect(settled).toContain('- first: settled after 1 round: a later stage settled F1\n');
});

it('says at the end how to see what is open', () => {
  const end = fact('run-ended', { exit: 4, finished: true, reasons: [] });
  expect(receipt(...disputedReview, end)).toContain(
    '- Read the findings that are open: `pawl report --findings`\n',
  );
  const settled = [
    fact('stage-started'),
    fact('review-round-started'),
    opinion('quality', { F1: {} }),
    fact('findings-answered', { answers: [{ finding: 'F1', answer: 'rejected', reason: 'so' }] }),
    fact('work-ended'),
    fact('stage-ended', { end: 'settled' }),
  ];
  expect(receipt(...settled, end)).not.toContain('pawl report --findings');
});

it('of a branch names its commits only where it made some', () => {
  const asked = fact('run-started', { review: { base: 'aa', reportOnly: false } });
  const end = fact('run-ended', { exit: 0, finished: true, reasons: [] });
  const state = (...facts: readonly Fact[]) => {
    const folded = foldFacts([asked, fact('plan-read', { tasks: [] }), ...facts, end], 1);
    return writeReceipt(folded);
  };
  expect(state(fact('stage-started'), fact('stage-ended'))).not.toContain('## Next');
  const fixed = [
    fact('stage-started'),
    fact('review-round-started'),
    opinion('quality', { F1: {} }),
    fact('work-planned'),
    fact('task-started', { task: 'fix-first-1' }),
    fact('task-closed', { task: 'fix-first-1' }),
    fact('work-ended'),
    fact('stage-ended'),
  ];
  expect(state(...fixed)).toContain('## Next\n\n- Review the work');
});

it('without a plan counts no tasks', () => {
  const standing = viewRun(stateOf(fact('plan-read', { tasks: [] }), ...disputedReview), {});
  expect(formatStanding(standing, 0).map(renderLine).join('\n')).not.toMatch(/^ {2}tasks/m);
  const text = receipt(fact('plan-read', { tasks: [] }), ...disputedReview);
  expect(text).toContain('\n\nAdd user authentication, on branch `auth`\n');
});

type End = FactOf<'stage-ended'>['end'];
test.each<[string, readonly Fact[], boolean]>([
  ['clean', [fact('stage-started'), fact('stage-ended')], false],
  ['settled', [fact('stage-started'), fact('stage-ended', { end: 'settled' satisfies End })], false],
  ['skipped', [fact('stage-started'), fact('stage-ended', { end: 'skipped' satisfies End })], false],
  [
    'optional',
    [fact('stage-started', { optional: true }), fact('stage-ended', { end: 'open' satisfies End })],
    false,
  ],
  ['incomplete', [fact('stage-started'), fact('stage-ended', { end: 'incomplete' satisfies End })], true],
  ['cut off', [fact('stage-started')], true],
  ['none', [], false],
])('a review that is %s', (_, facts, told) => {
  expect(receipt(...facts).includes('REVIEW NOT CLEAN')).toBe(told);
});

test.each<[End, readonly string[], ...Fact[]]>([
  ['incomplete', []],
  [
    'incomplete',
    ['- testing did not answer: no JSON'],
    fact('work-ended', { fix: { stage: 'first', round: 2 } }),
  ],
  ['open', ['- testing did not answer: no JSON']],
])(
  'of an end that is %s names once who did not answer in the last round, and nobody else',
  (end, more, ...facts) => {
    const missing = (reviewer: string, round: number) =>
      fact('opinion-missing', { reviewer, round, reason: 'no JSON' });
    const text = receipt(
      fact('stage-started'),
      ...[fact('review-round-started'), missing('quality', 1)],
      ...[fact('review-round-started', { round: 2 }), missing('quality', 2), opinion('quality', {}, 2)],
      ...[missing('testing', 2), missing('testing', 2)],
      ...facts,
      fact('stage-ended', { end, reason: 'testing is missing' }),
    );
    expect(sectionOf(text)).toBe([`- first: ${end} after 2 rounds: testing is missing`, ...more].join('\n'));
  },
);

it('lists thirty findings and says how many more there are', () => {
  const many = Object.fromEntries(Array.from({ length: 33 }, (_, at) => [`F${at + 1}`, { line: at + 1 }]));
  const text = receipt(fact('stage-started'), fact('review-round-started'), opinion('quality', many));
  expect(text.match(/^- Open: /gm)).toHaveLength(30);
  expect(text).toContain('- and 3 more, see `pawl report --findings`');
});

describe('a fixer', () => {
  const planned = [
    fact('stage-started'),
    fact('review-round-started'),
    opinion('quality', { F1: {} }),
    fact('work-planned'),
  ];
  const work = [
    fact('task-started', { task: 'fix-first-1' }),
    fact('session-started', { role: 'fix', task: 'fix-first-1' }),
    fact('session-ended', { costUsd: 0.5, costAtLeast: false }),
    fact('act-found', { task: 'fix-first-1' }),
  ];
  const closed = fact('task-closed', { task: 'fix-first-1' });
  test.each<[string, readonly Fact[], RegExp]>([
    [
      'that committed',
      [closed, fact('work-ended')],
      /^- Fixer of F1 \(first, round 1\): 3 files, \+40 −2, commit `1a2b3c4d5e`$/m,
    ],
    [
      'that no check proved',
      [{ ...closed, proof: 'unchecked', reason: 'there is no check' }, fact('work-ended')],
      /commit `1a2b3c4d5e`\n- Why unchecked: there is no check$/m,
    ],
    [
      'that failed',
      [fact('work-ended', { result: 'failed', reason: 'red: npm test', rescue: 'ab'.repeat(20) })],
      /^- Fixer of F1 \(first, round 1\): Not fixed: red: npm test\n- its work is kept: pawl rescue show ababababab$/m,
    ],
    ['that was cut off', [], /^- Fixer of F1 \(first, round 1\): not finished$/m],
  ])('%s', (_, facts, wanted) => {
    const section = sectionOf(receipt(...planned, ...work, ...facts));
    expect(section).toMatch(wanted);
    expect(section).toContain('- There were commits that pawl did not make');
  });

  it('that changed nothing is not told beside what it rejected', () => {
    const text = receipt(...planned, fact('work-ended', { result: 'nothing' }));
    expect(sectionOf(text)).not.toContain('Fixer of');
  });
});

it('the status tells the ends and what waits for a person', () => {
  expect(status(disputedReview)).toEqual([
    '  review   first: open after 2 rounds: F4 was rejected and raised again',
    '  finding  F3 critical src/auth.ts:40 Complaint F3',
    '  finding  F5 note ./src/a b.ts:3 Complaint F5',
    '  finding  F4 major, disputed src/auth.ts:12 Complaint F4',
  ]);
  const running = [fact('stage-started', { stage: 'x' }), fact('stage-ended', { stage: 'x' })];
  const second = [fact('stage-started'), fact('review-round-started')];
  expect(status([...running, ...second], true)).toEqual([
    '  review   x: clean: 2 reviewers answered, nothing at or above minor',
    '           first: in round 1',
  ]);
  expect(status([...running, ...second])[1]).toBe('           first: not ended after 1 round');
  expect(status([])).toEqual([]);
});
