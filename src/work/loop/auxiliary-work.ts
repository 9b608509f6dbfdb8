// Runs review fixes and finalizing through the task engine, and journals how each ended.
import { defined } from '../../defined.ts';
import type { FactOf } from '../../event.ts';
import type { Place } from '../../place/place.ts';
import { readPlanWithEdits } from '../edits/external-edits.ts';
import { emitEnded, fixTask } from '../kind/fix.ts';
import type { WorkPlace } from '../landing.ts';
import { restoreStart } from '../rescue/rescue-point.ts';
import type { Stop } from '../stopped.ts';
import { stateOf } from '../work.ts';
import { workTask } from './work-task.ts';

/** Undefined once it has ended. `doubtsAbout`: the commit `oid`. */
export async function runAuxiliaryWork(
  place: WorkPlace,
  id: string,
  doubtsAbout: (oid: string) => Promise<FactOf<'work-ended'>['doubts']> = async () => undefined,
): Promise<Stop | undefined> {
  const isEnded = () => stateOf(place, { id }).ended !== undefined;
  if (isEnded()) return undefined;
  if (stateOf(place, { id }).standing.is !== 'closed') {
    const plan = readPlanWithEdits(place);
    const end = await workTask(place, plan, fixTask(place, plan, stateOf(place, { id })));
    if (end.kind === 'stop') return end;
    if (end.kind !== 'closed')
      return giveUpWork(place, id, end.kind === 'parked' ? `it asks a person: ${end.reason}` : end.reason);
    // What needed no commit was recorded as it ended.
    if (isEnded()) return undefined;
  }
  const { standing } = stateOf(place, { id });
  if (standing.is !== 'closed') throw new Error(`${id} was closed without a commit`);
  const { reason, oid } = standing.fact;
  const doubts = await doubtsAbout(oid);
  emitEnded(place, id, { result: 'committed', reason, oid, ...defined({ doubts }) });
  return undefined;
}

export async function giveUpWork(place: Place, id: string, reason: string): Promise<undefined> {
  const { start } = stateOf(place, { id });
  const rescue = start && (await restoreStart(place, { start }, `${id} was not finished`));
  emitEnded(place, id, { result: 'failed', reason, ...defined({ rescue }) });
}
