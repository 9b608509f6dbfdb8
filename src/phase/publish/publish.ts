// The last phase of a run with --pr, and all of `pawl pr answer`. It does what branch, remote and forge lack, until
// nothing is missing: each step may follow a kill.
import type { EndReason } from '../../event/run.ts';
import type { FactOf } from '../../event.ts';
import { exitCodes, Failure, needFailure, pickExit } from '../../failure.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { archivedTo, noticeOnce } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import type { PhaseEnd } from '../../place/run.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { notClean, reasonOfFailure, reasonOfInterruption, reasonOfStop } from '../../work/stopped.ts';
import { changeBetween } from '../finish.ts';
import { endStage } from '../review/rounds.ts';
import { awaitComments, commentStage, endComments, sendAnswers } from './answer-comments.ts';
import {
  type Layer,
  listFixes,
  moveFixes,
  type PublishPlace,
  type PushedLayer,
  pushLayers,
} from './layers.ts';
import { ciStage, settleCi } from './mend-ci.ts';
import { mendOpen } from './outside-round.ts';
import { listOpen, openRequests, updateRequests } from './requests.ts';

/** `reasons`: those against exit 0 so far. */
export async function publishRun(place: WorkPlace, reasons: readonly EndReason[]): Promise<PhaseEnd> {
  const { publish } = place.run.options;
  if (!publish) return { reasons, finished: true };
  place.run.emit({ type: 'phase', phase: 'publish', state: 'started' });
  try {
    const end = await publishUntilEnd({ ...atArchive(place), publish }, reasons);
    const { requests, ci, started } = place.run.state();
    const reason = `${requests.get(started.branch)?.url ?? ''}${ci ? `, CI ${ci.state}` : ''}`;
    if (end.finished) place.run.emit({ type: 'phase', phase: 'publish', state: 'ended', reason });
    return { ...end, reasons: [...reasons, ...end.reasons] };
  } catch (error) {
    if (place.run.signal.aborted)
      return { reasons: [...reasons, reasonOfInterruption(place)], finished: false };
    const reason = reasonOfFailure(needFailure(error));
    // What is missing now was there at the start, such as a login.
    const isLate = reason.exit === exitCodes.usage && place.run.state().sessions.size > 0;
    const late = isLate ? { exit: exitCodes.environment } : {};
    return { reasons: [...reasons, { ...reason, ...late }], finished: false };
  }
}

/** If the plan has moved, what is mended now is held to it there. */
export function atArchive<P extends Place>(place: P): P {
  const name = archivedTo(place.run.state());
  if (name === undefined) return place;
  const file = place.plan.tracked ? `${place.repo.root}/${name}` : name;
  return { ...place, plan: { ...place.plan, file, name } };
}

async function publishUntilEnd(place: PublishPlace, reasons: readonly EndReason[]): Promise<PhaseEnd> {
  const { run, publish } = place;
  const isAnswer = run.state().started.review?.answers === true;
  const watch = { until: run.now().getTime() + (publish.watchMs ?? 0), told: new Set<string>() };
  for (;;) {
    const stop = (await mendOpen(place, ciStage)) ?? (await mendOpen(place, commentStage));
    if (stop) return { reasons: [reasonOfStop(place, stop)], finished: false };
    const moved = await moveFixes(place);
    await refuseUncarried(place);
    const isPushed = !isAnswer || listFixes(run).some(({ result }) => result === 'committed');
    const open = await listOpen(place, { layers: moved, opens: !isAnswer });
    if (!isOpen(place, open)) return endGone(place);
    const layers = isPushed
      ? await pushLayers(place, open)
      : open.map((layer) => ({ ...layer, there: layer.head }));
    const left = reasonsOfLayers(place, layers);
    const soFar = await endOf(place, [...reasons, ...left]);
    const requests = await openRequests(place, { layers, end: soFar });
    const isAwaited = isPushed && run.config.ci.mode !== 'off';
    if (!isAnswer) await updateRequests(place, { requests, end: soFar, isLast: !isAwaited });
    const ci = isAwaited ? await settleCi(place, layers) : [];
    if (ci === 'fixing') continue;
    const more = [...left, ...ci];
    const end = await endOf(place, [...reasons, ...more]);
    if (!isAnswer && isAwaited) await updateRequests(place, { requests, end, isLast: true });
    if (isAnswer || publish.watchMs !== undefined) {
      await sendAnswers(place, requests);
      const waited = await awaitComments(place, { requests, ...watch });
      if (waited === 'planned') continue;
      more.push(...waited);
    }
    return endAll(place, more);
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

function reasonsOfLayers(place: Place, layers: readonly PushedLayer[]): readonly EndReason[] {
  const foreign = layers.filter((layer) => layer.foreign !== undefined);
  for (const { branch, there } of foreign)
    noticeOnce(place.run, {
      code: 'layer-left',
      text: `Somebody has pushed to ${branch}: ${there.slice(0, 12)} is left as it is`,
    });
  const lacking = foreign.filter((layer) => layer.foreign === 'lacks').map(({ branch }) => branch);
  if (lacking.length === 0) return [];
  const text = `the commits of ${lacking.join(', ')} are not there, because somebody else has pushed to it`;
  const hint =
    'Move what they pushed to the run’s branch, and delete that branch on the remote; then run the same command again.';
  return [notClean('layer', text, hint)];
}

/** That of the run's branch, or still to be. Throws if there never was one to answer for. */
function isOpen({ run, publish }: PublishPlace, open: readonly Layer[]): boolean {
  const { noun } = publish.forge;
  const { started, requests } = run.state();
  const { branch } = started;
  if (open.some((layer) => layer.branch === branch)) return true;
  if (requests.has(branch)) return false;
  throw new Failure('preflight', `the branch ${branch} has no open ${noun}`, {
    hint: '`pawl run --pr --push <plan>` opens one.',
  });
}

/** Once a person has merged or closed it: a push could create its branch again. */
async function endGone(place: PublishPlace): Promise<PhaseEnd> {
  const { forge, remote } = place.publish;
  const { noun } = forge;
  const { started, requests } = place.run.state();
  const { branch } = started;
  const text = `the ${noun} of ${branch} is merged or closed`;
  const { reasons } = endAll(place, []);
  const head = await readHeadCommit(place.repo);
  if (head === requests.get(branch)?.head) {
    noticeOnce(place.run, { code: 'request-gone', text });
    return { reasons, finished: true };
  }
  const hint = `\`git push ${remote} ${branch}\` pushes it, for another ${noun}`;
  const lacks = notClean('request', `${text}, without ${head.slice(0, 12)}`, hint);
  return { reasons: [...reasons, lacks], finished: true };
}

function endAll(place: Place, reasons: readonly EndReason[]): PhaseEnd {
  const { ci } = place.run.state();
  const isGreen = ci?.state === 'green' || ci?.state === 'flaky';
  if (ci) endStage(place, ciStage, { end: isGreen ? 'clean' : 'open', reason: ci.text });
  // Once a person has done what is missing, the same command goes on.
  const finished = ci?.state !== 'gave-up' && !reasons.some(({ code }) => code === 'layer');
  return { reasons: [...reasons, ...endComments(place)], finished };
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
