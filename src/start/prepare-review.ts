// Prepares a review before anything changes: base, plan, consent, settings, stages, agent, repository.

import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { loadConfig } from '../config/load.ts';
import { readStages, usualStages } from '../config/stages.ts';
import { defined } from '../defined.ts';
import type { ReviewAsked } from '../event/run.ts';
import type { Severity } from '../event/severity.ts';
import { Failure } from '../failure.ts';
import { judgeWorkplace, readWorkplace, type WorkplaceFacts } from '../git/place/workplace.ts';
import { listRemotes, readSubjects } from '../git/porcelain.ts';
import { fewOf } from '../git/run/names.ts';
import type { Repo } from '../git/run/repo.ts';
import { listRuns } from '../journal/folder.ts';
import { orElse } from '../or-else.ts';
import { findOpenReview, namePlan } from '../phase/open/find-unfinished.ts';
import type { OpenRequest } from '../phase/open/open-request.ts';
import { locatePlan, readPlanFile } from '../plan/file.ts';
import { parsePlan } from '../plan/parse.ts';
import { commandsOf, type Plan } from '../plan/plan.ts';
import { agentsInUse } from './agent-start.ts';
import { refuseBlindFallbacks, refuseBlindReviewers, withDefault } from './budgets.ts';
import { obtainNamedTrust, obtainTrust, type Trust } from './consent.ts';
import type { CliContext } from './context.ts';
import { needPlace } from './find-run.ts';
import { readFlags, wordsToRepeat } from './flags.ts';
import { judgeAgents } from './judge-sandbox.ts';
import { judgeSessions } from './judge-sessions.ts';
import { isGround, type Place } from './locate.ts';
import { readChannels } from './messages.ts';
import { lookBeforeTrust } from './open-place.ts';
import { aboutOf, makeBase } from './run-base.ts';
import type { RunFlags } from './run-options.ts';
import { judgeWorkingDirectory } from './working-dir-guard.ts';

/** Options of `pawl review` besides those it shares with `run`. */
export type ReviewFlags = RunFlags &
  Readonly<{
    base?: string;
    stage?: readonly string[];
    reportOnly?: boolean;
    plan?: string;
    failOn?: Severity;
  }>;

export type PreparedReview = Readonly<{
  request: Omit<OpenRequest, 'show' | 'greet' | 'mask'>;
  /** Notices for the person before it starts. */
  notices: readonly string[];
}>;

/** Not in a run's ground, unless nothing is changed. */
function needReviewPlace(context: CliContext, { reportOnly }: ReviewFlags): Place {
  const place = needPlace(context);
  if (reportOnly || !isGround(place)) return place;
  throw new Failure('usage', `${place.root} is the ground of a run, from which no fix would come home`, {
    hint: 'Review the branch in your own tree, or add --report-only.',
  });
}

/** Reads, asks and judges; throws the first problem as a Failure. Nothing has changed. */
export async function prepareReview(context: CliContext, options: ReviewFlags): Promise<PreparedReview> {
  const place = needReviewPlace(context, options);
  const { root } = place;
  const tooWide = judgeWorkingDirectory(root, context);
  if (tooWide) throw tooWide;
  const { reportOnly = false, failOn } = options;
  const plan = options.plan === undefined ? undefined : readGoal(context, options.plan);
  const { consent, trusted } = await askTrust(context, { place, options, plan: plan?.plan });
  const { env, folders } = context;
  const loaded = loadConfig({ root, env, folders, trusted, flags: await readFlags(options) });
  const { config, notices, caps } = loaded;
  await readChannels(loaded);
  const configured = config.review.stages.length > 0 ? config.review.stages : usualStages;
  const stages = readStages(configured, options.stage);
  const base = await makeBase(context, { root, config, consent, trusted });
  refuseBlindReviewers(base, stages, caps);
  refuseBlindFallbacks(base, caps);
  const unread = judgeSessions({ ...base, config, stages, root }, ['review']);
  const workplace = await readWorkplace(base.repo);
  const from = await findReviewBase(base.repo, workplace, { base: options.base, env });
  const asked = askedNow(options, { base: from, plan: plan && namePlan(base.repo.root, plan.file) });
  const { branch = '' } = workplace;
  const open = options.fresh ? undefined : findOpenReview(listRuns(base.repo.home), { branch, asked });
  const refusal = judgePlace(workplace, { reportOnly, resuming: open !== undefined });
  if (refusal) throw refusal;
  await judgeAgents(context, config, { root: base.repo.root, agents: agentsInUse(config, { stages }) });
  const title = plan?.plan.title ?? `Review of ${workplace.branch ?? workplace.head.slice(0, 12)}`;
  return {
    notices: [...notices, ...unread, ...formatUnreviewed(workplace, reportOnly)],
    request: {
      base,
      planFile: plan?.file ?? 'review.md',
      ...(plan ? {} : { goal: await formatGoal(base.repo, { title, from }) }),
      workplace,
      about: { ...aboutOf(context, base, { title, trusted, flags: wordsToRepeat(options) }), review: asked },
      caps: withDefault(caps, { tasks: 0, stages }),
      options: {
        tasksOnly: false,
        takeEdits: options.takeEdits ?? false,
        review: { base: from, stages, reportOnly, ...defined({ failOn }) },
      },
      fresh: options.fresh ?? false,
    },
  };
}

/** What decides whether an open review is the one being asked for again. */
function askedNow(
  { stage, reportOnly = false }: ReviewFlags,
  { base, plan }: Readonly<{ base: string; plan: string | undefined }>,
): ReviewAsked {
  return {
    base,
    ...defined({ stages: stage && [...stage], plan }),
    reportOnly,
  };
}

function readGoal({ cwd }: CliContext, given: string): Readonly<{ file: string; plan: Plan }> {
  const file = realpathSync(locatePlan(given, cwd).file);
  return { file, plan: parsePlan(readPlanFile(file).text, file) };
}

/** A review that only reports runs nothing of the repository's. */
async function askTrust(
  context: CliContext,
  { place, options, plan }: Readonly<{ place: Place; options: ReviewFlags; plan: Plan | undefined }>,
): Promise<Trust> {
  const { trust, trustHash, reportOnly, fresh } = options;
  const wanted = { root: place.root, checks: plan ? commandsOf(plan) : [], trust, trustHash };
  if (reportOnly) return obtainNamedTrust(context, wanted);
  const first = async () => {
    const { repo, facts } = await lookBeforeTrust(context, place);
    await findReviewBase(repo, facts, { base: options.base, env: context.env });
    const reviews = listRuns(place.commonDir).filter(({ started }) => started.review);
    const resuming = !fresh && reviews.some(({ started }) => started.branch === facts.branch);
    const refusal = judgePlace(facts, { reportOnly: false, resuming });
    if (refusal) throw refusal;
  };
  return { consent: await obtainTrust(context, { ...wanted, first }), trusted: true };
}

/** A report needs nothing but a commit; a review with fixes needs what every run needs. */
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

/** What the change is about, if no plan says so: the subjects of its commits. */
async function formatGoal(
  repo: Repo,
  { title, from }: Readonly<{ title: string; from: string }>,
): Promise<string> {
  const subjects = await readSubjects(repo, { from, to: 'HEAD', most: 100 });
  const list = subjects.map((subject) => `- ${subject}\n`).join('');
  return `# ${title}\n\n## Overview\n\nIts commits say:\n\n${list}`;
}

/**
 * The commit from which the diff is taken: the one the command names, a pull request's base, or the default branch, always
 * at the merge base; throws a Failure that says what to do if there is none. Fetches nothing.
 */
export async function findReviewBase(
  repo: Repo,
  workplace: WorkplaceFacts,
  given: Readonly<{ base?: string | undefined; env: Readonly<Record<string, string>>; command?: string }>,
): Promise<string> {
  const command = given.command ?? 'pawl review';
  const named = given.base ?? (given.env['GITHUB_BASE_REF'] || workplace.defaultBranch?.name);
  if (named === undefined)
    throw new Failure('usage', 'pawl cannot tell what to compare the branch with', {
      hint: `Name it: ${command} --base <branch or commit>`,
    });
  const oid = await resolve(repo, named);
  if (oid === undefined) throw missing(named, { source: await findSource(repo, named), command });
  const base = (await repo.git(['merge-base', oid, 'HEAD'], { okCodes: [0, 1] })).trim();
  if (base === '') {
    const isShallow = existsSync(path.join(repo.commonDir, 'shallow'));
    throw apart(named, isShallow ? await findSource(repo, named) : undefined);
  }
  if (base === workplace.head)
    throw new Failure('usage', `there is nothing to look at: HEAD has no commits that ${named} lacks`, {
      hint: `Commit the changes, or name an earlier commit: ${command} --base HEAD~3`,
    });
  return base;
}

/** The commit of a name, including a branch known only from the remote. */
async function resolve(repo: Repo, name: string): Promise<string | undefined> {
  // A tag may have a branch's name.
  for (const one of [`refs/heads/${name}`, name, `refs/remotes/origin/${name}`]) {
    const oid = await repo.git(['rev-parse', '-q', '--verify', '--end-of-options', `${one}^{commit}`], {
      okCodes: [0, 1, 128],
    });
    if (oid.trim() !== '') return oid.trim();
  }
  return undefined;
}

/** What to fetch to have a name's commits: a remote and its branch, as words for `git fetch`. */
async function findSource(repo: Repo, name: string): Promise<string> {
  const remotes = await listRemotes(repo);
  const of = (remote: string) => ({ remote, branch: name.slice(remote.length + 1) });
  const named = remotes.map(of).find(({ remote }) => name.startsWith(`${remote}/`));
  const remote = named?.remote ?? (remotes.includes('origin') ? 'origin' : (remotes[0] ?? 'origin'));
  if (name !== 'FETCH_HEAD') return `${remote} ${named?.branch ?? name}`;
  const fetched = orElse(() => readFileSync(path.join(repo.gitDir, name), 'utf8'), '');
  return [remote, /^\S+\t[^\t]*\tbranch '(.+)' of /m.exec(fetched)?.[1] ?? ''].join(' ').trim();
}

function missing(name: string, { source, command }: Readonly<{ source: string; command: string }>): Failure {
  return new Failure('preflight', `the base ${name} is not in this clone`, {
    hint: `Fetch it: git fetch ${source} && ${command} --base FETCH_HEAD\n(a shallow clone: git fetch --unshallow ${source}; in GitHub's checkout: fetch-depth: 0)`,
  });
}

function apart(name: string, source: string | undefined): Failure {
  if (source === undefined)
    return new Failure('preflight', `HEAD and ${name} have no commit in common`, {
      hint: 'Name another base: pawl review --base <branch or commit>',
    });
  return new Failure(
    'preflight',
    `this clone is shallow: the commit where HEAD and ${name} diverged is not in it`,
    { hint: `Fetch it: git fetch --unshallow ${source} (in GitHub's checkout: fetch-depth: 0)` },
  );
}
