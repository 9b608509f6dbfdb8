// Takes a carried run up: first the remote says that it is this machine's, then it is laid out here, and goes on as after any
// stop. Nothing of the repository changes before the remote has said so.
import path from 'node:path';
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import { writeCarried } from '../../git/carry/carried-commit.ts';
import { pushLeased, type Remote, refuseUnknownRemote } from '../../git/carry/remote.ts';
import { listWorktrees } from '../../git/place/worktree.ts';
import { descends } from '../../git/run/ancestry.ts';
import { readRef } from '../../git/run/head.ts';
import { fewOf } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import { readStatus } from '../../git/tree/status.ts';
import { listUntracked } from '../../git/tree/tree.ts';
import { listRuns } from '../../journal/folder.ts';
import { isFinished, type RunState } from '../../journal/state.ts';
import { judgeTake } from '../../phase/carry/judge-carry.ts';
import { formatOwner, readStanding } from '../../phase/carry/owner.ts';
import { machineOf, remoteOf } from '../carry-run.ts';
import { wasTrusted } from '../consent.ts';
import { type CliContext, print, printNote } from '../context.ts';
import { findRunHolder, needPlace, readRun } from '../find-run.ts';
import { findPlaceAt, type Place } from '../locate.ts';
import { type OpenPlace, openPlace, openPlainRepo } from '../open-place.ts';
import { runEntered } from '../run-one.ts';
import type { RunOptions } from '../run-options.ts';
import { type Entered, enterTree } from '../worktree/enter.ts';
import { makeTree } from '../worktree/make.ts';
import { type Carried, findTarget, needCarried } from './find-carried.ts';
import { keepAside, type LaidOut, layOut, moveBranch, readLaidOut } from './lay-out.ts';

export type TakeOptions = RunOptions & Readonly<{ from?: string }>;

/** Takes the run up that is named, or that is on the branch named, and takes it to its end. */
export async function takeRun(
  context: CliContext,
  wish: string,
  { from, ...options }: TakeOptions,
): Promise<number> {
  const place = needPlace(context);
  const { repo, config } = await openPlace(context, place);
  const remote = remoteOf(config, from);
  await refuseUnknownRemote(repo, remote.name);
  const carried = await needCarried(repo, remote, wish);
  const local = findLocal(place, carried.run);
  const judged = judgeTake(carried, local);
  if (judged.kind !== 'take') return tellNothing(context, { carried, why: judged.kind, plan: carried.plan });
  if (
    !context.canAsk &&
    !options.trust &&
    options.trustHash === undefined &&
    !wasTrusted(context, place.root)
  )
    throw new Failure('trust', 'this repository is not trusted here, and nobody is there to be asked', {
      hint: '`pawl trust` shows what would run; then add --trust, or --trust-hash with its hash.',
    });
  const laidOut = await readLaidOut(repo, carried);
  const { target, parted } = await findTarget(repo, remote, carried);
  if (parted)
    printNote(
      context,
      `The branch ${carried.branch} on ${remote.name} has commits that the run does not have: it goes on without them.`,
    );
  const tree = await findTree(context, repo, { carried, target, local: local?.state });
  const owner = context.random(16);
  const oid = await lease(context, repo, { remote, carried, owner, machine: machineOf(config) });
  const { host, at } = carried;
  printNote(context, `Taken up ${carried.run} from ${host}, which carried it last at ${at}.`);
  const fact = { remote: remote.name, ref: carried.ref, owner, oid, head: target, from: { host, at } };
  const lay = { laidOut, target, fact, machine: machineOf(config) };
  const entered = await enter(context, { repo, config }, { place, tree, lay, options });
  return (await runEntered(context, entered, {})).exit;
}

type Local = Readonly<{ live: boolean; finished: boolean; carry: RunState['carry']; state: RunState }>;

function findLocal(place: Place, run: string): Local | undefined {
  const found = listRuns(place.commonDir).find((each) => each.run === run);
  if (!found) return undefined;
  const state = readRun(found);
  const live = findRunHolder(place, run) !== undefined;
  return { live, finished: isFinished(state), carry: state.carry, state };
}

function tellNothing(
  context: CliContext,
  { carried, why, plan }: Readonly<{ carried: Carried; why: 'ended' | 'live' | 'here'; plan: string }>,
): number {
  const { run, branch, host } = carried;
  if (why === 'ended') {
    print(
      context,
      `Run ${run} is finished, by ${host}: nothing is left to take up. Its work is on ${branch}.`,
    );
    return 0;
  }
  throw new Failure(
    'usage',
    why === 'live' ? `run ${run} is being worked on here` : `run ${run} is this repository’s already`,
    { hint: why === 'live' ? '`pawl status` shows it.' : `\`pawl run ${plan}\` goes on with it.` },
  );
}

/** The working tree of an earlier life here, in which the branch is checked out; undefined: a new one is made. */
async function findTree(
  context: CliContext,
  repo: Repo,
  { carried, target, local }: Readonly<{ carried: Carried; target: string; local: RunState | undefined }>,
): Promise<string | undefined> {
  const { branch, run } = carried;
  const where = (await listWorktrees(repo)).find((tree) => tree.branch === branch)?.path;
  if (where === undefined) {
    const head = await readRef(repo, `refs/heads/${branch}`);
    if (local || head === undefined || (await descends(repo, head, target))) return undefined;
    throw new Failure('preflight', `there is a branch ${branch} here that is not the one of run ${run}`, {
      hint: `Rename it (git branch -m ${branch} ${branch}-old), then take the run up.`,
    });
  }
  if (!local)
    throw new Failure('preflight', `the branch ${branch} is checked out in ${where}`, {
      hint: 'A run that comes from elsewhere gets a working tree of its own: check out another branch there (git switch -), then take it up.',
    });
  const tree = await openPlainRepo(context, { root: where });
  const { entries } = await readStatus(tree);
  const namesIn = async (tree: string) =>
    (await repo.git(['ls-tree', '-r', '-z', '--name-only', '--full-tree', tree])).split('\0');
  const names = new Set([...(await namesIn(target)), ...(await namesIn(carried.work ?? target))]);
  const inTheWay = entries.filter(({ kind, file }) => kind !== 'untracked' || names.has(file));
  if (inTheWay.length === 0) return where;
  const files = fewOf(inTheWay.map(({ file }) => file));
  throw new Failure('preflight', `${where}, where the run worked before, has changes: ${files}`, {
    hint: 'Commit them on another branch, or stash them (git stash -u), then take the run up.',
  });
}

/** Says in the ref that the run is this machine's; of several that do so at once one is told that it is. */
async function lease(
  context: CliContext,
  repo: Repo,
  {
    remote,
    carried,
    owner,
    machine,
  }: Readonly<{ remote: Remote; carried: Carried; owner: string; machine: string }>,
): Promise<string> {
  const { oid: old, head, work, ref, run, branch, plan, title } = carried;
  const own = { owner, host: machine, pawl: context.version, at: context.now().toISOString(), head };
  const state = { started: { run, branch, plan, title } };
  const files = new Map(carried.files).set('owner.json', formatOwner({ ...own, ended: false, state }));
  const parents = [...new Set([old, head])];
  const now = await writeCarried(repo, { files, work, parents, message: `taken up ${run}\n` }, new Map());
  const end = await pushLeased(repo, remote, { ref, old, now });
  if (end === 'taken') return now;
  const there = await readStanding(repo, remote, ref);
  if (there?.owner === owner) return there.oid;
  if (there && there.owner !== carried.owner)
    throw new Failure('preflight', `${there.host} has just taken run ${run} up, at ${there.at}`, {
      hint: `It goes on there. \`pawl status --remote ${remote.name}\` shows how far it is.`,
    });
  if (there && there.oid !== old)
    throw new Failure('preflight', `${there.host} carried run ${run} at this moment: it works on it`, {
      hint: 'The same command again takes it up from there.',
    });
  throw new Failure('git', `run ${run} could not be taken up: ${end.why}`, {
    hint: `Nothing has changed here. \`git push ${remote.name}\` has to work from here.`,
  });
}

type Enter = Readonly<{
  place: Place;
  tree: string | undefined;
  lay: Readonly<{
    laidOut: LaidOut;
    target: string;
    machine: string;
    fact: Parameters<typeof layOut>[1]['fact'];
  }>;
  options: RunOptions;
}>;

/** Brings branch, working tree and run folder to where the run stands. */
async function enter(
  context: CliContext,
  { repo, config }: OpenPlace,
  { place, tree, lay, options }: Enter,
): Promise<Entered> {
  const { laidOut, target, machine } = lay;
  const { run, branch, plan } = laidOut;
  const kept = await keepAside(repo, { run, branch, target, machine });
  const here = tree === undefined ? undefined : await openPlainRepo(context, { root: tree });
  await moveBranch(repo, { here, branch, target });
  if (here) {
    const folder = findPlaceAt(here.root) ?? place;
    const untracked = await listUntracked(here);
    const own = laidOut.local?.worktree?.path === here.root ? laidOut.local.worktree : undefined;
    await layOut(here, {
      ...lay,
      config,
      now: context.now(),
      untracked,
      ...defined({ kept, worktree: own }),
    });
    if (own)
      return enterTree({ context, options, place, file: path.join(place.root, plan) }, plan, {
        worktree: own,
      });
    if (here.root !== place.root) printNote(context, `The run works in ${here.root}.`);
    return { context: { ...context, cwd: folder.root }, given: path.join(here.root, plan), options };
  }
  const file = path.join(place.root, plan);
  const choice = { branch, create: false };
  const made = await makeTree(context, {
    ...{ repo, config, choice, base: target, takesPlan: false },
    plan: { name: plan, file },
  });
  const own = await openPlainRepo(context, { root: made.worktree.path });
  const { worktree } = made;
  const untracked = await listUntracked(own);
  await layOut(own, { ...lay, config, now: context.now(), untracked, worktree, ...defined({ kept }) });
  return enterTree({ context, options, place, file }, plan, made);
}
