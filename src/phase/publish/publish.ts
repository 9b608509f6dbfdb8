// The last phase of a run with `--pr`: push, open or update the request, await CI and mend it. Each step looks first at
// what is there, so that it may follow a kill.
import type { EndReason } from '../../event/run.ts';
import type { FactOf } from '../../event.ts';
import { asFailure, exitCodes, Failure, pickExit } from '../../failure.ts';
import type { Place } from '../../place/place.ts';
import type { PhaseEnd, PublishOptions } from '../../place/run.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { reasonOfFailure, reasonOfInterruption, reasonOfStop } from '../../work/stopped.ts';
import { changeBetween } from '../finish.ts';
import { answerComments } from './answer-comments.ts';
import { awaitCi } from './await-ci.ts';
import { aboutToken, type BadJob, isForFixer, listBad, nameJobs } from './judge-ci.ts';
import { ciStage, endCiStage, planMending } from './mend-ci.ts';
import { openRequest } from './open-request.ts';
import { findOpenFix, lastRound, mendRound } from './outside-round.ts';
import { pushBranch } from './push-branch.ts';
import { pushStack } from './stack.ts';

/** `reasons`: those against exit 0 so far. */
export async function publishRun(place: WorkPlace, reasons: readonly EndReason[]): Promise<PhaseEnd> {
  const { publish } = place.run.options;
  if (!publish) return { reasons, finished: true };
  place.run.emit({ type: 'phase', phase: 'publish', state: 'started' });
  try {
    const end = place.run.options.review?.answers
      ? await answerComments(place, publish)
      : await publishUntilEnd(atArchive(place), publish, reasons);
    if (end.finished)
      place.run.emit({ type: 'phase', phase: 'publish', state: 'ended', reason: formatEnd(place) });
    return { ...end, reasons: [...reasons, ...end.reasons] };
  } catch (error) {
    if (place.run.signal.aborted)
      return { reasons: [...reasons, reasonOfInterruption(place)], finished: false };
    const failure = asFailure(error);
    if (!failure) throw error;
    return { reasons: [...reasons, reasonOfFailure(failure)], finished: false };
  }
}

/** If the plan has moved, what is mended now is held to it there. */
export function atArchive<P extends Place>(place: P): P {
  const { archived } = place.run.state();
  if (!archived) return place;
  const file = place.plan.tracked ? `${place.repo.root}/${archived.to}` : archived.to;
  return { ...place, plan: { ...place.plan, file, name: archived.to } };
}

async function publishUntilEnd(
  place: WorkPlace,
  publish: PublishOptions,
  reasons: readonly EndReason[],
): Promise<PhaseEnd> {
  const { config, state } = place.run;
  for (;;) {
    const open = findOpenFix(place, ciStage);
    const mended = open === undefined ? undefined : await mendRound(place, { stage: ciStage, round: open });
    if (mended && 'stop' in mended) return { reasons: [reasonOfStop(place, mended.stop)], finished: false };
    await refuseUncarried(place);
    await pushStack(place, publish);
    const head = await pushBranch(publish, state());
    await openRequest(place, publish, { head, end: await endOf(place, reasons) });
    if (config.ci.mode === 'off') return { reasons: [], finished: true };
    const isLast = mended !== undefined && !mended.changed;
    const ci = await judgeCiOf(place, publish, {
      head,
      mayMend: !isLast && lastRound(state(), ciStage) < config.ci.rounds,
    });
    if (ci === undefined) return { reasons: [reasonOfInterruption(place)], finished: false };
    if (ci.state === 'fixing') continue;
    endCiStage(place, ci);
    const because = isLast && ci.state === 'red' ? `; not mended: ${mended.reason}` : '';
    const more = reasonsOfCi(ci, because);
    const end = await endOf(place, [...reasons, ...more]);
    await openRequest(place, publish, { head, end, isDone: more.length === 0 });
    return { reasons: more, finished: ci.state !== 'gave-up' };
  }
}

/** Whoever takes the run up must know of every published commit. */
async function refuseUncarried({ run }: Place): Promise<void> {
  const why = await run.options.carried?.('anew');
  run.signal.throwIfAborted();
  if (why === undefined) return;
  throw new Failure('environment', `not published, because the run is not carried: ${why}`, {
    hint: 'The same command publishes it as soon as it can be carried.',
  });
}

/** Undefined if interrupted. */
async function judgeCiOf(
  place: WorkPlace,
  { forge, target }: PublishOptions,
  { head, mayMend }: Readonly<{ head: string; mayMend: boolean }>,
): Promise<FactOf<'ci'> | undefined> {
  const known = place.run.state().ci;
  if (known?.head === head && known.state !== 'fixing' && known.state !== 'gave-up') return known;
  const found = await awaitCi(place, forge, head);
  if (!found) return undefined;
  const isRed = found.state === 'red';
  const bad = listBad(found.jobs, isRed ? await forge.checks(target).catch(() => []) : []);
  const wanted = bad.filter(isForFixer);
  const isMended = isRed && mayMend && wanted.length > 0;
  if (isMended) await planMending(place, forge, { jobs: wanted, head });
  const fact: FactOf<'ci'> = {
    type: 'ci',
    state: isMended ? 'fixing' : found.state,
    head,
    text: textOf(found, { bad, target, env: place.env }),
    jobs: bad.slice(0, mostJobs).map(({ name, url, onBase }) => ({ name, url, onBase })),
  };
  place.run.emit(fact);
  return fact;
}

const mostJobs = 50;

function textOf(
  { state, jobs, text }: NonNullable<Awaited<ReturnType<typeof awaitCi>>>,
  {
    bad,
    target,
    env,
  }: Readonly<{ bad: readonly BadJob[]; target: string; env: Readonly<Record<string, string>> }>,
): string {
  switch (state) {
    case 'green':
      return `${jobs.length} of ${jobs.length} jobs`;
    case 'flaky':
      return `green after another try: ${jobs.flatMap(({ name, wasRed }) => (wasRed ? [name] : [])).join(', ')}`;
    case 'none':
      return `no job began for this commit${aboutToken(env)}`;
    case 'red':
      return nameJobs(bad, target);
    case 'gave-up':
      return text === '' ? `not ended: ${nameJobs(bad, target)}` : text;
  }
}

function reasonsOfCi({ state, head, text, jobs }: FactOf<'ci'>, because: string): readonly EndReason[] {
  if (state !== 'red' && state !== 'gave-up') return [];
  const commit = head.slice(0, 12);
  const [first] = jobs.filter(({ url }) => url !== '');
  const said =
    state === 'red'
      ? `CI is red on ${commit}: ${text}${because}`
      : `CI of ${commit} was not awaited to its end: ${text}`;
  const look = first === undefined ? '' : `Look at ${first.url}`;
  const again = state === 'red' ? '' : 'The same command looks again';
  const hint = [look, again].filter((part) => part !== '').join('. ');
  return [{ exit: exitCodes.notClean, code: 'ci', text: said, ...(hint === '' ? {} : { hint }) }];
}

/** As of now, for the request's text. */
async function endOf(place: Place, reasons: readonly EndReason[]): Promise<FactOf<'run-ended'>> {
  const { base } = place.run.state().started;
  return {
    type: 'run-ended',
    exit: pickExit(reasons.map(({ exit }) => exit)),
    reasons: [...reasons],
    finished: true,
    difference: await changeBetween(place, base, 'HEAD'),
  };
}

function formatEnd(place: Place): string {
  const { request, ci } = place.run.state();
  return `${request?.url ?? ''}${ci ? `, CI ${ci.state}` : ''}`;
}
