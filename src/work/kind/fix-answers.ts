// The fixer's answers to its findings: parsed from its turn, journaled when complete, and compared with what it changed. Its
// work counts only with an answer to each finding.
import type { Outcome } from '../../agent/session/outcome.ts';
import type { Turn } from '../../agent/session/session-plan.ts';
import type { FixAnswer } from '../../event/finding.ts';
import { readAnswers } from '../../finding/opinion.ts';
import { type FindingState, findRound } from '../../journal/fold-review.ts';
import type { Place } from '../../place/place.ts';
import type { Fix } from '../work.ts';

/** What was said: an answer to each finding, or what is wrong with it. */
export type Said = Readonly<{ answers: readonly FixAnswer[] } | { problem: string }>;

/** Reads what a turn says; whole answers are journaled. A correction that only mends code need not say it all again. */
export function collectAnswers(
  place: Place,
  fix: Fix,
  heard: Readonly<{ turn: Turn; session: number }>,
): Said {
  const { turn, session } = heard;
  const { stage, round } = fix;
  const reading = readAnswers(
    turn,
    fix.findings.map(({ id }) => id),
  );
  if ('value' in reading) {
    place.run.emit({ type: 'findings-answered', stage, round, session, answers: [...reading.value] });
    return { answers: reading.value };
  }
  const earlier = findRound(place.run.state().review, fix.stage, fix.round);
  return earlier?.answeredBy === session ? { answers: earlier.answers } : reading;
}

/** What the last session of a fix has said, as the journal knows it. */
export function readAnswersOfState(place: Place, fix: Fix): Said {
  const round = findRound(place.run.state().review, fix.stage, fix.round);
  const last = [...place.run.state().sessions.values()].findLast(({ started }) => started.role === 'fix');
  return round?.answeredBy !== undefined && round.answeredBy === last?.started.session
    ? { answers: round.answers }
    : { problem: 'nothing was said about the findings' };
}

/** An answer to each finding says that the work is done as well as any marker does. */
export function outcomeWith(said: Said | undefined, outcome: Outcome): Outcome {
  const isAnswered = said !== undefined && 'answers' in said;
  return isAnswered && (outcome.kind === 'silent' || outcome.kind === 'already-done')
    ? { kind: 'done', reason: 'every finding is answered' }
    : outcome;
}

/** What speaks against the round: answers that are not whole, or that are not what was done. */
export function judgeAnswers(said: Said, changed: boolean): readonly string[] {
  if ('problem' in said) return [`the answers could not be read whole: ${said.problem}`];
  if (rejectsAll(said))
    return changed ? ['every finding is rejected, yet files were changed: undo the changes'] : [];
  const fixed = said.answers.filter(({ answer }) => answer === 'fixed').map(({ finding }) => finding);
  if (changed) return [];
  return [
    `${fixed.join(', ')} said to be fixed, but no file was changed: fix it, or reject it with a reason`,
  ];
}

/** Nothing had to be mended. */
export function rejectsAll(said: Said | undefined): boolean {
  return said !== undefined && 'answers' in said && said.answers.every(({ answer }) => answer === 'rejected');
}

/** The findings that are said to be fixed. */
export function fixedOf(place: Place, fix: Fix): readonly FindingState[] {
  const { answers = [] } = findRound(place.run.state().review, fix.stage, fix.round) ?? {};
  const fixed = new Set(answers.filter(({ answer }) => answer === 'fixed').map(({ finding }) => finding));
  return fix.findings.filter(({ id }) => fixed.has(id));
}
