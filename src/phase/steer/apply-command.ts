// Applies a person's command to the active run: judges, journals and answers it. The phases read its effect from the state;
// only a stop acts here.

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

/** Answers one request from another terminal. When this returns, what was granted is on disk. */
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

/**
 * If the journal cannot be written, the person is told so. Thrown out of a socket or key handler the error would end pawl
 * in the middle of a session; the run will meet it where it can end in order.
 */
function emitFacts(place: Place, facts: readonly Fact[]): Refusal | undefined {
  try {
    for (const fact of facts) place.run.emit(fact);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return refusalOf(error);
    throw error;
  }
}

/** If the plan was edited into something that cannot run during a pause, the run stays paused instead of ending. */
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
