// The runs that a remote holds, and which of them a person means.
import { asFailure, Failure } from '../../failure.ts';
import { fetchRefs, type Remote, readRemoteRefs } from '../../git/carry/remote.ts';
import { descends } from '../../git/run/ancestry.ts';
import type { Repo } from '../../git/run/repo.ts';
import { type CarriedRun, readRun } from '../../phase/carry/owner.ts';
import { carryRef } from '../carry-run.ts';

/** A run that a remote holds, and the ref that holds it. */
export type Carried = CarriedRun & Readonly<{ ref: string }>;

/** All of them, of their files but who has them, the one that was carried last first; `strange`: what stands in such a ref and is none of pawl's. */
export async function listCarried(
  repo: Repo,
  remote: Remote,
): Promise<Readonly<{ runs: readonly Carried[]; strange: readonly Failure[] }>> {
  const refs = await readRemoteRefs(repo, remote, ['refs/pawl/*/carried', 'refs/heads/pawl-carried/*']);
  // A run may be big: the clock of one carry is too short for all of it.
  const patient = { ...remote, clockMs: remote.clockMs * 5 };
  const runs: Carried[] = [];
  const strange: Failure[] = [];
  for (const [ref, oid] of refs) {
    // Left by a trial of the remote that was cut off.
    if (/\/try-[^/]+(?:\/carried)?$/.test(ref)) continue;
    try {
      // One by one: what is wrong with one keeps nobody from the others.
      await fetchRefs(repo, patient, [ref]);
      const found = await readRun(repo, oid, 'owner.json');
      if (![carryRef(found.run, 'refs'), carryRef(found.run, 'branches')].includes(ref))
        throw new Failure('preflight', `it says that it is run ${found.run}`);
      runs.push({ ...found, ref });
    } catch (error) {
      const failure = asFailure(error);
      if (!failure) throw error;
      strange.push(new Failure(failure.code, `${ref}: ${failure.message}`, { hint: failure.hint ?? '' }));
    }
  }
  return { runs: runs.sort((a, b) => (a.at < b.at ? 1 : -1)), strange };
}

/** The run with this id, the only one whose id begins so, or the one on this branch that was carried last. */
export async function needCarried(repo: Repo, remote: Remote, wish: string): Promise<Carried> {
  const { runs, strange } = await listCarried(repo, remote);
  const begun = runs.filter(({ run }) => run.startsWith(wish));
  const exact = runs.find(({ run }) => run === wish) ?? (begun.length === 1 ? begun[0] : undefined);
  const onBranch = runs.filter(({ branch }) => branch === wish);
  const found = exact ?? onBranch.find(({ ended }) => !ended) ?? onBranch[0];
  if (found) return { ...(await readRun(repo, found.oid)), ref: found.ref };
  const [first] = strange;
  if (first && strange.some(({ message }) => message.includes(wish))) throw first;
  if (begun.length > 1)
    throw new Failure('usage', `${begun.length} runs on ${remote.name} begin with ${wish}`, {
      hint: begun.map(({ run }) => run).join('\n'),
    });
  throw new Failure('usage', `${remote.name} has no run ${wish}`, {
    hint:
      runs.length === 0
        ? `It has none. \`pawl run <plan> --carry ${remote.name}\` carries one.`
        : `It has:\n${runs.map(({ run, branch }) => `${run} on ${branch}`).join('\n')}`,
  });
}

/** Where the run's branch goes on: what stands on the remote where that is the run's head with commits of others on it, else the run's head: its own were taken back. */
export async function findTarget(
  repo: Repo,
  remote: Remote,
  { run, branch, head }: Pick<Carried, 'run' | 'branch' | 'head'>,
): Promise<Readonly<{ target: string; parted: boolean }>> {
  const ref = `refs/heads/${branch}`;
  const there = (await readRemoteRefs(repo, remote, [ref])).get(ref);
  if (there === undefined || there === head) return { target: head, parted: false };
  await fetchRefs(repo, remote, [ref]);
  if (await descends(repo, head, there)) {
    const messages = await repo.git(['log', '--format=%B', `${head}..${there}`]);
    const isOwn = messages.split('\n').includes(`Pawl-Run: ${run}`);
    return isOwn ? { target: head, parted: true } : { target: there, parted: false };
  }
  return { target: head, parted: !(await descends(repo, there, head)) };
}
