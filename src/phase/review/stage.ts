// One stage of the review: rounds of reviewers and a fixer until a named end. What follows from what was said is judged in
// judge-review.ts; a stage that was cut off goes on where the journal says it stood.
import type { Stage } from '../../config/stages.ts';
import type { StageEnd } from '../../event/review.ts';
import { readHeadCommit } from '../../git/snapshot.ts';
import { findRound, type ReviewRound, type StageState } from '../../journal/fold-review.ts';
import type { Context } from '../../place/context.ts';
import { findBlind } from '../../work/budget/blind.ts';
import { overspendNow } from '../../work/budget/spending.ts';
import { refuseElsewhere } from '../../work/on-branch.ts';
import { repeat } from '../../work/repeat.ts';
import type { Stop } from '../../work/stopped.ts';
import { askReviewers } from './ask-reviewers.ts';
import { judgeFix, judgeMoved, judgeOpinions, type RoundVerdict, type SeenRound } from './judge-review.ts';
import { isPlanned, mendFindings, planFix } from './mend-findings.ts';
import { agentOf } from './reviewer.ts';

/** How a stage left its loop: at a named end, or because the run has to stop. */
export type StageResult = Readonly<{ kind: 'ended'; end: StageEnd }> | (Readonly<{ kind: 'stopped' }> & Stop);

/** Works on a stage until it ends. One that ended before is not begun again. `base`: the difference is taken from this commit. */
export async function workStage(ctx: Context, stage: Stage, base: string): Promise<StageResult> {
  const known = findEnd(ctx, stage);
  if (known) return known;
  const skip = findSkip(ctx, stage);
  beginStage(ctx, stage, base);
  if (skip !== undefined) return endStage(ctx, stage, { end: 'skipped', reason: skip });
  return repeat(() => workRound(ctx, stage, base), {
    most: stage.rounds + 1,
    spent: () => endStage(ctx, stage, { end: 'capped', reason: `${stage.rounds} rounds without an end` }),
  });
}

/** One round; undefined: another one follows. */
async function workRound(ctx: Context, stage: Stage, base: string): Promise<StageResult | undefined> {
  if (!isReport(ctx)) refuseElsewhere(ctx);
  const { round: number, head } = findOpenRound(ctx, stage) ?? (await beginRound(ctx, stage));
  if (!isPlanned(ctx, stage, number)) {
    // What a person committed meanwhile is for the next round to see.
    const isCurrent = (await headNow(ctx, head)) === head;
    const stop = isCurrent ? await askReviewers(ctx, { stage, round: number, head, base }) : undefined;
    if (stop) return stopStage(ctx, stage, stop);
    const seen = await see(ctx, stage, number);
    const verdict = isCurrent ? judgeOpinions(seen) : judgeMoved(seen);
    if (verdict.kind !== 'fix') return endRound(ctx, stage, { number, verdict });
    planFix(ctx, { stage: stage.name, round: number, findings: verdict.findings });
  }
  const stop = await mendFindings(ctx, { stage: stage.name, round: number });
  if (stop) return { ...stop, kind: 'stopped' };
  return endRound(ctx, stage, { number, verdict: judgeFix(await see(ctx, stage, number)) });
}

/** Without its agent an optional stage is passed over, but only where nobody has spoken yet. */
function stopStage(ctx: Context, stage: Stage, stop: Stop): StageResult {
  const rounds = stateOfStage(ctx, stage)?.rounds ?? [];
  const hasSpoken = rounds.some(({ opinions }) => opinions.size > 0);
  if (stage.optional && stop.why === 'refused' && !hasSpoken)
    return endStage(ctx, stage, { end: 'skipped', reason: stop.reason });
  return { ...stop, kind: 'stopped' };
}

/** A report is about what was there when it began: the user may go on beside it. */
async function headNow(ctx: Context, reviewed: string): Promise<string> {
  return isReport(ctx) ? reviewed : readHeadCommit(ctx.repo);
}

function isReport({ options }: Context): boolean {
  return options.review?.reportOnly ?? false;
}

async function see(ctx: Context, stage: Stage, number: number): Promise<SeenRound> {
  const round = findRound(ctx.state().review, stage.name, number);
  if (!round) throw new Error(`round ${number} of ${stage.name} is not in the journal`);
  const overspend = overspendNow(ctx, undefined, { newSession: true });
  return {
    round,
    reviewers: stage.reviewers,
    // Those of other stages are theirs.
    findings: [...ctx.state().review.findings.values()].filter(({ raised }) =>
      raised.some((one) => one.stage === stage.name),
    ),
    minSeverity: stage.minSeverity,
    roundsLeft: stage.rounds - number,
    head: await headNow(ctx, round.head),
    reportOnly: isReport(ctx),
    ...(overspend ? { overspent: overspend.reason } : {}),
  };
}

async function endRound(
  ctx: Context,
  stage: Stage,
  { number, verdict }: Readonly<{ number: number; verdict: RoundVerdict }>,
): Promise<StageResult | undefined> {
  // With more to spend the round goes on: nobody who has spoken in it is asked again.
  if (verdict.kind === 'end' && verdict.end === 'over-budget') return endStage(ctx, stage, verdict);
  ctx.emit({
    type: 'review-round-ended',
    stage: stage.name,
    round: number,
    verdict: verdict.kind,
    ...(verdict.kind === 'end' ? { end: verdict.end } : {}),
    reason: verdict.reason,
    head: await readHeadCommit(ctx.repo),
  });
  return verdict.kind === 'end' ? endStage(ctx, stage, verdict) : undefined;
}

function endStage(
  ctx: Context,
  { name }: Stage,
  { end, reason }: Readonly<{ end: StageEnd; reason: string }>,
): StageResult {
  const open = [...ctx.state().review.findings.values()].filter(
    ({ standing, raised }) =>
      (standing === 'open' || standing === 'disputed') && raised.some(({ stage }) => stage === name),
  );
  ctx.emit({ type: 'stage-ended', stage: name, end, reason, open: open.map(({ id }) => id) });
  return { kind: 'ended', end };
}

/** The end of a stage that is over, told if a kill cut that off. One that only ran out of budget is not over. */
function findEnd(ctx: Context, stage: Stage): StageResult | undefined {
  const { ended, rounds = [] } = stateOfStage(ctx, stage) ?? {};
  if (ended) return ended.end === 'over-budget' ? undefined : { kind: 'ended', end: ended.end };
  const last = rounds.at(-1)?.ended;
  return last?.end && endStage(ctx, stage, { end: last.end, reason: last.reason });
}

function findSkip(ctx: Context, stage: Stage): string | undefined {
  if (!stage.optional) return undefined;
  return findBlind(agentOf(ctx, stage), ctx.state().caps)?.reason;
}

function beginStage(ctx: Context, stage: Stage, base: string): void {
  if (stateOfStage(ctx, stage)) return;
  const { name, reviewers, minSeverity, rounds, optional } = stage;
  ctx.emit({
    type: 'stage-started',
    stage: name,
    reviewers: [...reviewers],
    minSeverity,
    rounds,
    optional,
    base,
  });
}

function findOpenRound(ctx: Context, stage: Stage): ReviewRound | undefined {
  const last = stateOfStage(ctx, stage)?.rounds.at(-1);
  return last?.ended ? undefined : last;
}

async function beginRound(ctx: Context, stage: Stage): Promise<ReviewRound> {
  const number = (stateOfStage(ctx, stage)?.rounds.length ?? 0) + 1;
  const head = await readHeadCommit(ctx.repo);
  ctx.emit({ type: 'review-round-started', stage: stage.name, round: number, head });
  const round = findRound(ctx.state().review, stage.name, number);
  if (!round) throw new Error(`round ${number} of ${stage.name} is not in the journal`);
  return round;
}

function stateOfStage(ctx: Context, { name }: Stage): StageState | undefined {
  return ctx.state().review.stages.get(name);
}
