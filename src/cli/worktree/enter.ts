// Where a run is to work: where it was started, in the working tree it has had, or in a new one of its own. From then on
// the run is one that was started in that tree; the rest of pawl knows no difference.
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { readConsent } from '../../config/consent.ts';
import { trustHash } from '../../config/trust.ts';
import { findTrustFiles } from '../../config/trust-files.ts';
import type { OwnWorktree } from '../../event/run.ts';
import { Failure } from '../../failure.ts';
import type { Repo } from '../../git/repo.ts';
import { readHead } from '../../git/snapshot.ts';
import { judgeWorkplace, readWorkplace, type WorkplaceFacts } from '../../git/workplace.ts';
import { listRuns } from '../../journal/folder.ts';
import { findHolders, heldByTwin } from '../../journal/lock.ts';
import { findOpenRun, namePlan, namesOfPlan, type UnfinishedRun } from '../../phase/open/find-run.ts';
import { choosePlanBranch } from '../../phase/open/may-open.ts';
import { choosePlan } from '../choose-plan.ts';
import { type CliContext, say } from '../context.ts';
import { realOf } from '../find-plan.ts';
import { inspectPlan } from '../inspect-plan.ts';
import { openPlainRepo } from '../open-place.ts';
import { findPlace, findPlaceAt, type Place } from '../place.ts';
import type { RunOptions } from '../run-options.ts';
import { type MadeTree, makeTree } from './make.ts';
import { judgeSlot, listTreeRuns, reclaim } from './reclaim.ts';
import { listSlots, type OwnSlot } from './slot.ts';

/** Where and how a run is started. */
export type Entered = Readonly<{
  context: CliContext;
  given: string | undefined;
  options: RunOptions;
  /** The tree of its own; absent: it works where it was started. */
  worktree?: OwnWorktree;
  /** Of a tree that was just made: held until the run holds the tree itself. */
  slot?: OwnSlot;
  /** Made for the tree. */
  newBranch?: MadeTree['newBranch'];
}>;

/** Finds or makes the working tree of a run. The first thing that is wrong is a Failure, and nothing was changed. */
export async function enterWorktree(
  context: CliContext,
  given: string | undefined,
  options: RunOptions,
): Promise<Entered> {
  const place = findPlace(context.cwd);
  const stay = { context, given, options };
  if (!place || (!options.worktree && !hasTreeRuns(place, options))) return stay;
  const wanted = path.resolve(realpathSync(context.cwd), given ?? choosePlan(context, place));
  const file = existsSync(wanted) ? realOf(wanted) : wanted;
  const open = options.fresh ? undefined : findOpen(place, file);
  const start: Start = { context, options, place, file };
  if (open?.state.worktree && !isTakenOver(place, open)) return goBack(start, open, open.state.worktree);
  if (!options.worktree) return stay;
  if (open) throw worksHere(open);
  return begin(start);
}

/** Whether any run may be elsewhere; the first lines of journals tell. */
function hasTreeRuns({ commonDir }: Place, { fresh }: RunOptions): boolean {
  return !fresh && listRuns(commonDir).some(({ started }) => started.worktree);
}

function findOpen(place: Place, file: string): UnfinishedRun | undefined {
  const runs = listRuns(place.commonDir);
  return namesOfPlan(place.root, file).flatMap((name) => findOpenRun(runs, name) ?? [])[0];
}

/** The tree is gone, and a person has checked its branch out here: the run goes on here. */
function isTakenOver({ gitDir }: Place, { started, state: { worktree } }: UnfinishedRun): boolean {
  return !existsSync(worktree?.path ?? '') && readHead({ gitDir }).branch === started.branch;
}

type Start = Readonly<{ context: CliContext; options: RunOptions; place: Place; file: string }>;

/** The tree of an unfinished run; one that is gone is made again on the run's branch. */
async function goBack(start: Start, open: UnfinishedRun, worktree: OwnWorktree): Promise<Entered> {
  const { context, place } = start;
  const { plan: name } = open.started;
  if (worktree.path === place.root) return settleIn(start, name, { worktree });
  if (findPlaceAt(worktree.path)?.commonDir === place.commonDir) return settleIn(start, name, { worktree });
  if (existsSync(worktree.path))
    throw new Failure('preflight', `${worktree.path}, where the run worked, is no working tree any more`, {
      hint: 'Look at what is there and move it away; the same command makes the tree again.',
    });
  const repo = await openPlainRepo(context, place);
  const { config } = await inspectPlan(context, start.file, { ...start.options, dryRun: true });
  const plan = { name, file: start.file };
  const choice = { branch: open.started.branch, create: false };
  const made = await makeTree(context, {
    repo,
    config,
    plan,
    choice,
    base: open.started.base,
    takesPlan: false,
  });
  return settleIn(start, name, made);
}

/** Judges all that can be judged where the person is, then makes the tree. */
async function begin(start: Start): Promise<Entered> {
  const { context, options, place, file } = start;
  const name = namePlan(place.root, file);
  const live = findHolders(place.commonDir).find(({ holder }) => [name, file].includes(holder.plan ?? ''));
  if (live) throw heldByTwin(live.holder, name);
  const { config, planFile } = await inspectPlan(context, file, options);
  const repo = await openPlainRepo(context, place);
  const slots = listSlots(context.folders.state, place.commonDir);
  const maker = slots.find((slot) => slot.maker?.plan === name)?.maker;
  if (maker) throw heldByTwin(maker, name);
  await reclaimLeft(context, repo, { name, from: place.root });
  const facts = await readWorkplace(repo, { plan: planFile });
  const refusal = judgeWorkplace({ ...facts, dirt: [], operation: undefined });
  if (refusal) throw refusal;
  const { commonDir } = place;
  const { branch } = config;
  const choice = choosePlanBranch(facts, { commonDir, planFile, branch, ownBeside: new Set() });
  if (choice instanceof Failure) throw choice;
  if (choice.branch === facts.branch) throw isCheckedOut(choice.branch);
  const takesPlan = await isNewerHere(repo, facts, { name, branch: choice.create ? 'HEAD' : choice.branch });
  const made = await makeTree(context, {
    repo,
    config,
    plan: { name, file: planFile },
    choice,
    base: facts.head,
    takesPlan,
  });
  return settleIn({ ...start, options: { ...options, branch: choice.branch } }, name, made);
}

/** Trees that no run knows, of a start that was killed, and those that finished runs of the plan have left. */
async function reclaimLeft(
  context: CliContext,
  repo: Repo,
  { name, from }: Readonly<{ name: string; from: string }>,
): Promise<void> {
  const runs = listTreeRuns(repo.commonDir);
  for (const slot of listSlots(context.folders.state, repo.commonDir)) {
    const own = runs.filter(({ worktree }) => worktree.path === slot.tree);
    if (slot.tree === undefined || judgeSlot(slot, runs) !== undefined) continue;
    if (own.some(({ plan }) => plan !== name)) continue;
    await reclaim(context, repo, { slot, from: own[0]?.worktree.from ?? from });
  }
}

/** Whether the plan in the person's tree has something that the branch has not, and the branch nothing of its own. */
async function isNewerHere(
  repo: Repo,
  { planChanged, planIgnored }: WorkplaceFacts,
  { name, branch }: Readonly<{ name: string; branch: string }>,
): Promise<boolean> {
  if (!planChanged || planIgnored || path.isAbsolute(name)) return false;
  if (branch === 'HEAD') return true;
  const asIn = (commit: string) =>
    repo.git(['rev-parse', '-q', '--verify', `${commit}:${name}`], { okCodes: [0, 1] });
  return (await asIn('HEAD')) === (await asIn(`refs/heads/${branch}`));
}

/** From here on everything happens in the tree; `name`: the plan's, by which the run knows it. */
function settleIn(
  start: Start,
  name: string,
  { worktree, slot, newBranch }: Readonly<{ worktree: OwnWorktree }> & Partial<MadeTree>,
): Entered {
  const { context, options, place, file } = start;
  const { worktree: _, ...rest } = options;
  const isInside =
    !path.isAbsolute(name) && (slot === undefined || existsSync(path.join(worktree.path, name)));
  const hash = trustHash(findTrustFiles(worktree.path));
  // The same bytes as the person consented to where the tree comes from.
  const known = !options.trust && readConsentOf(context, worktree.from)?.hash === hash;
  if (worktree.path !== place.root) say(context, `The run works in ${worktree.path}.`);
  return {
    context: {
      ...context,
      cwd: worktree.path,
      env: { ...context.env, PAWL_PORT_OFFSET: String(worktree.portOffset) },
    },
    given: isInside ? path.join(worktree.path, name) : file,
    options: known ? { ...rest, trustHash: hash } : rest,
    worktree,
    ...(slot === undefined ? {} : { slot }),
    ...(newBranch === undefined ? {} : { newBranch }),
  };
}

function readConsentOf({ folders }: CliContext, root: string) {
  return existsSync(root) ? readConsent(folders, root) : undefined;
}

function worksHere({ run, started }: UnfinishedRun): Failure {
  return new Failure('usage', `run ${run} of ${started.plan} is not finished, and works in this tree`, {
    hint: 'Go on with it without --worktree, or begin anew beside it: --fresh --worktree.',
  });
}

function isCheckedOut(branch: string): Failure {
  return new Failure('preflight', `the branch ${branch} is checked out here, and can be in one tree only`, {
    hint: `Switch to another one here, or name another: --branch ${branch}-2`,
  });
}
