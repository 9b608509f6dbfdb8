// Applies a person's command to the active run: judges, journals and answers it. The phases read its effect from the state;
// only a stop acts here.

import { type ControlCommand, type ControlReply, type Refusal, readRequest } from '../../control/request.ts';
import { defined } from '../../defined.ts';
import type { Fact } from '../../event.ts';
import { Failure } from '../../failure.ts';
import type { Place } from '../../place/place.ts';
import { readPlanSnapshot } from '../../work/plan/plan-snapshot.ts';
import { judgeCommand } from './steer.ts';

/** What a command may do beside the journal. */
export type Reach = Readonly<{
  /** Ends the process as one Ctrl-C would. */
  interrupt: () => void;
}>;

/** Answers one request from another terminal. When this returns, what was granted is on the disk. */
export function answerRequest(place: Place, line: string, reach: Reach): ControlReply {
  const command = readRequest(line, place.run.id);
  return 'ok' in command ? command : applyCommand(place, command, reach);
}

/** Takes one command. */
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

/** Whoever asks is told that the journal cannot be written. Thrown out of a socket or key this would end pawl in the middle of a session; the run meets the same failure where it can end in order. */
function emitFacts(place: Place, facts: readonly Fact[]): Refusal | undefined {
  try {
    for (const fact of facts) place.run.emit(fact);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return refusalOf(error);
    throw error;
  }
}

/** A plan that was edited in a pause and cannot be run keeps the run paused, instead of ending it. */
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
