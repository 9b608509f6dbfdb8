// Finalizing: after a good review a session works by the user's own prompt, guarded like a task; if it fails, the files
// are restored.

import { defined } from '../../defined.ts';
import type { EndReason } from '../../event/run.ts';
import { exitCodes } from '../../failure.ts';
import type { RunState } from '../../journal/state.ts';
import type { PhaseEnd } from '../../place/run.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { runAuxiliaryWork } from '../../work/loop/auxiliary-work.ts';
import { restoreStart } from '../../work/rescue/rescue-point.ts';
import { reasonOfStop, type Stop } from '../../work/stopped.ts';
import { stateOf } from '../../work/work.ts';

const task = { id: 'finalize', title: 'Finalize the work' } as const;

/** `isClean`: the review left nothing for a person; else it is skipped. */
export async function finalizeWork(
  place: WorkPlace,
  { isClean }: Readonly<{ isClean: boolean }>,
): Promise<PhaseEnd> {
  const { finalizing, phasesEnded } = place.run.state();
  const isAsked = place.run.config.finalize.prompt !== undefined;
  if (phasesEnded.includes('finalize') || (!isAsked && !finalizing))
    return { reasons: reasonsOfFinalize(place.run.state()), finished: true };
  place.run.emit({ type: 'phase', phase: 'finalize', state: 'started' });
  if (!finalizing && !isClean) {
    const text = 'The work was not finalized, because the review left something to a person';
    place.run.emit({ type: 'noticed', code: 'not-finalized', text });
  } else {
    if (!finalizing) place.run.emit({ type: 'work', state: 'planned', task: task.id, title: task.title });
    const stop =
      isAsked || finalizing?.ended ? await work(place) : await giveUp(place, 'it is no longer asked for');
    if (stop) return { reasons: [reasonOfStop(place, stop)], finished: false };
  }
  place.run.emit({ type: 'phase', phase: 'finalize', state: 'ended', reason: formatEnd(place.run.state()) });
  return { reasons: reasonsOfFinalize(place.run.state()), finished: true };
}

/** The work itself stays done. */
export function reasonsOfFinalize({ finalizing }: Pick<RunState, 'finalizing'>): readonly EndReason[] {
  const { ended } = finalizing ?? {};
  if (ended?.result !== 'failed') return [];
  const text = `the work was not finalized: ${ended.reason}`;
  return [{ exit: exitCodes.notClean, code: 'finalize', text }];
}

/** Undefined once its end is journaled. */
function work(place: WorkPlace): Promise<Stop | undefined> {
  return runAuxiliaryWork(place, task.id, {
    emitClosed: ({ reason, oid }) =>
      place.run.emit({ type: 'work', state: 'ended', task: task.id, result: 'committed', reason, oid }),
    giveUp: (reason) => giveUp(place, reason),
  });
}

async function giveUp(place: WorkPlace, reason: string): Promise<undefined> {
  const { start } = stateOf(place, task);
  const rescue = start && (await restoreStart(place, { start }, 'the work was not finalized'));
  place.run.emit({
    type: 'work',
    state: 'ended',
    task: task.id,
    result: 'failed',
    reason,
    ...defined({ rescue }),
  });
}

function formatEnd({ finalizing }: RunState): string {
  const { ended } = finalizing ?? {};
  return ended ? `${ended.result}: ${ended.reason}` : 'the review left something to a person';
}
