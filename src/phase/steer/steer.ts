// What a person's command comes to: the run as it stands and the command → the facts to journal and the word to give back,
// or why it does not apply. Pure; `take-command.ts` journals, and the phases read the state.
import type { ControlCommand, Refusal } from '../../control/request.ts';
import { commandAgain } from '../../event/again.ts';
import { askCaps, capsInForce } from '../../event/budget.ts';
import type { Fact, FactOf } from '../../event.ts';
import { spentBy } from '../../journal/ledger.ts';
import { hasOpenSession, isInWork, type RunState, type TaskState } from '../../journal/state.ts';

/** Facts to journal, in this order, and what follows from them in a sentence. */
export type Granted = Readonly<{ ok: true; facts: readonly Fact[]; text: string }>;

/** Longest note or answer, characters: it goes into a prompt. */
const mostText = 20_000;

/** Judges a command. `live`: a pawl works on the run; without one only what holds at the next start applies. */
export function judgeCommand(state: RunState, command: ControlCommand, live: boolean): Granted | Refusal {
  const { plan } = state.started;
  const { undoing } = state;
  if (undoing)
    return no(
      `taking task ${undoing.task} back was cut off in the middle`,
      `\`pawl undo ${undoing.task}\` finishes it.`,
    );
  if (state.ended?.finished)
    return no(`the run of ${plan} is finished`, `\`pawl report ${plan}\` shows what came of it.`);
  if (live && state.ended) return no(`the run of ${plan} is just ending`);
  switch (command.do) {
    case 'pause':
      return live ? judgePause(state, command.now) : notRunning(state);
    case 'continue':
      return live ? judgeContinue(state) : notRunning(state);
    case 'stop':
      return live ? judgeStop(state) : notRunning(state);
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
  const isOpen = hasOpenSession(state);
  if (pause && !(now && isOpen && !pause.now))
    return no(pause.since ? 'the run is paused already' : 'the run pauses already', goOn);
  const what = !isOpen
    ? 'nothing new starts'
    : now
      ? 'the running session is interrupted, its work stays, and its attempt does not count'
      : 'the running session may finish its turn, then nothing new starts';
  const said = now && isOpen ? 'paused at once' : 'paused';
  return grant(intervention('pause', said), { type: 'pause-asked', now }, `Pausing: ${what}. ${goOn}`);
}

const goOn = '`pawl continue` goes on.';

function judgeContinue({ pause, waiting }: RunState): Granted | Refusal {
  if (!pause && !waiting)
    return no('the run is neither paused nor waiting', '`pawl status` shows what it does.');
  const done = pause ? 'continued' : 'the wait was cut short';
  const text = pause ? 'The pause is over: the run goes on.' : 'The wait is over: it is tried again now.';
  return grant(intervention('continue', done), { type: 'continued' }, text);
}

function judgeStop(state: RunState): Granted | Refusal {
  if (state.stopAsked) return no('the run is stopping already');
  const text = `Stopping: the session is ended, its work stays. \`${commandAgain(state)}\` goes on.`;
  return grant(intervention('stop', 'stopped by `pawl stop`'), { type: 'stop-asked' }, text);
}

function judgeNote(
  state: RunState,
  { text: said, task: id, now }: Extract<ControlCommand, { do: 'steer' }>,
  live: boolean,
): Granted | Refusal {
  const text = said.trim();
  const wrong = judgeText('note', text) ?? (id === undefined ? undefined : findOpen(state, id));
  if (wrong && 'error' in wrong) return wrong;
  const note = state.notes.length + 1;
  const running = [...state.sessions.values()].find(({ ended }) => !ended);
  const isHeard = live && now && running && (id === undefined || running.started.task === id);
  const whose = id === undefined ? 'the next session' : `the next session of task ${id}`;
  const target = isHeard
    ? `the running session (${running.started.session}) is told at once`
    : `${whose} gets it`;
  return grant(
    intervention('steer', `note ${note}: ${text}`),
    { type: 'note-left', note, text, now, ...(id === undefined ? {} : { task: id }) },
    `Note ${note}: ${target}.`,
  );
}

function judgeSkip(state: RunState, wanted: string | undefined): Granted | Refusal {
  const id = wanted ?? findInWork(state)?.id;
  if (id === undefined) return no('no task is in work', 'Name the one to pass over: `pawl skip 3`.');
  const task = findOpen(state, id);
  if ('error' in task) return task;
  if (task.standing === 'skipped')
    return no(`task ${id} is skipped already`, `\`pawl retry ${id}\` takes it up again.`);
  if (state.closing?.task === id) return no(`task ${id} is just being committed`);
  return grant(
    intervention('skip', `task ${id} was skipped`),
    { type: 'skip-asked', task: id },
    `Task ${id} is passed over in this run; \`pawl retry ${id}\` takes it up again.`,
  );
}

function judgeRetry(state: RunState, wanted: string | undefined, live: boolean): Granted | Refusal {
  const set = [...state.tasks.values()].filter(isSetAside);
  const listed = set.map(({ id, standing }) => `${id} (${standing})`).join(', ');
  const hint = set.length === 0 ? 'No task failed, was skipped, or waits.' : `These can be: ${listed}.`;
  if (wanted === undefined && set.length !== 1) return no('say which task to try again', hint);
  const task = wanted === undefined ? set[0] : findOpen(state, wanted);
  if (task === undefined || 'error' in task) return task ?? no('no such task', hint);
  if (!isSetAside(task))
    return no(`task ${task.id} neither failed nor was skipped: it is worked on in its turn`, hint);
  return grant(
    intervention('retry', `task ${task.id} gets new attempts`),
    { type: 'retry-asked', task: task.id },
    `Task ${task.id} gets new attempts.${wordNextStart(state, live)}`,
  );
}

function judgeAnswer(
  state: RunState,
  { task: id, answer: said }: Extract<ControlCommand, { do: 'answer' }>,
  live: boolean,
): Granted | Refusal {
  const answer = said.trim();
  const wrong = judgeText('answer', answer);
  if (wrong) return wrong;
  const parked = [...state.tasks.values()].filter(({ standing }) => standing === 'parked');
  if (!parked.some((task) => task.id === id)) {
    const waiting = parked.map((task) => task.id).join(', ');
    return no(
      `task ${id} does not wait for an answer`,
      waiting === '' ? 'No task does.' : `These do: ${waiting}`,
    );
  }
  return grant(
    intervention('answer', `task ${id} was answered`),
    { type: 'task-answered', task: id, answer },
    `Task ${id} gets the answer with its next attempt.${wordNextStart(state, live)}`,
  );
}

function judgeBudget(state: RunState, maxCostUsd: number): Granted | Refusal {
  if (!Number.isFinite(maxCostUsd) || maxCostUsd <= 0)
    return no('a budget is a number of US dollars above 0');
  const caps = askCaps(state.caps, [{ budget: 'cost', cap: maxCostUsd, from: 'pawl set' }]);
  const inForce = capsInForce(caps).find(({ budget }) => budget === 'cost');
  if (inForce && inForce.cap < maxCostUsd)
    return no(
      `${inForce.from} caps the run at ${dollars(inForce.cap)}, and a command only tightens that`,
      'Raise it there; it holds from the next start.',
    );
  const { costUsd = 0, atLeast } = spentBy(state);
  const rest = costUsd >= maxCostUsd ? '; no further session starts' : '';
  const spent = `${atLeast ? 'at least ' : ''}${dollars(costUsd)}`;
  const cap = dollars(maxCostUsd);
  return grant(
    intervention('budget', `the budget was set to ${cap}`),
    { type: 'budgets-set', settings: [...caps.settings], asked: [...caps.asked] },
    `The run may spend ${cap} in all; ${spent} of it spent so far${rest}.`,
  );
}

function dollars(usd: number): string {
  return `$${usd.toFixed(2)}`;
}

/** The task begun last that nobody has set aside. */
function findInWork({ tasks }: RunState): TaskState | undefined {
  return [...tasks.values()]
    .filter(isInWork)
    .sort((a, b) => (a.start?.at ?? '').localeCompare(b.start?.at ?? ''))
    .at(-1);
}

function findOpen({ tasks, plan }: RunState, id: string): TaskState | Refusal {
  const task = tasks.get(id);
  if (!task) {
    const ids = [...tasks.keys()].join(', ');
    return no(`there is no task ${id} in the plan`, ids === '' ? undefined : `It has ${ids}.`);
  }
  const wasTicked = task.start === undefined && plan?.tasks.some((each) => each.id === id && each.closed);
  if (task.standing === 'closed') return no(`task ${id} is closed`, `\`pawl undo ${id}\` takes it back.`);
  return task.standing === 'closed-by-hand' || wasTicked ? no(`task ${id} is ticked already`) : task;
}

function isSetAside({ standing }: TaskState): boolean {
  return standing === 'failed' || standing === 'parked' || standing === 'skipped';
}

function judgeText(what: string, text: string): Refusal | undefined {
  if (text === '') return no(`the ${what} is empty`);
  return text.length > mostText ? no(`the ${what} is longer than ${mostText} characters`) : undefined;
}

function intervention(kind: FactOf<'intervention'>['kind'], text: string): FactOf<'intervention'> {
  return { type: 'intervention', kind, text };
}

/** The intervention stands first: what follows it is synced to the disk, and both with it. */
function grant(counted: FactOf<'intervention'>, fact: Fact, text: string): Granted {
  return { ok: true, facts: [counted, fact], text };
}

function no(error: string, hint?: string): Refusal {
  return { ok: false, error, ...(hint === undefined ? {} : { hint }) };
}

/** What is said to a run that stands still holds once it is started again. */
function wordNextStart(state: RunState, live: boolean): string {
  return live ? '' : ` \`${commandAgain(state)}\` goes on with it.`;
}

function notRunning(state: RunState): Refusal {
  return no(`no pawl works on ${state.started.plan} now`, `\`${commandAgain(state)}\` goes on with it.`);
}
