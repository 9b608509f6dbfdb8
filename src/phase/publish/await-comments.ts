// Waits for comments on a run's requests until the clock is over, a person goes on, or closes or merges its own one.

import { fixed } from '../../config/fixed.ts';
import { defined } from '../../defined.ts';
import type { EndReason } from '../../event/run.ts';
import { asFailure, exitCodes, Failure } from '../../failure.ts';
import { noticeOnce } from '../../journal/notice-once.ts';
import type { Place } from '../../place/place.ts';
import type { PublishOptions } from '../../place/run.ts';
import { sleepUntil } from '../../work/wait/wait.ts';
import { planAnswers } from './answer-comments.ts';
import type { Published } from './requests.ts';

type Watch = Readonly<{ requests: readonly Published[]; until: number; told: Set<string> }>;

/** `planned` once a fix is; else the reasons against exit 0. Earlier comments need no wait. */
export async function awaitComments(
  place: Place,
  publish: PublishOptions,
  watch: Watch,
): Promise<'planned' | readonly EndReason[]> {
  const { run } = place;
  const { until, requests } = watch;
  if (publish.watchMs === undefined) return (await planAnswers(place, publish, watch)) ? 'planned' : [];
  let seen = await look(place, publish, watch);
  const isOver = () => run.signal.aborted || run.now().getTime() >= until;
  const isWaiting = () => seen === undefined || seen instanceof Failure;
  if (isWaiting() && !isOver()) {
    run.emit({ type: 'waiting', why: 'comments', until, text: requests.at(-1)?.request.url ?? '' });
    // A person who continues takes the wait from the state.
    const isCut = () => run.state().waiting === undefined;
    while (isWaiting() && !isOver() && !isCut()) {
      await sleepUntil(place, { until, wakingMs: fixed.commentsEveryMs }, isCut);
      if (!run.signal.aborted && !isCut()) seen = await look(place, publish, watch);
    }
    run.emit({ type: 'waited', how: run.signal.aborted ? 'interrupted' : isCut() ? 'person' : 'time' });
  }
  if (seen === 'planned') return seen;
  return seen instanceof Failure ? [reasonOf(seen)] : [];
}

/** What may pass is tried again, and told if it is a person's to end. */
async function look(place: Place, publish: PublishOptions, { requests, told }: Watch) {
  try {
    const open = [];
    for (const one of requests) if (await publish.forge.find(one.layer.branch)) open.push(one);
    const isGone = !open.some(({ layer }) => layer.branch === place.run.state().started.branch);
    if (isGone) return 'gone';
    return (await planAnswers(place, publish, { requests: open, told })) ? 'planned' : undefined;
  } catch (error) {
    const failure = asFailure(error);
    if (failure?.code !== 'environment' && failure?.code !== 'git') throw error;
    const { message, hint = '' } = failure;
    if (failure.code === 'git')
      noticeOnce(place.run, { code: 'comments-wait', text: `Comments wait, because ${message}. ${hint}` });
    return failure;
  }
}

function reasonOf({ message, hint }: Failure): EndReason {
  const text = `comments were not answered in the end, because ${message}`;
  return { exit: exitCodes.notClean, code: 'comments', text, ...defined({ hint }) };
}
