// The runs that a remote holds, and which of them a person means.
import path from 'node:path';
import type { Fact } from '../../event.ts';
import { Failure, needFailure } from '../../failure.ts';
import { fetchRefs, type Remote, readRemoteRefs } from '../../git/carry/remote.ts';
import { descends } from '../../git/run/ancestry.ts';
import { pawlRef } from '../../git/run/refs.ts';
import type { Repo } from '../../git/run/repo.ts';
import { planInName } from '../../journal/folder.ts';
import { type CarriedRun, readRun } from '../../phase/carry/owner.ts';
import { folderName } from '../../phase/open/find-unfinished.ts';
import { noRun, runsNamed } from '../resolve-word.ts';

/**
 * Last carried first. `plan`: only runs of plans with this file name. Of a run's files, it reads only the owner's.
 * `strange`: refs whose content is not pawl's; `branches`: heads, by ref.
 */
export async function listCarried(repo: Repo, remote: Remote, { plan }: Readonly<{ plan?: string }> = {}) {
  // Even for a pattern, git is sent all refs.
  const all = await readRemoteRefs(repo, remote, ['refs/pawl/*/carried', 'refs/heads/*']);
  const branches = new Map([...all].filter(([ref]) => ref.startsWith('refs/heads/')));
  const carried = [...all].filter(([ref]) => {
    const run = /^refs\/pawl\/(.+)\/carried$/.exec(ref)?.[1];
    return run !== undefined && (plan === undefined || planInName(run) === folderName(plan));
  });
  // One carry's time limit is too short for all.
  const patient = { ...remote, clockMs: remote.clockMs * 5 };
  const runs: CarriedRun[] = [];
  const strange: Failure[] = [];
  const refs = carried.map(([ref]) => ref);
  const isWhole = await fetchRefs(repo, patient, refs).then(
    () => true,
    () => false,
  );
  for (const [ref, oid] of carried) {
    try {
      if (!isWhole) await fetchRefs(repo, patient, [ref]);
      const found = await readRun(repo, oid, 'owner.json');
      if (pawlRef(found.run, 'carried') !== ref)
        throw new Failure('preflight', `it says that it is run ${found.run}`);
      runs.push(found);
    } catch (error) {
      const failure = needFailure(error);
      strange.push(new Failure(failure.code, `${ref}: ${failure.message}`, { hint: failure.hint ?? '' }));
    }
  }
  return { runs: runs.sort((a, b) => (a.at < b.at ? 1 : -1)), strange, branches };
}

/** By its branch, or as any run is named: an unfinished run comes first. */
export async function needCarried(
  repo: Repo,
  remote: Remote,
  wish: string,
): Promise<Readonly<{ carried: CarriedRun; branchThere: string | undefined }>> {
  const { runs, strange, branches } = await listCarried(repo, remote);
  const { root } = repo;
  const onBranch = runs.filter(({ branch }) => branch === wish);
  const meant = onBranch.length > 0 ? onBranch : runsNamed({ cwd: root, root, plans: [] }, runs, wish);
  const found = meant.find(({ ended }) => !ended) ?? meant[0];
  if (found)
    return {
      carried: await readRun(repo, found.oid),
      branchThere: branches.get(`refs/heads/${found.branch}`),
    };
  const [first] = strange;
  if (first && strange.some(({ message }) => message.includes(wish))) throw first;
  throw new Failure('usage', `there is ${noRun(wish, `on ${remote.name}`)}`, {
    hint:
      runs.length === 0
        ? `It has none. \`pawl run <plan> --carry ${remote.name}\` carries one.`
        : `It has:\n${runs.map(({ run, branch }) => `${run} on ${branch}`).join('\n')}`,
  });
}

/**
 * The remote's branch if that is the run's head plus others' commits, else the run's head: its own commits
 * there were taken back.
 */
export async function findTarget(
  repo: Repo,
  remote: Remote,
  of: Pick<CarriedRun, 'run' | 'branch' | 'head'> & Readonly<{ there: string | undefined }>,
): Promise<Readonly<{ target: string; parted: boolean }>> {
  const { run, branch, head, there } = of;
  if (there === undefined || there === head) return { target: head, parted: false };
  await fetchRefs(repo, remote, [`refs/heads/${branch}`]);
  if (!(await descends(repo, head, there)))
    return { target: head, parted: !(await descends(repo, there, head)) };
  const messages = await repo.git(['log', '--format=%B', `${head}..${there}`]);
  const isOwn = messages.split('\n').includes(`Pawl-Run: ${run}`);
  return isOwn ? { target: head, parted: true } : { target: there, parted: false };
}

/** What keeps it from being taken up. Names that lead elsewhere would be followed when it continues. */
export async function findWrong(
  repo: Repo,
  carried: CarriedRun,
  facts: readonly Fact[],
): Promise<string | undefined> {
  const [started] = facts;
  if (started?.type !== 'run-started') return 'its journal does not begin with its start';
  if (started.run !== carried.run || started.branch !== carried.branch || started.plan !== carried.plan)
    return 'its journal is that of another run';
  const parts = facts.flatMap((fact) => Object.entries(fact));
  const files = parts.flatMap(([key, value]) => (isOfFiles.has(key) ? value : []));
  const outside = files.find((file) => typeof file === 'string' && !isInside(file));
  if (outside !== undefined) return `it names ${JSON.stringify(outside)}, outside the repository`;
  if (started.planPlace !== 'tracked') return 'its plan is not in the repository';
  const named = await repo.git(['check-ref-format', '--branch', started.branch], { okCodes: [0, 1, 128] });
  return named.trim() === started.branch
    ? undefined
    : `its branch cannot be ${JSON.stringify(started.branch)}`;
}

/** What something may read, write or move is named by these in a fact. */
const isOfFiles: ReadonlySet<string> = new Set(['plan', 'planLink', 'from', 'to', 'untracked']);

function isInside(file: string): boolean {
  const parts = file.split(/[/\\]/);
  return !path.isAbsolute(file) && !parts.includes('..') && parts[0]?.toLowerCase() !== '.git';
}
