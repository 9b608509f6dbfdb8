// Runs review fixes and finalizing through the task engine.
import type { FactOf } from '../../event.ts';
import { readPlanWithEdits } from '../edits/read-plan.ts';
import { isOver, plannedTask } from '../kind/fix.ts';
import type { WorkPlace } from '../landing.ts';
import type { Stop } from '../stopped.ts';
import { stateOf } from '../work.ts';
import { workTask } from './work-task.ts';

/** Work that needed no commit was recorded as it ended. */
export type AuxiliaryOwner = Readonly<{
  emitClosed: (closed: FactOf<'task-closed'>) => void | Promise<void>;
  giveUp: (reason: string) => Promise<void>;
}>;

/** Undefined once it has ended, which is journaled. */
export async function runAuxiliaryWork(
  place: WorkPlace,
  id: string,
  owner: AuxiliaryOwner,
): Promise<Stop | undefined> {
  const isEnded = () => isOver(place, stateOf(place, { id }));
  const emitClosed = async (): Promise<undefined> => {
    const { closed } = stateOf(place, { id });
    if (isEnded()) return;
    if (!closed) throw new Error(`${id} was closed without a commit`);
    await owner.emitClosed(closed);
  };
  if (isEnded()) return undefined;
  if (stateOf(place, { id }).closed) return emitClosed();
  const planSnapshot = readPlanWithEdits(place);
  const end = await workTask(place, planSnapshot, plannedTask(place, planSnapshot, id));
  switch (end.kind) {
    case 'closed':
      return emitClosed();
    case 'stop':
      return end;
    case 'parked':
      await owner.giveUp(`it asks a person: ${end.reason}`);
      return undefined;
    case 'failed':
    case 'skipped':
    case 'dropped':
    case 'replan':
      await owner.giveUp(end.reason);
      return undefined;
  }
}
