// Creates a working tree for a new run, after judging in the person's tree everything that can be judged there.
import path from 'node:path';
import { Failure } from '../../failure.ts';
import { judgeWorkplace, readWorkplace, type WorkplaceFacts } from '../../git/place/workplace.ts';
import type { Repo } from '../../git/run/repo.ts';
import { findHolders, heldByTwin } from '../../journal/lock.ts';
import { namePlan } from '../../phase/open/find-unfinished.ts';
import { choosePlanBranch } from '../../phase/open/may-open.ts';
import { type CliContext, printNote } from '../context.ts';
import { inspectPlan } from '../inspect-plan.ts';
import type { Place } from '../locate.ts';
import { openPlainRepo } from '../open-place.ts';
import type { RunOptions } from '../run-options.ts';
import { type MadeTree, makeTree } from './make.ts';
import { formatSaved, judgeSlot, listTreeRuns, reclaim } from './reclaim.ts';
import { listSlots } from './slot.ts';

/** What a person starts, and where. `file`: absolute, of the plan. `base`: commit of a new branch; absent: HEAD. */
export type Start = Readonly<{
  context: CliContext;
  options: RunOptions;
  place: Place;
  file: string;
  base?: string;
}>;

/** The tree that was made. `name`: the plan's, by which the run knows it. */
type Begun = Readonly<{ name: string; branch: string; made: MadeTree }>;

/** Judges all that can be judged where the person is, then makes the tree. */
export async function beginTree({ context, options, place, file, base }: Start): Promise<Begun> {
  const name = namePlan(place.root, file);
  const live = findHolders(place.commonDir).find(({ holder }) => [name, file].includes(holder.plan ?? ''));
  if (live) throw heldByTwin(live.holder, name);
  const { config, planFile } = await inspectPlan(context, file, options);
  // Consent was just obtained.
  const repo = await openPlainRepo(context, place, { trusted: true });
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
    base: base ?? facts.head,
    takesPlan,
  });
  return { name, branch: choice.branch, made };
}

/** Reclaims trees that no run knows, from a start that was killed, and those that finished runs of the plan have left. */
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
    const { saved } = await reclaim(context, repo, {
      slot,
      from: own[0]?.worktree.from ?? from,
      own: own[0],
    });
    if (saved !== undefined) printNote(context, formatSaved(saved));
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

function isCheckedOut(branch: string): Failure {
  return new Failure(
    'preflight',
    `the branch ${branch} is checked out here, and git allows that in one working tree only`,
    { hint: `Switch to another branch here, or name another for the run: --branch ${branch}-2` },
  );
}
