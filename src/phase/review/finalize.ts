// Finalizing: after a good review a session works by the user's prompt, guarded like a task; failure restores the
// files.

import type { EndReason } from '../../event/run.ts';
import { exitCodes } from '../../failure.ts';
import type { RunState } from '../../journal/state.ts';
import type { PhaseEnd } from '../../place/run.ts';
import type { WorkPlace } from '../../work/landing.ts';
import { giveUpWork, runAuxiliaryWork } from '../../work/loop/auxiliary-work.ts';
import { reasonOfStop } from '../../work/stopped.ts';

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
      isAsked || finalizing?.ended
        ? await runAuxiliaryWork(place, task.id)
        : await giveUpWork(place, task.id, 'it is no longer asked for');
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

function formatEnd({ finalizing }: RunState): string {
  const { ended } = finalizing ?? {};
  return ended ? `${ended.result}: ${ended.reason}` : 'the review left something to a person';
}
