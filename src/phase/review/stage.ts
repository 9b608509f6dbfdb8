// One stage of the review: rounds of reviewers and a fixer until a named end, resumed by the journal.
import type { Stage } from '../../config/stages.ts';
import { defined } from '../../defined.ts';
import type { StageEnd } from '../../event/review.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { findingsOf, type RoundPlace, type StageState } from '../../journal/fold-review.ts';
import { findBlind } from '../../work/budget/budget.ts';
import { overspendNow } from '../../work/budget/spending.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { refuseElsewhere } from '../../work/on-branch.ts';
import { interrupted, type Stop } from '../../work/stopped.ts';
import { askReviewers } from './ask-reviewers.ts';
import { chooseFindings, fixFindings, isPlanned, planFix } from './fix-findings.ts';
import {
  dueReviewers,
  judgeFix,
  judgeMoved,
  judgeOpinions,
  knownAnswers,
  type ReviewPlan,
  type RoundVerdict,
  type SeenRound,
} from './judge-review.ts';
import { proveFindings } from './prove-findings.ts';
import { agentOf } from './reviewer.ts';
import { endStage, needRound, openRound, startStage } from './rounds.ts';

export type StageResult = StageEnd | Stop;

export async function workStage(place: WorkPlace, stage: Stage, plan: ReviewPlan): Promise<StageResult> {
  const { name, reviewers, rounds, optional } = stage;
  const { ended, rounds: past = [] } = stateOf(place, name) ?? {};
  // One that only ran out of budget is not over.
  if (ended && ended.end !== 'over-budget') return ended.end;
  const last = past.at(-1)?.ended;
  if (last?.end) return end(place, name, { end: last.end, reason: last.reason });
  const skip = optional ? findBlind(agentOf(place, stage), place.run.state().caps) : undefined;
  startStage(place, { stage: name, rounds, optional, base: plan.base, reviewers: [...reviewers] });
  if (skip) return end(place, name, { end: 'skipped', reason: skip.reason });
  // The last of its rounds ends it.
  for (;;) {
    const ends = await workRound(place, stage, plan);
    if (ends) return ends;
  }
}

const unfit = { kind: 'end', end: 'open', reason: 'the tests of what is confirmed fit no longer' } as const;

function stateOf({ run }: WorkPlace, stage: string): StageState | undefined {
  return run.state().review.stages.get(stage);
}

/** Undefined if another round follows. */
async function workRound(place: WorkPlace, stage: Stage, plan: ReviewPlan): Promise<StageResult | undefined> {
  const { reportOnly = false, prove = false } = place.run.state().started.review ?? {};
  if (!reportOnly) refuseElsewhere(place);
  const now = await readHeadCommit(place.repo);
  const { round, head } = openRound(place, stage.name, { head: now });
  const where = { stage: stage.name, round };
  if (!isPlanned(place, where)) {
    // A person's commit is for the next round.
    const isCurrent = reportOnly || now === head;
    const stop = isCurrent ? await ask(place, stage, { plan, round, head }) : undefined;
    if (stop) return stopAt(place, stage, stop);
    // A report runs nothing of the branch's unless asked to.
    if (isCurrent && (!reportOnly || prove)) await proveFindings(place, { ...where, head });
    if (place.run.signal.aborted) return interrupted;
    const seen = await see(place, stage, { plan, round });
    const verdict = isCurrent ? judgeOpinions(seen) : judgeMoved(seen);
    if (verdict.kind !== 'fix') return endRoundWith(place, where, verdict);
    const findings = await chooseFindings(place, verdict.findings, head);
    if (findings.length === 0) return endRoundWith(place, where, unfit);
    planFix(place, { ...where, findings });
  }
  const stop = await fixFindings(place, where);
  return stop ?? endRoundWith(place, where, judgeFix(await see(place, stage, { plan, round })));
}

/** Not those whose answer about this commit is known. */
function ask(
  place: WorkPlace,
  all: Stage,
  { plan, round, head }: Readonly<{ plan: ReviewPlan; round: number; head: string }>,
): Promise<Stop | undefined> {
  const { run } = place;
  const stage = { ...all, reviewers: listDue(place, all, plan) };
  const where = { stage: stage.name, round };
  const { opinions } = needRound(place, where);
  for (const [reviewer, from] of knownAnswers(run.state().review, { stage, head }, plan))
    if (!opinions.has(reviewer))
      run.emit({ type: 'opinion', state: 'given', ...where, reviewer, from, findings: [] });
  return askReviewers(place, { stage, round, head, base: plan.base });
}

function listDue(place: WorkPlace, stage: Stage, plan: ReviewPlan): readonly string[] {
  return dueReviewers(stage, stateOf(place, stage.name)?.rounds ?? [], plan);
}

function stopAt(place: WorkPlace, { name, optional }: Stage, stop: Stop): StageResult {
  const hasSpoken = stateOf(place, name)?.rounds.some(({ opinions }) => opinions.size > 0);
  const isSkipped = optional && stop.why === 'refused' && !hasSpoken;
  return isSkipped ? end(place, name, { end: 'skipped', reason: stop.reason }) : stop;
}

async function see(
  place: WorkPlace,
  stage: Stage,
  { plan, round: number }: Readonly<{ plan: ReviewPlan; round: number }>,
): Promise<SeenRound> {
  const { reportOnly = false, prove = false } = place.run.state().started.review ?? {};
  const round = needRound(place, { stage: stage.name, round: number });
  return {
    round,
    reviewers: listDue(place, stage, plan),
    // Other stages' findings are theirs.
    findings: findingsOf(place.run.state().review, stage.name),
    roundsLeft: stage.rounds - number,
    // A report is about what was there as it began: the user may go on working.
    head: reportOnly ? round.head : await readHeadCommit(place.repo),
    ...(reportOnly ? { report: prove ? 'proven' : 'all' } : {}),
    ...defined({ overspent: overspendNow(place, undefined, { newSession: true })?.reason }),
  };
}

async function endRoundWith(
  place: WorkPlace,
  where: RoundPlace,
  { kind, reason, ...verdict }: RoundVerdict,
): Promise<StageEnd | undefined> {
  const ended = 'end' in verdict ? verdict.end : undefined;
  const head = await readHeadCommit(place.repo);
  // With more to spend the round continues where it was.
  if (ended !== 'over-budget')
    place.run.emit({
      ...{ type: 'review-round', state: 'ended', ...where, verdict: kind, reason, head },
      ...defined({ end: ended }),
    });
  return ended && end(place, where.stage, { end: ended, reason });
}

function end(place: WorkPlace, stage: string, how: Readonly<{ end: StageEnd; reason: string }>): StageEnd {
  endStage(place, stage, how);
  return how.end;
}
