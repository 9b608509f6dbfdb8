// What the jobs of a run's branches come to, and which a session may mend. Pure.
import type { FactOf } from '../../event.ts';
import type { CiJob } from '../../forge/forge.ts';
import { fewOf } from '../../git/run/names.ts';

export type CiState = Exclude<FactOf<'ci'>['state'], 'fixing'>;

/** `settled`: CI has had time to begin. `over`: nobody waits any longer. */
export type CiClock = Readonly<{ settled: boolean; over: boolean }>;

/** Of one commit; undefined while there is something to wait for. */
export function judgeCi(jobs: readonly CiJob[], { settled, over }: CiClock): CiState | undefined {
  const isPending = jobs.some(({ state }) => state === 'pending');
  const isBad = jobs.some(({ state }) => state === 'red' || state === 'cancelled');
  if (!over && (isPending || !settled)) return undefined;
  if (isBad) return 'red';
  if (isPending) return 'gave-up';
  if (jobs.length === 0) return 'none';
  return jobs.some(({ wasRed }) => wasRed) ? 'flaky' : 'green';
}

const worstFirst = ['red', 'gave-up', 'flaky', 'green', 'none'] as const;

export function worstCi(states: readonly CiState[]): CiState {
  return worstFirst.find((state) => states.includes(state)) ?? 'none';
}

export function aboutToken(env: Readonly<Record<string, string>>): string {
  return env['GITHUB_ACTIONS'] === 'true' ? ' (a push with a job’s GITHUB_TOKEN starts no workflow)' : '';
}

/** The lowest first. */
export type BranchJobs = Readonly<{ branch: string; jobs: readonly CiJob[] }>;

/** `text`: what kept it from ending. */
export type AwaitedCi = Readonly<{ state: CiState; branches: readonly BranchJobs[]; text: string }>;

export function describeCi(
  { state, branches, text }: AwaitedCi,
  { bad, env }: Readonly<{ bad: string; env: Readonly<Record<string, string>> }>,
): string {
  const jobs = branches.flatMap((branch) => branch.jobs);
  // A workflow may be only for requests to the target branch.
  const without = branches.filter((branch) => branch.jobs.length === 0).map(({ branch }) => branch);
  const none = without.length > 0 ? `; none began for ${without.join(', ')}` : '';
  switch (state) {
    case 'green':
      return `${jobs.length} of ${jobs.length} jobs${none}`;
    case 'flaky':
      return `green after another try: ${jobs.flatMap(({ name, wasRed }) => (wasRed ? [name] : [])).join(', ')}${none}`;
    case 'none':
      return `no job began for this commit${aboutToken(env)}`;
    case 'red':
      return bad;
    case 'gave-up':
      return text === '' ? `not ended: ${bad}` : text;
  }
}

/** `onBase`: red on the target branch too. `isMended`: green in a branch above. */
export type BadJob = CiJob & Readonly<{ branch: string; onBase: boolean; isMended: boolean }>;

/** `base`: the target branch's jobs now. */
export function listBad(branches: readonly BranchJobs[], base: readonly CiJob[]): readonly BadJob[] {
  const redThere = new Set(base.filter(({ state }) => state === 'red').map(({ name }) => name));
  return branches.flatMap(({ branch, jobs }, at) => {
    const above = branches.slice(at + 1).flatMap((one) => one.jobs);
    return jobs
      .filter(({ state }) => state !== 'green')
      .map((job) => ({
        ...job,
        branch,
        onBase: job.state === 'red' && redThere.has(job.name),
        isMended: above.some(({ name, state }) => name === job.name && state === 'green'),
      }));
  });
}

/** Red because of this work, all in the lowest branch that has such. */
export function listMendable(bad: readonly BadJob[]): readonly BadJob[] {
  const wanted = bad.filter(({ state, onBase, isMended }) => state === 'red' && !onBase && !isMended);
  return wanted.filter(({ branch }) => branch === wanted[0]?.branch);
}

/** `test (red on main too), plan-task-1: lint (cancelled)`. `own`: the run's branch. */
export function nameJobs(
  bad: readonly BadJob[],
  { target, own }: Readonly<{ target: string; own: string }>,
): string {
  const named = bad.map(({ name, branch, state, onBase, isMended }) => {
    const about = onBase ? `red on ${target} too` : state === 'red' ? [] : state;
    const words = [about, isMended ? 'green above' : []].flat().join(', ');
    return `${branch === own ? '' : `${branch}: `}${name}${words === '' ? '' : ` (${words})`}`;
  });
  return fewOf(named, 6);
}
