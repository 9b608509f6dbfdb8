// How far a comparison is, from its runs' journals: which contender still has to run or be reviewed, and all of them as one
// value to show.

import { existsSync } from 'node:fs';
import { defined } from '../../defined.ts';
import type { Severity } from '../../event/severity.ts';
import { exitCodes } from '../../failure.ts';
import {
  type Comparison,
  type Contender,
  countFindings,
  measureRun,
  nameOfRun,
  type ReviewOutcome,
} from '../../journal/contender.ts';
import { listRuns, type RunFolder } from '../../journal/folder.ts';
import { tallyRun } from '../../journal/run-stats.ts';
import { isFinished, type RunState } from '../../journal/state.ts';
import { isAside } from '../../phase/open/find-unfinished.ts';
import { isUnsettled, judgeFindings } from '../../report/findings/findings.ts';
import { readRun, readWholeRun } from '../find-run.ts';
import type { ComparisonRecord } from './record.ts';

/** A contender of a comparison, with what the journals say about it. */
export type Standing = Readonly<{
  contender: ComparisonRecord['contenders'][number];
  run: RunFolder | undefined;
  state: RunState | undefined;
  /** It has come to an end that the same command would not change. */
  hasRun: boolean;
  /** The newest review of its branch against the common commit. */
  review: RunState | undefined;
  hasReview: boolean;
}>;

/** Where each contender stands. */
export function readStandings(commonDir: string, record: ComparisonRecord): readonly Standing[] {
  const runs = listRuns(commonDir);
  return record.contenders.map((contender) => {
    const run = runs.find(({ started }) => started.plan === contender.plan && !isAside(started));
    const state = run && readRun(run);
    const reviewed = runs.find(
      ({ started }) => started.branch === contender.branch && started.review?.base === record.base,
    );
    const review = reviewed && readRun(reviewed);
    return {
      contender,
      run,
      state,
      hasRun: state !== undefined && (isFinished(state) || results.has(state.ended?.exit ?? Number.NaN)),
      review,
      hasReview: review?.ended !== undefined && results.has(review.ended.exit),
    };
  });
}

/** Ends that are a result; any other is an obstacle, after which the same command continues. */
const results: ReadonlySet<number> = new Set([
  exitCodes.done,
  exitCodes.taskFailed,
  exitCodes.needsPerson,
  exitCodes.notClean,
  exitCodes.budget,
]);

/** What happened to a contender in this process and is in no journal. */
export type Troubles = ReadonlyMap<string, Readonly<{ run?: string; review?: string }>>;

/** A comparison as one value. */
export function measureComparison(
  record: ComparisonRecord,
  standings: readonly Standing[],
  { troubles, isReviewed }: Readonly<{ troubles: Troubles; isReviewed: boolean }>,
): Comparison {
  const contenders = standings.map(({ contender, run, review }): Contender => {
    const trouble = troubles.get(contender.with);
    if (!run)
      return {
        name: contender.with,
        standing: trouble?.run === undefined ? 'waiting' : 'refused',
        ...defined({ why: trouble?.run }),
      };
    const outcome = isReviewed
      ? judgeReview(review, { shared: true, otherwise: trouble?.review ?? 'it was not reviewed' })
      : undefined;
    const measured = measureFolder(contender.with, run);
    return { ...measured, ...defined({ review: outcome }), ...whyOf(measured, trouble?.run) };
  });
  return { comparison: record.id, plan: record.plan, base: record.base, contenders };
}

function whyOf({ why }: Contender, trouble: string | undefined): Pick<Contender, 'why'> {
  const known = trouble ?? why;
  return defined({ why: known });
}

/** Runs that were made separately, each with its own review. `isLive`: a pawl is working on it. */
export function measureRuns(runs: readonly RunFolder[], isLive: (run: RunFolder) => boolean): Comparison {
  const names = runs.map((run) => nameOfRun(readRun(run)));
  const contenders = runs.map((run, at): Contender => {
    const state = readRun(run);
    const name = names[at] ?? run.run;
    const isAlone = names.indexOf(name) === names.lastIndexOf(name);
    const { stages } = judgeFindings(state);
    const review = judgeReview(stages.length === 0 ? undefined : state, {
      shared: false,
      otherwise: 'the run had no review',
    });
    const measured = measureFolder(isAlone ? name : `${name} ${run.run.slice(0, 13)}`, run);
    return { ...measured, review, ...(isLive(run) ? {} : cutOff(measured)) };
  });
  const plans = new Set(runs.map(({ started }) => started.plan));
  const [plan] = plans;
  return { ...(plan !== undefined && plans.size === 1 ? { plan } : {}), contenders };
}

/** If no end was journaled and nobody is working on it, it was killed. */
function cutOff({ standing }: Contender): Partial<Contender> {
  return standing === 'running' ? { standing: 'stopped', why: 'it ended without a word' } : {};
}

function measureFolder(name: string, run: RunFolder): Contender {
  const { facts, state } = readWholeRun(run);
  const { worktree, ...measured } = measureRun(name, { facts, state, stats: tallyRun(facts, state) });
  return worktree !== undefined && existsSync(worktree) ? { ...measured, worktree } : measured;
}

/** A review with a missing answer has found something, but perhaps not everything. */
function judgeReview(
  state: RunState | undefined,
  { shared, otherwise }: Readonly<{ shared: boolean; otherwise: string }>,
): ReviewOutcome {
  if (!state) return { shared, missing: otherwise };
  const { stages, findings } = judgeFindings(state);
  const lacking = stages.find(({ end, optional }) => !optional && (end === undefined || isCut.has(end)));
  if (stages.length === 0 || lacking)
    return { shared, missing: lacking?.reason ?? 'the review did not finish' };
  const open: readonly Readonly<{ severity: Severity }>[] = findings.filter(isUnsettled);
  return { shared, found: countFindings(open) };
}

const isCut: ReadonlySet<string> = new Set(['incomplete', 'over-budget']);
