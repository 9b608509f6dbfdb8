// What a fixer says against what it changed: one row per branch.
import { expect, test } from 'vitest';
import type { Outcome, Turn } from '../../../src/agent/session/session-plan.ts';
import type { Event, Fact } from '../../../src/event.ts';
import type { Place } from '../../../src/place/place.ts';
import {
  collectAnswers,
  fixedOf,
  judgeAnswers,
  outcomeWith,
  readAnswersOfState,
  rejectsAll,
  type Said,
} from '../../../src/work/kind/fix-answers.ts';
import type { Fix } from '../../../src/work/work.ts';
import { fact, foldFacts } from '../../helpers/facts.ts';

const fixed: Said = { answers: [{ finding: 'F1', answer: 'fixed', reason: '' }] };
const rejected: Said = { answers: [{ finding: 'F1', answer: 'rejected', reason: 'by design' }] };
const answers = [
  { finding: 'F1', answer: 'fixed', reason: '' },
  { finding: 'F2', answer: 'rejected', reason: 'by design' },
] as const;
const both: Said = { answers };
const half: Said = { problem: 'nothing is said about F2' };

test.each<[string, Said, boolean, RegExp | undefined]>([
  ['fixed, and files changed', fixed, true, undefined],
  ['fixed, and nothing changed', fixed, false, /F1 said to be fixed, but no file was changed/],
  ['rejected, and nothing changed', rejected, false, undefined],
  ['rejected, and files changed', rejected, true, /every finding is rejected, yet files were changed/],
  ['one of two fixed', both, true, undefined],
  ['one of two fixed, nothing changed', both, false, /F1 said/],
  ['half an answer', half, true, /could not be read whole: nothing is said about F2/],
])('%s', (_, said, changed, wanted) => {
  const [red, ...more] = judgeAnswers(said, changed);
  expect(more).toEqual([]);
  if (wanted) expect(red).toMatch(wanted);
  else expect(red).toBeUndefined();
});

test.each<[Said | undefined, boolean]>([
  [rejected, true],
  [both, false],
  [half, false],
  [undefined, false],
])('%j rejects all: %s', (said, all) => expect(rejectsAll(said)).toBe(all));

/** With every answer given a turn needs no marker; nothing else of how it ended changes. */
test.each<[Said | undefined, Outcome['kind'], Outcome['kind']]>([
  [fixed, 'silent', 'done'],
  [rejected, 'already-done', 'done'],
  [half, 'silent', 'silent'],
  [undefined, 'silent', 'silent'],
  [fixed, 'crashed', 'crashed'],
  [fixed, 'failed', 'failed'],
])('%j and %s: %s', (said, kind, wanted) => {
  expect(outcomeWith(said, { kind, reason: '' } as Outcome).kind).toBe(wanted);
});

/** What is heard of a fixer of two findings in a run whose journal holds these facts too. */
function listen(...more: readonly Fact[]) {
  const begun = [fact('run-started'), fact('stage-started'), fact('review-round-started')];
  const state = foldFacts([...begun, ...more]);
  const told: Event[] = [];
  const place = { run: { state: () => state, emit: (event: Event) => told.push(event) } } as unknown as Place;
  const findings = ['F1', 'F2'].map((id) => ({ id })) as unknown as Fix['findings'];
  return { place, fix: { stage: 'first', round: 1, findings } satisfies Fix, told };
}

const answered = fact('findings-answered', { session: 6, answers: [...answers] });
const whole = { text: JSON.stringify({ answers }) } as Turn;
const one = { text: JSON.stringify({ answers: answers.slice(0, 1) }) } as Turn;
const nothing = { text: 'It is mended.' } as Turn;

/** The journal, the turn, and its session: what was said, and whether it is journaled. */
test.each<[string, readonly Fact[], Turn, number, string, boolean]>([
  ['a whole answer is journaled', [], whole, 6, 'F1 F2', true],
  ['a later whole one as well', [answered], whole, 6, 'F1 F2', true],
  ['nothing is said, and nothing was', [], nothing, 6, 'the answer holds no JSON', false],
  ['a correction need not say it again', [answered], nothing, 6, 'F1 F2', false],
  ['what another session said is not its word', [answered], nothing, 7, 'the answer holds no JSON', false],
  ['an answer about one of two is none', [], one, 6, 'nothing is said about F2', false],
])('%s', (_, facts, turn, session, wanted, isTold) => {
  const { place, fix, told } = listen(...facts);
  const said = collectAnswers(place, fix, { turn, session });
  expect('problem' in said ? said.problem : said.answers.map(({ finding }) => finding).join(' ')).toBe(
    wanted,
  );
  const fact = { type: 'findings-answered', stage: 'first', round: 1, session, answers: [...answers] };
  expect(told).toEqual(isTold ? [fact] : []);
});

const begun = (session: number, role: 'fix' | 'review') => fact('session-started', { session, role });

/** After a restart: what the last fixer has said stands, and no other's. */
test.each<[string, readonly Fact[], boolean]>([
  ['it has answered', [begun(6, 'fix'), answered], true],
  ['it has answered, and a reviewer came after it', [begun(6, 'fix'), answered, begun(7, 'review')], true],
  ['another fixer came after it, and said nothing', [begun(6, 'fix'), answered, begun(7, 'fix')], false],
  ['nobody has said anything', [begun(6, 'fix')], false],
  ['nobody was asked', [], false],
])('recalled: %s', (_, facts, isWhole) => {
  const { place, fix } = listen(...facts);
  expect('answers' in readAnswersOfState(place, fix)).toBe(isWhole);
  const fixedNow = fixedOf(place, fix).map(({ id }) => id);
  expect(fixedNow).toEqual(facts.includes(answered) ? ['F1'] : []);
});
