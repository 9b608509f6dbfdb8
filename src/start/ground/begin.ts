// Makes the ground of a new run, after judging all that the person's tree shows.
import path from 'node:path';
import { Failure } from '../../failure.ts';
import { judgeWorkplace, readWorkplace, type WorkplaceFacts } from '../../git/place/workplace.ts';
import type { Repo } from '../../git/run/repo.ts';
import { makerOf } from '../../journal/grounds.ts';
import { findHolders, heldByTwin } from '../../journal/lock.ts';
import { namePlan } from '../../phase/open/find-unfinished.ts';
import { choosePlanBranch } from '../../phase/open/may-open.ts';
import type { Plan } from '../../plan/plan.ts';
import { placeSharedChecks } from '../../work/work.ts';
import type { CliContext } from '../context.ts';
import { inspectPlan } from '../inspect-plan.ts';
import type { Place } from '../locate.ts';
import { openPlainRepo } from '../open-place.ts';
import type { RunFlags } from '../run-options.ts';
import { type MadeGround, makeOwnGround } from './make-own.ts';
import { removeUnused } from './remove.ts';

/** `file`: absolute. */
export type GroundStart = Readonly<{
  context: CliContext;
  options: RunFlags;
  place: Place;
  file: string;
}>;

/** `name`: the plan's, by which the run knows it. */
type Begun = Readonly<{ name: string; branch: string; made: MadeGround }>;

export async function beginGround({ context, options, place, file }: GroundStart): Promise<Begun> {
  const name = namePlan(place.root, file);
  const live = findHolders(place.commonDir).find(({ holder }) => [name, file].includes(holder.plan ?? ''));
  if (live) throw heldByTwin(live.holder, name);
  const { config, planFile, plan } = await inspectPlan(context, file, options);
  refuseTiedCheck(plan, { root: place.root, home: context.env['HOME'], checks: config.checks });
  // Consent was just obtained.
  const repo = await openPlainRepo(context, place, { trusted: true });
  const maker = makerOf(repo.home, name);
  if (maker) throw heldByTwin(maker, name);
  await removeUnused(context, repo, name);
  const facts = await readWorkplace(repo, { plan: planFile });
  const refusal = judgeWorkplace({ ...facts, dirt: [], operation: undefined });
  if (refusal) throw refusal;
  const { commonDir } = place;
  const { branch } = config;
  const choice = choosePlanBranch(facts, { commonDir, planFile, branch, isApart: true });
  if (choice instanceof Failure) throw choice;
  const takesPlan = await isNewerHere(repo, facts, { name, branch: choice.create ? 'HEAD' : choice.branch });
  const made = await makeOwnGround(context, {
    repo,
    config,
    plan: { name, file: planFile },
    choice,
    base: facts.head,
    takesPlan,
  });
  return { name, branch: choice.branch, made };
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
