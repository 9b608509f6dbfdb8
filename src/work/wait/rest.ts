// A pause between two sessions, until a person continues. Changes meanwhile are the person's.
import { openSessions } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import type { LeftTree } from '../../place/run.ts';
import { readPlanFile } from '../../plan/file.ts';
import { acceptEdits, emitHandEdits, noteTreeOfPerson, readPlanWithEdits } from '../edits/external-edits.ts';
import type { WorkPlace } from '../landing.ts';
import { recordLeftTree } from '../rescue/rescue-point.ts';
import { settleHome } from '../settle-home.ts';

/** Milliseconds; only keeps the process alive. */
const restMs = 60_000;

/** True if it rested: plan and tree may have changed. */
export async function restWhilePaused(place: WorkPlace): Promise<boolean> {
  if (!place.run.state().pause || place.run.signal.aborted) return false;
  const left = await recordLeftTree(place);
  const text = readPlanFile(place.plan.file);
  if (!place.run.state().pause) return false;
  await restUntilContinued(place);
  if (!place.run.signal.aborted) await acceptChangesOfRest(place, { ...left, text });
  return true;
}

/** Like `restWhilePaused`, where nobody's edits matter. */
export async function restUntilContinued(place: Place): Promise<void> {
  if (!place.run.state().pause || place.run.signal.aborted) return;
  if (!place.lane) place.run.emit({ type: 'paused' });
  while (place.run.state().pause && !place.run.signal.aborted) {
    // The last lane to rest announces it.
    const isLast =
      openSessions(place.run.state()).length === 0 && place.run.state().pause?.since === undefined;
    if (place.lane && isLast) place.run.emit({ type: 'paused' });
    const ms = place.lane ? 1_000 : restMs;
    await place.run.sleep(ms, AbortSignal.any([place.run.signal, place.run.wake()]));
  }
}

async function acceptChangesOfRest(
  place: WorkPlace,
  left: LeftTree & Readonly<{ text: string }>,
): Promise<void> {
  if (!place.lane) await settleHome(place);
  const accepted = await acceptEdits(place, left, { isRest: true });
  emitHandEdits(place, accepted?.told ?? []);
  const told = place.run.state().interventions.length;
  const plan = readPlanWithEdits(place);
  // Flipped boxes are reported one by one.
  if (plan.text !== left.text && place.run.state().interventions.length === told)
    place.run.emit({ type: 'intervention', kind: 'hand-edit', text: 'the plan was edited while paused' });
  if (accepted) await noteTreeOfPerson(place, plan, accepted.edits);
}
