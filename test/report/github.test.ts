// GitHub's workflow commands: what becomes an annotation, how it is escaped, and how many there are.
import { expect, it, test } from 'vitest';
import type { Fact } from '../../src/event.ts';
import { allowCommands, annotationsOf, stopCommands } from '../../src/report/github.ts';
import { viewRun } from '../../src/report/view/view-run.ts';
import { fact, stateOf } from '../helpers/facts.ts';
import { disputedReview, opinion } from './review-state.ts';

const annotate = (...facts: readonly Fact[]) => annotationsOf(viewRun(stateOf(...facts), {}));
const begin = [fact('stage-started'), fact('review-round-started')];
const ended = fact('run-ended', { exit: 0, reasons: [], finished: true });

it('tells why the run ended, then what waits for a person', () => {
  const end = fact('run-ended', {
    exit: 4,
    reasons: [
      { exit: 4, code: 'review', text: 'review first ended disputed', hint: 'See pawl report --findings.' },
      { exit: 3, code: 'skipped', text: 'task 2 was skipped' },
    ],
    finished: true,
  });
  expect(annotate(...disputedReview, end)).toEqual([
    '::error title=pawl%3A something is not proven or the review is not clean::review first ended disputed%0Atask 2 was skipped%0ASee pawl report --findings.',
    '::error file=src/auth.ts,line=40,title=F3 critical (quality)::Complaint F3',
    '::error file=src/auth.ts,line=12,title=F4 major%2C disputed (quality%2C testing)::Complaint F4',
    '::notice file=src/a b.ts,line=3,title=F5 note (testing)::Complaint F5',
  ]);
});

it('is silent about a run that went well', () => {
  expect(annotate(ended)).toEqual([]);
  expect(annotate()).toEqual([]);
});

test.each([
  [{ title: '100%\r\n::error::x', evidence: 'a\rb' }, '::100%25%0A::error::x%0Aa%0Ab'],
  [{ file: 'a,b:c.ts', line: 0, title: 'x' }, 'file=a%2Cb%3Ac.ts,title=F1'],
  [{ title: 'x', suggestion: 'y' }, '::x%0ASuggested: y'],
  [{ title: 'a\u001b]0;t\u0007b' }, '::ab'],
])('escapes %o', (change, part) => {
  const [line = ''] = annotate(...begin, opinion('quality', { F1: change }));
  expect(line).toContain(part);
  expect(line).not.toMatch(/[\r\n\u001b]/);
});

test('of one level there are ten', () => {
  const many = Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`F${at + 1}`, { line: at + 1 }]));
  const lines = annotate(...begin, opinion('quality', { ...many, F15: { severity: 'note' } }));
  expect(lines).toHaveLength(11);
  expect(lines[10]).toMatch(/^::notice /);
});

test('what an agent says can be kept from being a command', () => {
  expect([stopCommands('ab12'), allowCommands('ab12')]).toEqual(['::stop-commands::ab12', '::ab12::']);
});
