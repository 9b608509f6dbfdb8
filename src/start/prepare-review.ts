// Prepares a review before anything changes.
import { realpathSync } from 'node:fs';
import type { Config } from '../config/schema.ts';
import { pickStages, readStages, type Stage, usualStages } from '../config/stages.ts';
import { defined } from '../defined.ts';
import type { ReviewAsked } from '../event/run.ts';
import { Failure } from '../failure.ts';
import { judgeWorkplace, readWorkplace, type WorkplaceFacts } from '../git/place/workplace.ts';
import { fewOf } from '../git/run/names.ts';
import type { Repo } from '../git/run/repo.ts';
import { listRuns } from '../journal/folder.ts';
import { findLocked } from '../journal/lock.ts';
import type { RunState } from '../journal/state.ts';
import { findOpenReview, namePlan } from '../phase/open/find-unfinished.ts';
import { locatePlan, readPlanFile } from '../plan/file.ts';
import { parsePlan } from '../plan/parse.ts';
import { commandsOf, type Plan } from '../plan/plan.ts';
import type { reviewOptions } from './command-options.ts';
import { obtainTrust, type Trust } from './consent.ts';
import type { CliContext } from './context.ts';
import { needPlace } from './find-run.ts';
import { loadSettings, readFlags } from './load-settings.ts';
import { isGround, type Place, refuseWideTree } from './locate.ts';
import { readChannels } from './messages.ts';
import { lookBeforeTrust } from './open-place.ts';
import { findReviewBase } from './review-base.ts';
import { makeBase } from './run-base.ts';
import type { OptionsOf, RunFlags } from './run-options.ts';
import { makeRunPlan, type PreparedRun } from './run-plan.ts';

export type ReviewFlags = RunFlags &
  OptionsOf<typeof reviewOptions> &
  Readonly<{
    answers?: boolean;
    /** The run whose request is answered. */
    of?: RunState;
  }>;

/** In a run's ground only if nothing is changed. */
function needReviewPlace(context: CliContext, { reportOnly }: ReviewFlags): Place {
  const place = needPlace(context);
  if (reportOnly || !isGround(place)) return place;
  throw new Failure('usage', `${place.root} is the ground of a run, from which no fix would come home`, {
    hint: 'Review the branch in your own tree, or add --report-only.',
  });
}

export async function prepareReview(context: CliContext, options: ReviewFlags): Promise<PreparedRun> {
  const place = needReviewPlace(context, options);
  const { root } = place;
  refuseWideTree(root, context);
  const { reportOnly = false, failOn, fresh, answers, prove, stage } = options;
  const goal = options.plan === undefined ? undefined : readGoal(context, options.plan);
  const given = await askTrust(context, { place, options, plan: goal?.plan });
  const { trusted } = given;
  const settings = loadSettings(context, { root, trusted, flags: readFlags(options) });
  await readChannels(settings);
  const config = { ...settings.config, review: { stages: answers ? [] : stagesOf(settings.config, stage) } };
  const base = await makeBase(context, { root, config, ...given });
  const { repo } = base;
  const workplace = await readWorkplace(repo);
  const from = await findReviewBase(repo, workplace, { base: options.base, env: context.env });
  const named = { plan: goal && namePlan(repo.root, goal.file), prove, answers };
  // What decides whether an open review is asked for again.
  const asked: ReviewAsked = {
    base: from,
    reportOnly,
    ...defined({ stages: stage && [...stage], ...named }),
  };
  const open = fresh ? undefined : findOpenReview(listRuns(repo.home), workplace, asked);
  const title = goal?.plan.title ?? `Review of ${workplace.branch ?? workplace.head.slice(0, 12)}`;
  const notices = [...settings.notices, ...formatUnreviewed(workplace, reportOnly)];
  return makeRunPlan(context, {
    base,
    workplace,
    open,
    purposes: ['review'],
    settings: { ...settings, notices },
    flags: options,
    refusal: judgePlace(workplace, { reportOnly, resuming: open !== undefined }),
    about: { title, trusted, review: asked },
    planFile: goal?.file ?? 'review.md',
    ...(goal ? {} : { goal: await formatGoal(repo, { title, from }) }),
    options: { takeEdits: options.takeEdits, failOn },
  });
}

/** `named`: the only ones wanted. */
function stagesOf({ review }: Config, named: readonly string[] | undefined): readonly Stage[] {
  const stages = review.stages.length > 0 ? review.stages : readStages(usualStages);
  return named ? pickStages(stages, named) : stages;
}

function readGoal({ cwd }: CliContext, given: string): Readonly<{ file: string; plan: Plan }> {
  const file = realpathSync(locatePlan(given, cwd));
  return { file, plan: parsePlan(readPlanFile(file), file) };
}

/** A report runs nothing of the repository's. */
async function askTrust(
  context: CliContext,
  { place, options, plan }: Readonly<{ place: Place; options: ReviewFlags; plan: Plan | undefined }>,
): Promise<Trust> {
  const { reportOnly, fresh } = options;
  const wanted = { ...options, root: place.root, checks: plan ? commandsOf(plan) : [] };
  if (reportOnly) return obtainTrust(context, { ...wanted, asks: 'if-named' });
  const first = async () => {
    const { repo, facts } = await lookBeforeTrust(context, place);
    await findReviewBase(repo, facts, { base: options.base, env: context.env });
    const reviews = listRuns(place.commonDir).filter(({ started }) => started.review);
    const resuming = !fresh && reviews.some(({ started }) => started.branch === facts.branch);
    const refusal = judgePlace(facts, { reportOnly: false, resuming });
    if (refusal) throw findLocked(place.gitDir) ?? refusal;
  };
  return obtainTrust(context, { ...wanted, first });
}

/** Fixes need what every run needs; a report, only a commit. */
function judgePlace(
  workplace: WorkplaceFacts,
  { reportOnly, resuming }: Readonly<{ reportOnly: boolean; resuming: boolean }>,
): Failure | undefined {
  const refusal = reportOnly ? undefined : judgeWorkplace(workplace, { resuming });
  if (!refusal || workplace.dirt.length === 0) return refusal;
  return new Failure('preflight', refusal.message, {
    hint: 'Commit or stash them; or only report findings: pawl review --report-only',
  });
}

function formatUnreviewed({ dirt, untracked }: WorkplaceFacts, reportOnly: boolean): readonly string[] {
  const files = [...dirt, ...untracked];
  if (files.length === 0 || !reportOnly) return [];
  return [`Uncommitted changes are not reviewed: ${fewOf(files)}`];
}

/** Without a plan: the subjects of its commits, the oldest first. */
async function formatGoal(
  repo: Repo,
  { title, from }: Readonly<{ title: string; from: string }>,
): Promise<string> {
  const list = await repo.git(['log', '--max-count=100', '--reverse', '--format=- %s', `${from}..HEAD`]);
  return `# ${title}\n\n## Overview\n\nIts commits say:\n\n${list}`;
}
