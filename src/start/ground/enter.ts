// Chooses where a run works: where it was started, or in its own ground, the earlier one or a new one, which is made after
// all that the person's tree shows is judged.
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { defined } from '../../defined.ts';
import type { OwnWorktree } from '../../event/run.ts';
import { Failure } from '../../failure.ts';
import { judgeWorkplace, readWorkplace, type WorkplaceFacts } from '../../git/place/workplace.ts';
import type { Repo } from '../../git/run/repo.ts';
import { moveEnv } from '../../ground/move-text.ts';
import { makerOf } from '../../journal/grounds.ts';
import { findHolders, heldByTwin } from '../../journal/lock.ts';
import { findOpenRun, namePlan, type UnfinishedRun } from '../../phase/open/find-unfinished.ts';
import { chooseBranchFor } from '../../phase/open/may-open.ts';
import type { Plan } from '../../plan/plan.ts';
import { readConsent } from '../../trust/consents.ts';
import { changedSince, trustHash } from '../../trust/trust.ts';
import { findTrustFiles, isTrustPath } from '../../trust/trust-files.ts';
import { placeSharedChecks } from '../../work/work.ts';
import { type CliContext, printNote } from '../context.ts';
import { needPlace } from '../find-run.ts';
import { inspectPlan, type ReadPlan, readPlan, widthOf } from '../inspect-plan.ts';
import { findPlaceAt, isGround, type Place, realOf } from '../locate.ts';
import { openAsTold, openPlainRepo } from '../open-place.ts';
import type { RunFlags } from '../run-options.ts';
import { type MadeGround, makeOwnGround } from './make-own.ts';
import { removeUnused, removeUnworked } from './remove.ts';

export type Entered = Readonly<{
  context: CliContext;
  given: string | ReadPlan;
  options: RunFlags;
  /** Absent if it works where it was started. */
  worktree?: OwnWorktree;
  /** Of a new ground: held until the run holds the tree. */
  reserved?: MadeGround['reserved'];
  newBranch?: MadeGround['newBranch'];
}>;

/** Throws the first problem as a Failure; nothing has changed then. */
export async function enterGround(context: CliContext, given: string, options: RunFlags): Promise<Entered> {
  const place = needPlace(context);
  const wanted = path.resolve(realpathSync(context.cwd), given);
  const file = existsSync(wanted) ? realOf(wanted) : wanted;
  const open = options.fresh ? undefined : findOpenRun(place, file);
  const start: GroundStart = { context, options: { ...options, worktree: true }, place, file };
  if (open?.state.worktree) return returnToGround(start, open, open.state.worktree);
  if (isGround(place)) throw isOthersGround(place);
  if (open && options.worktree) throw worksHere(open);
  const read = options.worktree ? undefined : readPlan(context, given, options);
  // What began here goes on here, one task at a time; no person's tree can hold several at once.
  if (read && (open || widthOf(read) < 2)) return { context, given: read, options };
  return beginGround(start);
}

/** A ground that is gone is made again on the run's branch. */
async function returnToGround(
  start: GroundStart,
  open: UnfinishedRun,
  worktree: OwnWorktree,
): Promise<Entered> {
  const { context, place } = start;
  const { plan: name } = open.started;
  if (worktree.path === place.root) return enterTree(start, name, { worktree });
  const repo = await openAsTold(context, place, start.options);
  await removeUnworked(context, repo, { root: worktree.path, state: open.state });
  if (findPlaceAt(worktree.path)?.commonDir === place.commonDir) return enterTree(start, name, { worktree });
  if (existsSync(worktree.path))
    throw new Failure('preflight', `${worktree.path}, where the run worked, is no longer a ground of it`, {
      hint: 'Check what is there and move it away; the same command makes the ground again.',
    });
  const { config } = (await inspectPlan(context, start.file, { ...start.options, dryRun: true })).loaded;
  const plan = { name, file: start.file };
  const { branch, base } = open.started;
  const choice = { branch, create: false };
  const made = await makeOwnGround(context, { repo, config, plan, choice, base, takesPlan: false });
  return enterTree(start, name, made);
}

export function enterTree(
  start: GroundStart,
  name: string,
  { worktree, reserved, newBranch }: Readonly<{ worktree: OwnWorktree }> & Partial<MadeGround>,
): Entered {
  const { context, options, place, file } = start;
  const { worktree: _, ...rest } = options;
  const files = findTrustFiles(worktree.path);
  const consent = existsSync(worktree.from) ? readConsent(context.folders, worktree.from) : undefined;
  // The person consented to these bytes in the tree it was made from.
  const known = !options.trust && consent && changedSince(files, consent.files).length === 0;
  if (worktree.path !== place.root) printNote(context, `The run works in ${worktree.path}.`);
  return {
    context: {
      ...context,
      cwd: worktree.path,
      env: {
        ...moveEnv(context.env, worktree.from, worktree.path),
        PAWL_PORT_OFFSET: String(worktree.portOffset),
      },
    },
    given: path.isAbsolute(name) ? file : path.join(worktree.path, name),
    options: known ? { ...rest, trustHash: trustHash(files) } : rest,
    worktree,
    ...defined({ reserved, newBranch }),
  };
}

function worksHere({ run, started }: UnfinishedRun): Failure {
  return new Failure('usage', `run ${run} of ${started.plan} is not finished, and works in this tree`, {
    hint: 'Resume it without --worktree, or start a separate run: --fresh --worktree.',
  });
}

function isOthersGround({ root }: Place): Failure {
  return new Failure('usage', `${root} is the ground of another run`, {
    hint: 'Start runs of other plans in your own tree; `pawl status` there lists the grounds.',
  });
}

/** `file`: absolute. */
type GroundStart = Readonly<{
  context: CliContext;
  options: RunFlags;
  place: Place;
  file: string;
}>;

async function beginGround(start: GroundStart): Promise<Entered> {
  const { context, options, place, file } = start;
  const name = namePlan(place.root, file);
  const live = findHolders(place.commonDir).find(({ holder }) => [name, file].includes(holder.plan ?? ''));
  if (live) throw heldByTwin(live.holder, name);
  const { loaded, planFile, plan } = await inspectPlan(context, file, options);
  const { config } = loaded;
  refuseTiedCheck(plan, { root: place.root, home: context.env['HOME'], checks: config.checks });
  // Consent was just obtained.
  const repo = await openPlainRepo(context, place, { trusted: true });
  const maker = makerOf(repo.home, name);
  if (maker) throw heldByTwin(maker, name);
  await removeUnused(context, repo, name);
  const facts = await readWorkplace(repo, { plan: planFile });
  // What is not committed is not in the ground: there it would be another configuration than the one consented to.
  const dirt = options.trust ? [] : facts.dirt.filter(isTrustPath);
  const refusal = judgeWorkplace({ ...facts, dirt, operation: undefined });
  if (refusal) throw refusal;
  const wish = { base: { repo, config }, planFile, workplace: facts, about: {} };
  const choice = chooseBranchFor(wish, { isApart: true });
  const takesPlan = await isNewerHere(repo, facts, { name, branch: choice.create ? 'HEAD' : choice.branch });
  const ground = { repo, config, plan: { name, file: planFile }, choice, base: facts.head, takesPlan };
  const made = await makeOwnGround(context, ground);
  const isThere = existsSync(path.join(made.worktree.path, name));
  return enterTree({ ...start, options: { ...options, branch: choice.branch } }, isThere ? name : file, made);
}

/** Whether the plan here has something that the branch lacks, and not the reverse. */
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

export function refuseTiedCheck(
  plan: Plan,
  { root, home, checks }: Readonly<{ root: string; home: string | undefined; checks: readonly string[] }>,
): void {
  const names = namesOf(root, home);
  // A longer name would be another folder's.
  const isTied = (text: string): boolean =>
    names.some((name) => text.split(name).some((rest, at) => at > 0 && !/^[\w.-]/.test(rest)));
  const all = [...placeSharedChecks(plan, checks), ...plan.tasks.flatMap((task) => task.checks)];
  const tied = all.find(({ command }) => isTied(command));
  if (!tied) return;
  throw new Failure('preflight', `the check \`${tied.command}\` names ${root}, and would look there always`, {
    hint: 'Write the path from the repository’s root, or run without --worktree and --jobs.',
  });
}

function namesOf(root: string, home: string | undefined): readonly string[] {
  if (home === undefined || !root.startsWith(`${home}/`)) return [root];
  const below = root.slice(home.length);
  return [root, `~${below}`, `$HOME${below}`, `\${HOME}${below}`];
}
