// Applies a person's command to the active run. Phases read its effect from the state; only a stop acts here.

import { type ControlCommand, type ControlReply, type Refusal, readRequest } from '../../control/request.ts';
import { defined } from '../../defined.ts';
import type { Fact } from '../../event.ts';
import { Failure } from '../../failure.ts';
import type { Place } from '../../place/place.ts';
import { readPlanSnapshot } from '../../work/plan/plan-snapshot.ts';
import { judgeCommand } from './steer.ts';

export type Reach = Readonly<{
  interrupt: () => void;
}>;

/** On return, what was granted is on disk. */
export function answerRequest(place: Place, line: string, reach: Reach): ControlReply {
  const command = readRequest(line, place.run.id);
  return 'ok' in command ? command : applyCommand(place, command, reach);
}

export function applyCommand(place: Place, command: ControlCommand, { interrupt }: Reach): ControlReply {
  if (command.do === 'continue' && place.run.state().pause) {
    const mistake = findMistake(place);
    if (mistake) return mistake;
  }
  const judged = judgeCommand(place.run.state(), command, true);
  if (!judged.ok) return judged;
  const unwritten = emitFacts(place, judged.facts);
  if (unwritten) return unwritten;
  if (command.do === 'stop') interrupt();
  return { ok: true, text: judged.text };
}

/** Thrown out of a socket or key handler, a failing journal would end pawl in mid-session; the run meets it later. */
function emitFacts(place: Place, facts: readonly Fact[]): Refusal | undefined {
  try {
    for (const fact of facts) place.run.emit(fact);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return refusalOf(error);
    throw error;
  }
}

/** The run stays paused if the plan was edited into one that cannot run. */
function findMistake(place: Place): Refusal | undefined {
  try {
    readPlanSnapshot(place);
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return refusalOf(error, 'still paused: ');
  }
}

function refusalOf({ message, hint }: Failure, before = ''): Refusal {
  return { ok: false, error: `${before}${message}`, ...defined({ hint }) };
}
