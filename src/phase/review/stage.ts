// One stage of the review: rounds of reviewers and a fixer until a named end, resumed where the journal says.
// judge-review.ts decides what follows.
import type { Stage } from '../../config/stages.ts';
import { defined } from '../../defined.ts';
import type { StageEnd } from '../../event/review.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { findRound, type ReviewRound, type StageState } from '../../journal/fold-review.ts';
import type { Place } from '../../place/place.ts';
import { findBlind } from '../../work/budget/budget.ts';
import { overspendNow } from '../../work/budget/spending.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { refuseElsewhere } from '../../work/on-branch.ts';
import { interrupted, type Stop } from '../../work/stopped.ts';
import { askReviewers } from './ask-reviewers.ts';
import { dueReviewers, knownAnswers, type ReviewPlan } from './due-reviewers.ts';
import { chooseFindings, fixFindings, isPlanned, planFix } from './fix-findings.ts';
import { judgeFix, judgeMoved, judgeOpinions, type RoundVerdict, type SeenRound } from './judge-review.ts';
import { proveFindings } from './prove-findings.ts';
import { agentOf } from './reviewer.ts';

/** How a stage left its loop: at a named end, or because the run has to stop. */
export type StageResult = Readonly<{ kind: 'ended'; end: StageEnd }> | Stop;

/** Works on a stage until it ends; one that has ended is not begun again. */
export async function workStage(place: WorkPlace, stage: Stage, plan: ReviewPlan): Promise<StageResult> {
  const known = findEnd(place, stage);
  if (known) return known;
  const skip = findSkip(place, stage);
  beginStage(place, stage, plan.base);
  if (skip !== undefined) return endStage(place, stage, { end: 'skipped', reason: skip });
  for (let round = 1; round <= stage.rounds + 1; round += 1) {
    const end = await workRound(place, stage, plan);
    if (end) return end;
  }
  return endStage(place, stage, { end: 'open', reason: `${stage.rounds} rounds without an end` });
}

/** One round; undefined if another one follows. */
async function workRound(place: WorkPlace, stage: Stage, plan: ReviewPlan): Promise<StageResult | undefined> {
  if (!isReport(place)) refuseElsewhere(place);
  const { round: number, head } = findOpenRound(place, stage) ?? (await beginRound(place, stage));
  if (!isPlanned(place, stage, number)) {
    // What a person committed meanwhile is for the next round to review.
    const isCurrent = (await headNow(place, head)) === head;
    const stop = isCurrent ? await askDue(place, stage, { number, head, plan }) : undefined;
    if (stop) return stopStage(place, stage, stop);
    const overspend = overspendNow(place, undefined, { newSession: true });
    if (isCurrent && overspend === undefined && provesFindings(place))
      await proveFindings(place, { stage: stage.name, round: number, head });
    if (place.run.signal.aborted) return interrupted;
    const seen = await see(place, stage, { number, plan });
    const verdict = isCurrent ? judgeOpinions(seen) : judgeMoved(seen);
    if (verdict.kind !== 'fix') return endRound(place, stage, { number, verdict });
    const findings = await chooseFindings(place, verdict.findings, head);
    planFix(place, { stage: stage.name, round: number, findings });
  }
  const stop = await fixFindings(place, { stage: stage.name, round: number });
  if (stop) return stop;
  return endRound(place, stage, { number, verdict: judgeFix(await see(place, stage, { number, plan })) });
}

/** Asks those whose answer about this commit is not known from another stage. */
async function askDue(
  place: WorkPlace,
  stage: Stage,
  { number, head, plan }: Readonly<{ number: number; head: string; plan: ReviewPlan }>,
): Promise<Stop | undefined> {
  const reviewers = dueReviewers(stage, stateOfStage(place, stage)?.rounds ?? [], plan);
  const { review } = place.run.state();
  const answered = findRound(review, stage.name, number)?.opinions;
  for (const [reviewer, from] of knownAnswers(review, { stage, head }, plan)) {
    if (!reviewers.includes(reviewer) || answered?.has(reviewer)) continue;
    place.run.emit({
      type: 'opinion',
      state: 'given',
      stage: stage.name,
      round: number,
      reviewer,
      from,
      findings: [],
    });
  }
  return askReviewers(place, { stage: { ...stage, reviewers }, round: number, head, base: plan.base });
}

/** An optional stage whose agent is unavailable is skipped, but only if nobody has answered yet. */
function stopStage(place: Place, stage: Stage, stop: Stop): StageResult {
  const rounds = stateOfStage(place, stage)?.rounds ?? [];
  const hasSpoken = rounds.some(({ opinions }) => opinions.size > 0);
  if (stage.optional && stop.why === 'refused' && !hasSpoken)
    return endStage(place, stage, { end: 'skipped', reason: stop.reason });
  return stop;
}

/** A report is about what was there when it began: the user may go on working meanwhile. */
async function headNow(place: Place, reviewed: string): Promise<string> {
  return isReport(place) ? reviewed : readHeadCommit(place.repo);
}

function isReport({ run: { options } }: Place): boolean {
  return options.review?.reportOnly ?? false;
}

/** A report runs nothing of the branch's unless it is asked to. */
function provesFindings({ run: { options } }: Place): boolean {
  return !options.review?.reportOnly || options.review.prove;
}

async function see(
  place: Place,
  stage: Stage,
  { number, plan }: Readonly<{ number: number; plan: ReviewPlan }>,
): Promise<SeenRound> {
  const round = findRound(place.run.state().review, stage.name, number);
  if (!round) throw new Error(`round ${number} of ${stage.name} is not in the journal`);
  const overspend = overspendNow(place, undefined, { newSession: true });
  return {
    round,
    reviewers: dueReviewers(stage, stateOfStage(place, stage)?.rounds ?? [], plan),
    // Other stages' findings are theirs.
    findings: [...place.run.state().review.findings.values()].filter(({ raised }) =>
      raised.some((one) => one.stage === stage.name),
    ),
    roundsLeft: stage.rounds - number,
    head: await headNow(place, round.head),
    ...defined({
      report: isReport(place) ? (provesFindings(place) ? 'proven' : 'all') : undefined,
      overspent: overspend?.reason,
    } as const),
  };
}

async function endRound(
  place: Place,
  stage: Stage,
  { number, verdict }: Readonly<{ number: number; verdict: RoundVerdict }>,
): Promise<StageResult | undefined> {
  // With more to spend the round continues: nobody who has answered in it is asked again.
  if (verdict.kind === 'end' && verdict.end === 'over-budget') return endStage(place, stage, verdict);
  place.run.emit({
    type: 'review-round',
    state: 'ended',
    stage: stage.name,
    round: number,
    verdict: verdict.kind,
    ...(verdict.kind === 'end' ? { end: verdict.end } : {}),
    reason: verdict.reason,
    head: await readHeadCommit(place.repo),
  });
  return verdict.kind === 'end' ? endStage(place, stage, verdict) : undefined;
}

function endStage(
  place: Place,
  { name }: Stage,
  { end, reason }: Readonly<{ end: StageEnd; reason: string }>,
): StageResult {
  const open = [...place.run.state().review.findings.values()].filter(
    ({ standing, raised }) =>
      (standing === 'open' || standing === 'disputed') && raised.some(({ stage }) => stage === name),
  );
  place.run.emit({ type: 'stage', state: 'ended', stage: name, end, reason, open: open.map(({ id }) => id) });
  return { kind: 'ended', end };
}

/**
 * The end of a stage that is over; reports it if a kill prevented that. A stage that only ran out of budget is not over.
 */
function findEnd(place: Place, stage: Stage): StageResult | undefined {
  const { ended, rounds = [] } = stateOfStage(place, stage) ?? {};
  if (ended) return ended.end === 'over-budget' ? undefined : { kind: 'ended', end: ended.end };
  const last = rounds.at(-1)?.ended;
  return last?.end && endStage(place, stage, { end: last.end, reason: last.reason });
}

function findSkip(place: Place, stage: Stage): string | undefined {
  if (!stage.optional) return undefined;
  return findBlind(agentOf(place, stage), place.run.state().caps)?.reason;
}

function beginStage(place: Place, stage: Stage, base: string): void {
  if (stateOfStage(place, stage)) return;
  const { name, reviewers, rounds, optional } = stage;
  place.run.emit({
    type: 'stage',
    state: 'started',
    stage: name,
    reviewers: [...reviewers],
    rounds,
    optional,
    base,
  });
}

function findOpenRound(place: Place, stage: Stage): ReviewRound | undefined {
  const last = stateOfStage(place, stage)?.rounds.at(-1);
  return last?.ended ? undefined : last;
}

async function beginRound(place: Place, stage: Stage): Promise<ReviewRound> {
  const number = (stateOfStage(place, stage)?.rounds.length ?? 0) + 1;
  const head = await readHeadCommit(place.repo);
  place.run.emit({ type: 'review-round', state: 'started', stage: stage.name, round: number, head });
  const round = findRound(place.run.state().review, stage.name, number);
  if (!round) throw new Error(`round ${number} of ${stage.name} is not in the journal`);
  return round;
}

function stateOfStage(place: Place, { name }: Stage): StageState | undefined {
  return place.run.state().review.stages.get(name);
}
