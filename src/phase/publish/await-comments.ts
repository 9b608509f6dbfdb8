// Waits for comments on the requests of a run, until the clock is over, a person goes on, or the run's own request is
// merged or closed.
import { fixed } from '../../config/fixed.ts';
import { asFailure } from '../../failure.ts';
import type { Place } from '../../place/place.ts';
import type { PublishOptions } from '../../place/run.ts';
import { sleepUntil } from '../../work/wait/wait.ts';
import { planAnswers } from './answer-comments.ts';
import type { Published } from './requests.ts';

type Watch = Readonly<{ requests: readonly Published[]; until: number; told: Set<string> }>;

/** True once a fix is planned; those that are there already need no wait. */
export async function awaitComments(place: Place, publish: PublishOptions, watch: Watch): Promise<boolean> {
  const { run } = place;
  const { until, requests, told } = watch;
  if (await planAnswers(place, publish, { requests, told })) return true;
  if (run.now().getTime() >= until || run.signal.aborted) return false;
  const url = requests.at(-1)?.request.url ?? '';
  run.emit({ type: 'waiting', why: 'comments', until, text: url });
  // A person who continues takes the wait from the state.
  const isCut = () => run.state().waiting === undefined;
  let end: 'planned' | 'gone' | undefined;
  while (end === undefined && !run.signal.aborted && !isCut() && run.now().getTime() < until) {
    await sleepUntil(place, { until, wakingMs: fixed.commentsEveryMs }, isCut);
    if (!run.signal.aborted && !isCut()) end = await look(place, publish, watch);
  }
  run.emit({ type: 'waited', how: run.signal.aborted ? 'interrupted' : isCut() ? 'person' : 'time' });
  return end === 'planned';
}

/** A forge that does not answer is asked again. */
async function look(place: Place, publish: PublishOptions, { requests, told }: Watch) {
  try {
    const open = [];
    for (const one of requests) if (await publish.forge.find(one.layer.branch)) open.push(one);
    const isGone = !open.some(({ layer }) => layer.branch === place.run.state().started.branch);
    if (isGone) return 'gone';
    return (await planAnswers(place, publish, { requests: open, told })) ? 'planned' : undefined;
  } catch (error) {
    if (asFailure(error)?.code === 'environment') return undefined;
    throw error;
  }
}
