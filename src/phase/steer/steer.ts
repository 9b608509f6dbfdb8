// Judges a person's command by the state, and journals what it comes to. Phases read its effect; only a stop acts here.
import { type ControlCommand, type ControlReply, type Refusal, readRequest } from '../../control/request.ts';
import { defined } from '../../defined.ts';
import { formatUsd } from '../../dollars.ts';
import { commandAgain } from '../../event/again.ts';
import { askCaps, capsInForce } from '../../event/caps.ts';
import { Failure } from '../../failure.ts';
import { readLedger } from '../../journal/ledger.ts';
import { openSessions, type RunState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import { shellWord } from '../../shell-word.ts';
import { readPlanAt } from '../../work/plan/plan-snapshot.ts';
import { type Granted, grant, judgeAnswer, judgeNote, judgeRetry, judgeSkip, refuse } from './steer-task.ts';

/** `live`: a pawl works on the run; else only commands that can wait for its next start apply. */
export function judgeCommand(state: RunState, command: ControlCommand, live: boolean): Granted | Refusal {
  const judged = judgeWish(state, command, live);
  const { by } = command;
  if (!judged.ok || by === undefined) return judged;
  const facts = judged.facts.map((fact) => (fact.type === 'intervention' ? { ...fact, by } : fact));
  return { ...judged, facts };
}

function judgeWish(state: RunState, command: ControlCommand, live: boolean): Granted | Refusal {
  const { started, undoing, carry } = state;
  // A run without a plan has a placeholder file that nobody knows.
  const isAside = started.planning ?? started.review;
  const what = isAside ? `the run ${started.run}` : `the run of ${started.plan}`;
  const which = isAside ? started.run : shellWord(started.plan);
  if (undoing)
    return refuse(
      `taking task ${undoing.task} back was interrupted`,
      `\`pawl undo ${undoing.task}\` finishes it.`,
    );
  if (carry?.fenced)
    return refuse(
      `${carry.fenced.by.host} has taken ${what} up`,
      `\`${commandAgain(state)}\` takes it back.`,
    );
  if (state.course.ended?.finished)
    return refuse(`${what} is finished`, `\`pawl report ${which}\` shows the result.`);
  if (live && state.course.ended) return refuse(`${what} is just ending`);
  if (!live && ['pause', 'continue', 'stop'].includes(command.do))
    return refuse(`no pawl works on ${started.plan} now`, `\`${commandAgain(state)}\` continues it.`);
  switch (command.do) {
    case 'pause':
      return judgePause(state, command.now);
    case 'continue':
      return judgeContinue(state);
    case 'stop':
      return judgeStop(state, command.by);
    case 'steer':
      return judgeNote(state, command, live);
    case 'skip':
      return judgeSkip(state, command.task);
    case 'retry':
      return judgeRetry(state, command.task, live);
    case 'answer':
      return judgeAnswer(state, command, live);
    case 'set-budget':
      return judgeBudget(state, command.maxCostUsd);
  }
}

function judgePause(state: RunState, now: boolean): Granted | Refusal {
  const { pause } = state;
  const isOpen = openSessions(state).length > 0;
  if (pause && !(now && isOpen && !pause.now))
    return refuse(pause.since ? 'the run is paused already' : 'the run pauses already', goOn);
  const running = now
    ? 'what runs is interrupted, its work stays, and no attempt counts'
    : 'what runs may finish its turn, then nothing new starts';
  const what = isOpen ? running : 'nothing new starts';
  const said = now && isOpen ? 'paused at once' : 'paused';
  return grant({ kind: 'pause', text: said, now }, `Pausing: ${what}. ${goOn}`);
}

const goOn = '`pawl continue` ends the pause.';

function judgeContinue({ pause, waiting }: RunState): Granted | Refusal {
  if (!pause && !waiting)
    return refuse('the run is neither paused nor waiting', '`pawl status` shows what it does.');
  const done = pause ? 'continued' : 'the wait was cut short';
  const text = pause ? 'The pause is over: the run continues.' : 'The wait is over: trying again now.';
  return grant({ kind: 'continue', text: done }, text);
}

function judgeStop(state: RunState, by: ControlCommand['by']): Granted | Refusal {
  if (state.course.stopAsked) return refuse('the run is stopping already');
  const text = `Stopping: ending sessions and checks; their work is kept. \`${commandAgain(state)}\` resumes the run.`;
  const said = by === undefined ? 'stopped by `pawl stop` or the key q' : 'stopped';
  return grant({ kind: 'stop', text: said }, text);
}

function judgeBudget(state: RunState, maxCostUsd: number): Granted | Refusal {
  if (!Number.isFinite(maxCostUsd) || maxCostUsd <= 0)
    return refuse('a budget is a number of US dollars above 0');
  const caps = askCaps(state.caps, [{ budget: 'cost', cap: maxCostUsd, from: 'pawl set' }]);
  const inForce = capsInForce(caps).find(({ budget }) => budget === 'cost');
  if (inForce && inForce.cap < maxCostUsd)
    return refuse(
      `${inForce.from} caps the run at ${formatUsd(inForce.cap)}, and a command can only lower that`,
      'Raise it there; it applies from the next start.',
    );
  const { costUsd = 0, atLeast } = readLedger(state).spent;
  const rest = costUsd >= maxCostUsd ? '; no further session starts' : '';
  const spent = `${atLeast ? 'at least ' : ''}${formatUsd(costUsd)}`;
  const cap = formatUsd(maxCostUsd);
  return grant(
    { kind: 'budget', text: `the budget was set to ${cap}` },
    `The run may spend ${cap} in all; ${spent} of it spent so far${rest}.`,
    { type: 'budgets-set', settings: [...caps.settings], asked: [...caps.asked] },
  );
}

type Reach = Readonly<{ interrupt: () => void }>;

/** On return, what was granted is on disk. */
export function answerRequest(place: Place, line: string, reach: Reach): ControlReply {
  const command = readRequest(line, place.run.id);
  return 'ok' in command ? command : applyCommand(place, command, reach);
}

/** Thrown out of a socket or key handler, a failing journal would end pawl in mid-session; the run meets it later. */
export function applyCommand(place: Place, command: ControlCommand, { interrupt }: Reach): ControlReply {
  const { state, emit } = place.run;
  const isPaused = state().pause !== undefined;
  try {
    // The plan may have been edited into one that cannot run.
    if (command.do === 'continue' && isPaused) readPlanAt(place);
    const judged = judgeCommand(state(), command, true);
    if (!judged.ok) return judged;
    for (const fact of judged.facts) emit(fact);
    if (command.do === 'stop') interrupt();
    return { ok: true, text: judged.text };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { message, hint } = error;
    return { ok: false, error: `${isPaused ? 'still paused: ' : ''}${message}`, ...defined({ hint }) };
  }
}
