// Waits for CI of a commit: announced, by its own clock, ended early by a person.
import { fixed } from '../../config/fixed.ts';
import { asFailure } from '../../failure.ts';
import { type CiJob, type Forge, jobsDefinedIn } from '../../forge/forge.ts';
import type { Place } from '../../place/place.ts';
import { sleepUntil } from '../../work/wait/wait.ts';
import { aboutToken, type CiState, judgeCi } from './judge-ci.ts';

/** `text`: what kept it from ending. */
export type AwaitedCi = Readonly<{ state: CiState; jobs: readonly CiJob[]; text: string }>;

/** Undefined if interrupted. A forge that does not answer is asked until the clock is over. */
export async function awaitCi(
  place: Pick<Place, 'run' | 'env' | 'repo'>,
  forge: Pick<Forge, 'checks' | 'noun'>,
  head: string,
): Promise<AwaitedCi | undefined> {
  const { run } = place;
  const now = () => run.now().getTime();
  const began = now();
  const until = began + run.config.clocks.ci;
  run.emit({ type: 'waiting', why: 'ci', until, text: `CI of ${head.slice(0, 12)}${aboutToken(place.env)}` });
  // A person who continues takes the wait from the state.
  const isCut = () => run.state().waiting === undefined;
  const isLate = await definesJobs(place, forge, head);
  let found: AwaitedCi | undefined;
  while (found === undefined && !run.signal.aborted) {
    const look = await lookAtCi(forge, head);
    const settleMs = isLate && look.jobs.length === 0 ? fixed.ciLateMs : fixed.ciSettleMs;
    const clock = { settled: now() - began >= settleMs, over: now() >= until || isCut() };
    const state = judgeCi(look.jobs, clock);
    // A failed look knows nothing of CI.
    if (state !== undefined && (look.failed === undefined || clock.over))
      found = { ...look, state: look.failed === undefined ? state : 'gave-up', text: look.failed ?? '' };
    else {
      const next = Math.min(now() + fixed.ciEveryMs, until);
      await sleepUntil(place, { until: next, wakingMs: fixed.ciEveryMs }, isCut);
    }
  }
  const how = run.signal.aborted ? 'interrupted' : isCut() ? 'person' : 'time';
  run.emit({ type: 'waited', how });
  return run.signal.aborted ? undefined : found;
}

/** Not in a GitHub job, whose own token starts none. */
async function definesJobs(
  { env, repo }: Pick<Place, 'env' | 'repo'>,
  { noun }: Pick<Forge, 'noun'>,
  head: string,
): Promise<boolean> {
  if (aboutToken(env) !== '') return false;
  return (await repo.git(['ls-tree', '-r', '--name-only', head, '--', jobsDefinedIn[noun]])) !== '';
}

async function lookAtCi(
  forge: Pick<Forge, 'checks'>,
  head: string,
): Promise<Readonly<{ jobs: readonly CiJob[]; failed?: string }>> {
  try {
    return { jobs: await forge.checks(head) };
  } catch (error) {
    const failure = asFailure(error);
    if (failure?.code === 'environment') return { jobs: [], failed: failure.message };
    throw error;
  }
}
