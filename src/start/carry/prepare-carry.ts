// Whether and where a run is carried, its carrier while it is driven, and its end if the remote was not told of it.
import { existsSync } from 'node:fs';
import os from 'node:os';
import { fixed } from '../../config/fixed.ts';
import type { Config } from '../../config/schema.ts';
import { defined } from '../../defined.ts';
import { commandAgain, pushCommand, takeCommand } from '../../event/again.ts';
import { Failure, needFailure } from '../../failure.ts';
import { findAhead, type Remote, refuseUnknownRemote, withOneClock } from '../../git/carry/remote.ts';
import { listRemotes } from '../../git/porcelain.ts';
import { readRef } from '../../git/run/head.ts';
import type { Repo } from '../../git/run/repo.ts';
import { isStoredElsewhere } from '../../git/tree/stored-elsewhere.ts';
import { groundAt } from '../../ground/make.ts';
import type { RunFolder } from '../../journal/folder.ts';
import { readState } from '../../journal/read-journal.ts';
import { type Carry, isFinished, type RunState } from '../../journal/state.ts';
import { Carrier } from '../../phase/carry/carrier.ts';
import { headOf, readContent } from '../../phase/carry/content.ts';
import { carriedRefs, readRun } from '../../phase/carry/owner.ts';
import { carryRun, judgeThere, type Taker } from '../../phase/carry/push-run.ts';
import { isAside, namePlan } from '../../phase/open/find-unfinished.ts';
import { chooseBranchFor, type OpenRequest } from '../../phase/open/may-open.ts';
import type { Place } from '../../place/place.ts';
import { formatMoment } from '../../report/text/figure.ts';
import { type CliContext, printNote } from '../context.ts';
import type { Place as PlaceAt } from '../locate.ts';
import { maskKnown } from '../messages.ts';
import { openPlace } from '../open-place.ts';

/** The remote's name; undefined if the run is not carried. Throws a Failure if another machine has it, or it cannot be. */
export async function prepareCarry(request: CarryRequest): Promise<string | undefined> {
  if (isAside(request.about)) return undefined;
  const { repo, config } = request.base;
  const known = request.open && readState(request.open.folder);
  const { carry } = known ?? {};
  const name = await chooseRemote(repo, carry?.remote, config.carry.remote);
  if (name === undefined) return undefined;
  const remote = remoteNamed(name);
  if (carry) await refuseTaken(repo, remote, { run: known?.started.run ?? '', carry });
  else {
    refuseOutside(request);
    await refuseStoredElsewhere(repo);
    await refuseAhead(repo, remote, request);
  }
  return name;
}

type CarryRequest = Pick<OpenRequest, 'base' | 'planFile' | 'workplace' | 'options' | 'about' | 'open'>;

export async function beginCarry(
  context: CliContext,
  place: Place,
  { remote, mask }: Readonly<{ remote: string; mask: (text: string) => string }>,
): Promise<Carrier> {
  const { run } = place;
  const { interrupt } = context;
  const { job } = jobOf(context);
  const before = run.state().carry;
  if (before?.remote !== remote || before.job !== job)
    run.emit({ type: 'carry', state: 'begun', remote, ...defined({ job }) });
  const carrier = new Carrier(place, { host: machineOf(run.config), mask, interrupt });
  await carrier.begin();
  return carrier;
}

/** With the command that carries it later, or takes it back. */
export function formatUncarried(state: RunState, why: string, isTaken = false): string {
  const { carry = { remote: '' }, started } = state;
  const again = isFinished(state) ? pushCommand({ ...state, carry }) : commandAgain(state);
  const later =
    isTaken || state.carry?.fenced
      ? `\`${takeCommand(started.run, carry.remote)}\` takes it back`
      : `Later, \`${again}\` carries it`;
  return `Not all of the run is on ${carry.remote}: ${why}. ${later}.`;
}

/** The one already carried to if it still has that name, else the requested one. */
export async function chooseRemote(
  repo: Repo,
  known: string | undefined,
  wished: string | undefined,
): Promise<string | undefined> {
  const isThere = known !== undefined && (await listRemotes(repo)).includes(known);
  const name = isThere ? known : (wished ?? known);
  if (name !== undefined) await refuseUnknownRemote(repo, name);
  return name;
}

/** Throws Failure('preflight') if git does not push all that another machine needs. */
export async function refuseStoredElsewhere(repo: Repo): Promise<void> {
  if (!(await isStoredElsewhere(repo))) return;
  throw new Failure(
    'preflight',
    'the run cannot be carried: git-lfs or git-annex keep the content of files',
    {
      hint: 'It would not be carried, and the branch on the remote would name files that nobody has. Leave out --carry.',
    },
  );
}

export function jobOf({ env }: Pick<CliContext, 'env'>): Readonly<{ job?: string }> {
  return defined({ job: env['PAWL_FLEET_JOB'] });
}

export function machineOf({ carry }: Pick<Config, 'carry'>): string {
  return carry.machine ?? os.hostname();
}

/** In containers ids often have no user name. */
export function describeAsker({ env }: Pick<CliContext, 'env'>, config: Pick<Config, 'carry'>): string {
  return `${env['USER'] || env['LOGNAME'] || 'somebody'} on ${machineOf(config)}`.slice(0, 200);
}

/** An unreachable remote, which the carrier reports, keeps nobody from continuing. */
async function refuseTaken(
  repo: Repo,
  slow: Remote,
  { run, carry }: Readonly<{ run: string; carry: Carry }>,
): Promise<void> {
  const asked = judgeThere(repo, withOneClock(slow), { run, oid: carry.oid });
  const seen = await asked.catch((error: unknown) => void needFailure(error));
  const taker: Taker | undefined = seen?.taker ?? carry.fenced?.by;
  if (!taker) return;
  const { host, at, branch } = taker;
  throw taker.ended
    ? new Failure('preflight', `${host} has taken run ${run} up, and finished it`, {
        hint: `Its work is on ${branch}: git fetch ${slow.name} ${branch} && git merge FETCH_HEAD. --fresh starts over.`,
      })
    : new Failure(
        'preflight',
        `${host} has taken run ${run} up, and carried it last on ${formatMoment(Date.parse(at))}`,
        { hint: `\`${takeCommand(run, slow.name)}\` takes it back; --fresh starts over.` },
      );
}

function refuseOutside({ base, planFile, workplace }: CarryRequest) {
  if (namePlan(base.repo.root, planFile) !== planFile && !workplace.planIgnored) return;
  throw new Failure('preflight', `${planFile} is not in git, so its run cannot be carried`, {
    hint: 'Put the plan into the repository, or leave out --carry.',
  });
}

/** Throws if the branch there has commits that the run's lacks: no push could succeed. */
async function refuseAhead(repo: Repo, remote: Remote, request: CarryRequest): Promise<void> {
  const { workplace, open } = request;
  // A session that was cut off may have left HEAD anywhere.
  const { branch, create } = open ? { branch: open.started.branch, create: false } : chooseBranchFor(request);
  const isHere = create || branch === workplace.branch;
  const oid = isHere ? workplace.head : await readRef(repo, `refs/heads/${branch}`);
  if (oid === undefined || (await findAhead(repo, remote, { name: branch, oid })) === undefined) return;
  throw new Failure(
    'preflight',
    `the run would work on ${branch}, and ${remote.name} has commits on a branch of that name that are not here`,
    {
      hint: `If they are of a run (\`pawl status --remote\`), \`${takeCommand(branch, remote.name)}\` continues it. If nobody needs them: git push ${remote.name} --delete ${branch}. Otherwise bring them here first, or name another branch: --branch ${branch}-2`,
    },
  );
}

/** Throws Failure('preflight') if there is none. */
export async function needRemote(repo: Repo, name?: string): Promise<Remote> {
  const remote = remoteNamed(name);
  await refuseUnknownRemote(repo, remote.name);
  return remote;
}

/** A fleet's jobs know no other remote. */
export function remoteNamed(name = 'origin'): Remote {
  return { name, clockMs: fixed.carryPatienceMs };
}

/** Of a finished run that was killed before its end was carried: an exit code to combine with the run's. */
export async function carryEnd(
  context: CliContext,
  { place, run: { run, folder }, state }: Readonly<{ place: PlaceAt; run: RunFolder; state: RunState }>,
): Promise<number> {
  const { carry, worktree, course } = state;
  if (!carry) return 0;
  const { config, ...opened } = await openPlace(context, place);
  const isThere = worktree !== undefined && existsSync(worktree.path);
  const repo = isThere ? groundAt(opened.repo, worktree.path) : opened.repo;
  const last = await readRef(repo, carriedRefs(run).pushed);
  if (last !== undefined && (await readRun(repo, last, 'owner.json')).ended) return 0;
  const content = { head: headOf(state), files: readContent(folder, await maskKnown(context)) };
  const by = { host: machineOf(config), now: context.now() };
  const carried = needRemote(repo, carry.remote).then((remote) =>
    carryRun(repo, withOneClock(remote), {
      ...{ state, carry, ...content, ...by, tree: course.ended?.tree, withBranch: true },
    }),
  );
  const { fenced, parted } = await carried.catch((error: unknown) => ({
    ...{ fenced: undefined, parted: needFailure(error).message },
  }));
  const why = fenced ? `${fenced.host} has taken it up` : parted;
  printNote(
    context,
    why === undefined
      ? `${carry.remote} has all of the run now.`
      : formatUncarried(state, why, fenced !== undefined),
  );
  return why === undefined ? 0 : 8;
}
