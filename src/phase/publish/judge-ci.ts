// What a commit's jobs come to, and which a session may mend. Pure.
import type { FactOf } from '../../event.ts';
import type { CiJob } from '../../forge/forge.ts';

export type CiState = Exclude<FactOf<'ci'>['state'], 'fixing'>;

/** `settled`: CI has had time to begin. `over`: nobody waits any longer. */
export type CiClock = Readonly<{ settled: boolean; over: boolean }>;

/** Undefined while there is something to wait for. */
export function judgeCi(jobs: readonly CiJob[], { settled, over }: CiClock): CiState | undefined {
  const isPending = jobs.some(({ state }) => state === 'pending');
  const isBad = jobs.some(({ state }) => state === 'red' || state === 'cancelled');
  if (!over && (isPending || !settled)) return undefined;
  if (isBad) return 'red';
  if (isPending) return 'gave-up';
  if (jobs.length === 0) return 'none';
  return jobs.some(({ wasRed }) => wasRed) ? 'flaky' : 'green';
}

/** A push by a GitHub job's token starts no workflow. */
export function aboutToken(env: Readonly<Record<string, string>>): string {
  return env['GITHUB_ACTIONS'] === 'true' ? ' (a push with a job’s GITHUB_TOKEN starts no workflow)' : '';
}

/** `onBase`: red on the target branch too. */
export type BadJob = CiJob & Readonly<{ onBase: boolean }>;

/** `base`: the target branch's jobs now. */
export function listBad(jobs: readonly CiJob[], base: readonly CiJob[]): readonly BadJob[] {
  const redThere = new Set(base.filter(({ state }) => state === 'red').map(({ name }) => name));
  return jobs
    .filter(({ state }) => state !== 'green')
    .map((job) => ({ ...job, onBase: job.state === 'red' && redThere.has(job.name) }));
}

/** Red, and not before this work. */
export function isForFixer({ state, onBase }: BadJob): boolean {
  return state === 'red' && !onBase;
}

/** `test (red on main too), lint (cancelled)`. */
export function nameJobs(bad: readonly BadJob[], target: string): string {
  const most = 6;
  const named = bad.slice(0, most).map(({ name, state, onBase }) => {
    if (onBase) return `${name} (red on ${target} too)`;
    return state === 'red' ? name : `${name} (${state})`;
  });
  return `${named.join(', ')}${bad.length > most ? ` and ${bad.length - most} more` : ''}`;
}
