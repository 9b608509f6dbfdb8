// The fixer's answers to its findings: its work counts only if every finding is answered.
import type { Outcome } from '../../agent/session/outcome.ts';
import type { Turn } from '../../agent/session/session-plan.ts';
import type { FixAnswer } from '../../event/finding.ts';
import { readAnswers } from '../../finding/opinion.ts';
import { type FindingState, findRound } from '../../journal/fold-review.ts';
import type { Place } from '../../place/place.ts';
import type { Fix } from '../work.ts';

export type Said = Readonly<{ answers: readonly FixAnswer[] } | { problem: string }>;

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

export function readAnswersOfState(place: Place, fix: Fix): Said {
  const round = findRound(place.run.state().review, fix.stage, fix.round);
  const last = [...place.run.state().sessions.values()].findLast(({ started }) => started.role === 'fix');
  return round?.answeredBy !== undefined && round.answeredBy === last?.started.session
    ? { answers: round.answers }
    : { problem: 'nothing was said about the findings' };
}

/** Complete answers say as well as a marker that the work is done. */
export function outcomeWith(said: Said | undefined, outcome: Outcome): Outcome {
  const isAnswered = said !== undefined && 'answers' in said;
  return isAnswered && (outcome.kind === 'silent' || outcome.kind === 'already-done')
    ? { kind: 'done', reason: 'every finding is answered' }
    : outcome;
}

/** Incomplete, or contradicting what was done. */
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

export function rejectsAll(said: Said | undefined): boolean {
  return said !== undefined && 'answers' in said && said.answers.every(({ answer }) => answer === 'rejected');
}

export function fixedOf(place: Place, fix: Fix): readonly FindingState[] {
  const { answers = [] } = findRound(place.run.state().review, fix.stage, fix.round) ?? {};
  const fixed = new Set(answers.filter(({ answer }) => answer === 'fixed').map(({ finding }) => finding));
  return fix.findings.filter(({ id }) => fixed.has(id));
}
