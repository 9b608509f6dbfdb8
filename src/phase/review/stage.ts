// One stage of the review: rounds of reviewers and a fixer until a named end, resumed by the journal.
import type { Stage } from '../../config/stages.ts';
import { defined } from '../../defined.ts';
import type { StageEnd } from '../../event/review.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { findingsOf, type StageState } from '../../journal/fold-review.ts';
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
import { endRound, endStage, needRound, openRound, startStage } from './rounds.ts';

export type StageResult = Readonly<{ kind: 'ended'; end: StageEnd }> | Stop;

export function workStage(place: WorkPlace, stage: Stage, plan: ReviewPlan): Promise<StageResult> {
  return new StageWork(place, stage, plan).work();
}

class StageWork {
  readonly #place: WorkPlace;
  readonly #stage: Stage;
  readonly #plan: ReviewPlan;
  /** Nothing may be changed. */
  readonly #isReport: boolean;
  /** A report runs nothing of the branch's unless asked to. */
  readonly #proves: boolean;

  constructor(place: WorkPlace, stage: Stage, plan: ReviewPlan) {
    this.#place = place;
    this.#stage = stage;
    this.#plan = plan;
    const { reportOnly = false, prove = false } = place.run.options.review ?? {};
    this.#isReport = reportOnly;
    this.#proves = !reportOnly || prove;
  }

  async work(): Promise<StageResult> {
    const known = this.#findEnd();
    if (known) return known;
    const { name, reviewers, rounds, optional } = this.#stage;
    const skip = optional
      ? findBlind(agentOf(this.#place, this.#stage), this.#place.run.state().caps)
      : undefined;
    const { base } = this.#plan;
    startStage(this.#place, { stage: name, rounds, optional, base, reviewers: [...reviewers] });
    if (skip) return this.#end({ end: 'skipped', reason: skip.reason });
    for (let round = 1; round <= rounds + 1; round += 1) {
      const end = await this.#workRound();
      if (end) return end;
    }
    return this.#end({ end: 'open', reason: `${rounds} rounds without an end` });
  }

  get #state(): StageState | undefined {
    return this.#place.run.state().review.stages.get(this.#stage.name);
  }

  get #due(): readonly string[] {
    return dueReviewers(this.#stage, this.#state?.rounds ?? [], this.#plan);
  }

  /** Other stages' findings are theirs. */
  get #findings(): SeenRound['findings'] {
    return findingsOf(this.#place.run.state().review, this.#stage.name);
  }

  /** Undefined if another round follows. */
  async #workRound(): Promise<StageResult | undefined> {
    const place = this.#place;
    const stage = this.#stage;
    if (!this.#isReport) refuseElsewhere(place);
    const { round, head } = openRound(place, stage.name, { head: await readHeadCommit(place.repo) });
    const where = { stage: stage.name, round };
    if (!isPlanned(place, where)) {
      // A person's commit is for the next round.
      const isCurrent = (await this.#headNow(head)) === head;
      const stop = isCurrent ? await this.#ask(round, head) : undefined;
      if (stop) return this.#stopAt(stop);
      if (isCurrent && this.#proves && this.#overspent === undefined)
        await proveFindings(place, { ...where, head });
      if (place.run.signal.aborted) return interrupted;
      const seen = await this.#see(round);
      const verdict = isCurrent ? judgeOpinions(seen) : judgeMoved(seen);
      if (verdict.kind !== 'fix') return this.#endRound(round, verdict);
      planFix(place, { ...where, findings: await chooseFindings(place, verdict.findings, head) });
    }
    const stop = await fixFindings(place, where);
    return stop ?? this.#endRound(round, judgeFix(await this.#see(round)));
  }

  /** Not those whose answer about this commit is known. */
  #ask(round: number, head: string): Promise<Stop | undefined> {
    const { run } = this.#place;
    const stage = { ...this.#stage, reviewers: this.#due };
    const { opinions } = needRound(this.#place, { stage: stage.name, round });
    for (const [reviewer, from] of knownAnswers(run.state().review, { stage, head }, this.#plan))
      if (!opinions.has(reviewer))
        run.emit({ type: 'opinion', state: 'given', stage: stage.name, round, reviewer, from, findings: [] });
    return askReviewers(this.#place, { stage, round, head, base: this.#plan.base });
  }

  #stopAt(stop: Stop): StageResult {
    const hasSpoken = this.#state?.rounds.some(({ opinions }) => opinions.size > 0);
    const isSkipped = this.#stage.optional && stop.why === 'refused' && !hasSpoken;
    return isSkipped ? this.#end({ end: 'skipped', reason: stop.reason }) : stop;
  }

  /** A report is about what was there as it began: the user may go on working. */
  async #headNow(reviewed: string): Promise<string> {
    return this.#isReport ? reviewed : readHeadCommit(this.#place.repo);
  }

  get #overspent(): string | undefined {
    return overspendNow(this.#place, undefined, { newSession: true })?.reason;
  }

  async #see(number: number): Promise<SeenRound> {
    const round = needRound(this.#place, { stage: this.#stage.name, round: number });
    const report = this.#proves ? ('proven' as const) : ('all' as const);
    return {
      round,
      reviewers: this.#due,
      findings: this.#findings,
      roundsLeft: this.#stage.rounds - number,
      head: await this.#headNow(round.head),
      ...defined({ report: this.#isReport ? report : undefined, overspent: this.#overspent }),
    };
  }

  async #endRound(round: number, verdict: RoundVerdict): Promise<StageResult | undefined> {
    const end = verdict.kind === 'end' ? verdict : undefined;
    // With more to spend the round continues where it was.
    if (end?.end !== 'over-budget')
      endRound(
        this.#place,
        { stage: this.#stage.name, round },
        {
          verdict: verdict.kind,
          reason: verdict.reason,
          ...defined({ end: end?.end }),
          head: await readHeadCommit(this.#place.repo),
        },
      );
    return end && this.#end(end);
  }

  #end({ end, reason }: Readonly<{ end: StageEnd; reason: string }>): StageResult {
    endStage(this.#place, this.#stage.name, { end, reason });
    return { kind: 'ended', end };
  }

  /** Also journals it if a kill prevented that. A stage that only ran out of budget is not over. */
  #findEnd(): StageResult | undefined {
    const { ended, rounds = [] } = this.#state ?? {};
    if (ended) return ended.end === 'over-budget' ? undefined : { kind: 'ended', end: ended.end };
    const last = rounds.at(-1)?.ended;
    return last?.end && this.#end({ end: last.end, reason: last.reason });
  }
}
