// Takes a carried run up: the remote records that it is this machine's, and only then anything here changes. It
// continues in a new ground; what was here is kept.
import path from 'node:path';
import { defined } from '../../defined.ts';
import { Failure } from '../../failure.ts';
import { writeCarried } from '../../git/carry/carried-commit.ts';
import { pushLeased, type Remote } from '../../git/carry/remote.ts';
import { setAside } from '../../git/lane/save-lane.ts';
import { readRef } from '../../git/run/head.ts';
import { fewOf } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import { groundAt } from '../../ground/make.ts';
import {
  type CarriedRun,
  carriedRefs,
  formatOwner,
  isWrittenHere,
  keepCarried,
  keepFenced,
  readTip,
} from '../../phase/carry/owner.ts';
import { formatMoment } from '../../report/text/figure.ts';
import { shellWord } from '../../shell-word.ts';
import { isTrustPath } from '../../trust/trust-files.ts';
import type { TakeOptions } from '../command-options.ts';
import { obtainTrust } from '../consent.ts';
import { type CliContext, print, printNote } from '../context.ts';
import { findRunHolder, needPlace } from '../find-run.ts';
import { type Entered, enterTree } from '../ground/enter.ts';
import { makeOwnGround } from '../ground/make-own.ts';
import { readFlags } from '../load-settings.ts';
import type { Place } from '../locate.ts';
import { type OpenPlace, openPlace } from '../open-place.ts';
import type { RunFlags } from '../run-options.ts';
import { findTarget, needCarried } from './find-carried.ts';
import { type LayOut, layOut, readLaidOut, refuseBranch } from './lay-out.ts';
import { jobOf, machineOf, needRemote } from './prepare-carry.ts';

/** `wish`: a run or a branch. Undefined if it is finished, which is printed. */
export async function takeRun(
  context: CliContext,
  wish: string,
  { from, ...options }: TakeOptions,
): Promise<Entered | undefined> {
  const place = needPlace(context);
  const { root } = place;
  const { trusted } = await obtainTrust(context, { ...options, root, checks: [], asks: 'never' });
  const { repo, config } = await openPlace(context, place, { trusted, flags: readFlags(options) });
  const remote = await needRemote(repo, from ?? config.carry.remote);
  const { carried, branchThere: there } = await needCarried(repo, remote, wish);
  const { run, branch, host, at } = carried;
  if (carried.ended) {
    const says = `Run ${run} was finished by ${host}: nothing is left to take up. Its work is on ${branch}: git fetch ${remote.name} ${branch} && git merge FETCH_HEAD`;
    print(context, says);
    return undefined;
  }
  const laidOut = await readLaidOut(repo, carried);
  const { local } = laidOut;
  const isOurs = local && (await isWrittenHere(repo, carried, { run, oid: local.carry?.oid }));
  if (isOurs || findRunHolder(place, run)) {
    const plan = path.relative(context.cwd, path.join(place.root, carried.plan));
    throw new Failure('usage', `run ${run} already belongs to this repository`, {
      hint: `\`pawl run ${shellWord(plan)}\` continues it, or carries its end.`,
    });
  }
  const { target, parted } = await findTarget(repo, remote, { ...carried, there });
  if (!options.trust) await refuseUntrusted(repo, { run, target, trusted });
  if (parted)
    printNote(
      context,
      `The branch ${branch} on ${remote.name} has commits that the run does not have: it continues without them.`,
    );
  await refuseBranch(repo, laidOut, target);
  const oid = await lease(context, repo, { remote, carried, machine: machineOf(config) });
  printNote(
    context,
    `Taken up ${run} from ${host}, which last carried it on ${formatMoment(Date.parse(at))}.`,
  );
  const fact = { remote: remote.name, oid, head: target, ...jobOf(context), from: { host, at } };
  return enterTaken(context, { repo, config }, { place, laidOut, fact, options });
}

/** Writes into the ref that the run is this machine's; of several at once, one succeeds. */
async function lease(
  context: CliContext,
  repo: Repo,
  of: Readonly<{ remote: Remote; carried: CarriedRun; machine: string }>,
): Promise<string> {
  const { remote, carried, machine } = of;
  const { job: _, ...before } = carried;
  const { oid: old, head, work, run } = before;
  const ref = carriedRefs(run).pushed;
  const at = context.now().toISOString();
  const own = formatOwner({ ...before, host: machine, at, ended: false, ...jobOf(context) });
  const files = new Map(carried.files).set('owner.json', own);
  const parents = [...new Set([old, head])];
  // No two takers write the same commit.
  const message = `taken up ${run}\n\n${context.random(16)}\n`;
  const now = await writeCarried(repo, { files, work, parents, message });
  const end = await pushLeased(repo, remote, { ref, old, now });
  if (end === 'taken') return now;
  const there = await readTip(repo, remote, run);
  if (there?.oid === now) return now;
  if (there && there.oid !== old)
    throw new Failure(
      'preflight',
      `${there.host} has just ${there.host === carried.host ? `carried run ${run}` : `taken run ${run} up`}`,
      { hint: 'It continues there. The same command again takes it up from there.' },
    );
  throw new Failure('git', `run ${run} could not be taken up: ${end.why}`, {
    hint: `Nothing has changed here. \`git push ${remote.name}\` must work from here.`,
  });
}

/** Throws Failure('trust') if the clone is not trusted, or the run's commit makes other programs run than here. */
async function refuseUntrusted(
  repo: Repo,
  { run, target, trusted }: Readonly<{ run: string; target: string; trusted: boolean }>,
): Promise<void> {
  if (!trusted)
    throw new Failure('trust', 'this repository is not trusted here', {
      hint: '`pawl trust` shows what would run, `pawl trust --yes` allows it; or add --trust, or --trust-hash with its hash.',
    });
  const changed = (await repo.git(['diff', '--name-only', '-z', target])).split('\0').filter(isTrustPath);
  if (changed.length === 0) return;
  throw new Failure(
    'trust',
    `run ${run} and this clone differ in files that make programs run: ${fewOf(changed)}`,
    {
      hint: 'Bring this clone to the run’s state, e.g. with `git pull`, then `pawl trust`; or read the files on its branch, and add --trust.',
    },
  );
}

type Enter = Pick<LayOut, 'laidOut' | 'fact'> & Readonly<{ place: Place; options: RunFlags }>;

async function enterTaken(
  context: CliContext,
  { repo, config }: OpenPlace,
  { place, laidOut, fact, options }: Enter,
): Promise<Entered> {
  const { run, branch, plan, local } = laidOut;
  for (const { folder } of local?.lanes.values() ?? []) {
    const moved = setAside(folder);
    if (moved !== undefined)
      printNote(context, `Work in a lane here was never carried; it is kept: ${moved}`);
  }
  const head = await readRef(repo, `refs/heads/${branch}`);
  // Commits that the run lacks.
  const kept = head && (await keepFenced(repo, { run, head, theirs: fact.head }));
  const start = { context, options, place, file: path.join(place.root, plan) };
  const made = await makeOwnGround(context, {
    ...{ repo, config, base: fact.head, commit: fact.head, takesPlan: false },
    choice: { branch, create: head === undefined },
    plan: { name: plan, file: start.file },
  });
  const { worktree } = made;
  const ground = groundAt(repo, worktree.path);
  await layOut(ground, { laidOut, now: context.now(), fact: { ...fact, worktree, ...defined({ kept }) } });
  // Not before: of a take-up that was cut off, an earlier life's journal here would count as the run's.
  for (const each of [repo, ground]) await keepCarried(each, carriedRefs(run).tried, fact.oid);
  return enterTree(start, plan, made);
}
