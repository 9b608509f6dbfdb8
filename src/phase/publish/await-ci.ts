// Waits for CI of the run's branches: announced, by its own clock, ended early by a person.
import { fixed } from '../../config/fixed.ts';
import { asFailure } from '../../failure.ts';
import { type Forge, jobsDefinedIn } from '../../forge/forge.ts';
import type { Place } from '../../place/place.ts';
import { sleepUntil } from '../../work/wait/wait.ts';
import { type AwaitedCi, aboutToken, type BranchJobs, judgeCi, worstCi } from './judge-ci.ts';

/** `there`: the remote's commit. */
type Tip = Readonly<{ branch: string; there: string }>;

/** The lowest first; undefined if interrupted. A silent forge is asked until the clock is over. */
export async function awaitCi(
  place: Pick<Place, 'run' | 'env' | 'repo'>,
  forge: Pick<Forge, 'checks' | 'noun'>,
  tips: readonly Tip[],
): Promise<AwaitedCi | undefined> {
  const { run } = place;
  const now = () => run.now().getTime();
  const began = now();
  const until = began + run.config.clocks.ci;
  const head = tips.at(-1)?.there ?? '';
  run.emit({ type: 'waiting', why: 'ci', until, text: `CI of ${head.slice(0, 12)}${aboutToken(place.env)}` });
  // A person who continues takes the wait from the state.
  const isCut = () => run.state().waiting === undefined;
  const isLate = await definesJobs(place, forge, head);
  let found: AwaitedCi | undefined;
  while (found === undefined && !run.signal.aborted) {
    const look = await lookAtCi(forge, tips);
    const over = now() >= until || isCut();
    const states = look.branches.map(({ jobs }) => {
      const settleMs = isLate && jobs.length === 0 ? fixed.ciLateMs : fixed.ciSettleMs;
      return judgeCi(jobs, { settled: now() - began >= settleMs, over });
    });
    const ended = states.filter((state) => state !== undefined);
    // A failed look knows nothing of CI.
    if (look.failed !== undefined && over) found = { ...look, state: 'gave-up', text: look.failed };
    else if (look.failed === undefined && ended.length === states.length)
      found = { ...look, state: worstCi(ended), text: '' };
    else {
      const next = Math.min(now() + fixed.ciEveryMs, until);
      await sleepUntil(place, { until: next, wakingMs: fixed.ciEveryMs }, isCut);
    }
  }
  run.emit({ type: 'waited', how: run.signal.aborted ? 'interrupted' : isCut() ? 'person' : 'time' });
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
  tips: readonly Tip[],
): Promise<Readonly<{ branches: readonly BranchJobs[]; failed?: string }>> {
  const branches: BranchJobs[] = [];
  try {
    for (const { branch, there } of tips) branches.push({ branch, jobs: await forge.checks(there) });
    return { branches };
  } catch (error) {
    const failure = asFailure(error);
    if (failure?.code === 'environment') return { branches, failed: failure.message };
    throw error;
  }
}
