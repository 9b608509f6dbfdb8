// Judges commands about one task or its sessions. Pure.
import type { ControlCommand, Refusal } from '../../control/request.ts';
import { defined } from '../../defined.ts';
import { commandAgain } from '../../event/again.ts';
import type { Fact, FactOf } from '../../event.ts';
import { openSessions, type RunState } from '../../journal/state.ts';
import { isInWork, isSetAside, type TaskState } from '../../journal/task-state.ts';

/** Characters; it goes into a prompt. */
const mostText = 20_000;

export function judgeNote(
  state: RunState,
  { text: said, task: id, now }: Extract<ControlCommand, { do: 'steer' }>,
  live: boolean,
): Granted | Refusal {
  const text = said.trim();
  const wrong = judgeText('note', text) ?? (id === undefined ? undefined : findOpen(state, id));
  if (wrong && 'error' in wrong) return wrong;
  const note = state.notes.length + 1;
  const open = openSessions(state);
  const tasks = [...new Set(open.flatMap(({ started }) => started.task ?? []))];
  if (live && now && id === undefined && tasks.length > 1)
    return refuse(
      `sessions of ${formatTasks(tasks)} are running`,
      `Say which one: \`pawl steer --now --task ${tasks[0]} "…"\`, or leave out --now for the next that starts.`,
    );
  const running = open.find(({ started }) => id === undefined || started.task === id);
  const isHeard = live && now && running;
  const next = `the next session${id === undefined ? '' : ` of task ${id}`} gets it`;
  const target = isHeard ? `the running session (${running.started.session}) gets it at once` : next;
  return grant(
    { kind: 'steer', text: `note ${note}: ${text}`, note, said: text, now, ...defined({ task: id }) },
    `Note ${note}: ${target}.`,
  );
}

export function judgeSkip(state: RunState, wanted: string | undefined): Granted | Refusal {
  const inWork = [...state.tasks.values()].filter(isInWork);
  const inLanes = inWork.filter(({ start }) => start?.lane !== undefined);
  if (wanted === undefined && inLanes.length > 1)
    return refuse(
      `${formatTasks(inLanes.map(({ id }) => id))} are in work`,
      `Name the one to skip: \`pawl skip ${inLanes[0]?.id}\`.`,
    );
  const id = wanted ?? findInWork(state)?.id;
  if (id === undefined) return refuse('no task is in work', 'Name the task to skip: `pawl skip 3`.');
  const task = findOpen(state, id);
  if ('error' in task) return task;
  if (task.standing.is === 'skipped')
    return refuse(`task ${id} is skipped already`, `\`pawl retry ${id}\` works on it again.`);
  if (state.closing?.task === id) return refuse(`task ${id} is just being committed`);
  return grant(
    { kind: 'skip', text: `task ${id} was skipped`, task: id },
    `Task ${id} is skipped in this run; \`pawl retry ${id}\` works on it again.`,
  );
}

export function judgeRetry(state: RunState, wanted: string | undefined, live: boolean): Granted | Refusal {
  const set = [...state.tasks.values()].filter(isSetAside);
  const listed = set.map(({ id, standing }) => `${id} (${standing.is})`).join(', ');
  const hint = set.length === 0 ? 'No task failed, was skipped, or waits.' : `These can be: ${listed}.`;
  if (wanted === undefined && set.length > 1) return refuse('say which task to try again', hint);
  const task = wanted === undefined ? set[0] : findOpen(state, wanted);
  if (!task)
    return refuse('no task failed, was skipped, or waits: each that is open is worked on in its turn');
  if ('error' in task) return task;
  if (!isSetAside(task))
    return refuse(`task ${task.id} neither failed nor was skipped: it is worked on in its turn`, hint);
  return grant(
    { kind: 'retry', text: `task ${task.id} gets new attempts`, task: task.id },
    `Task ${task.id} gets new attempts.${formatNextStart(state, live)}`,
  );
}

export function judgeAnswer(
  state: RunState,
  { task: id, answer: said }: Extract<ControlCommand, { do: 'answer' }>,
  live: boolean,
): Granted | Refusal {
  const answer = said.trim();
  const wrong = judgeText('answer', answer);
  if (wrong) return wrong;
  const parked = [...state.tasks.values()].flatMap((one) => (one.standing.is === 'parked' ? one.id : []));
  const hint = parked.length === 0 ? 'No task does.' : `These do: ${parked.join(', ')}`;
  if (!parked.includes(id)) return refuse(`task ${id} does not wait for an answer`, hint);
  return grant(
    { kind: 'answer', text: `task ${id} was answered`, task: id, said: answer },
    `Task ${id} gets the answer with its next attempt.${formatNextStart(state, live)}`,
  );
}

function formatTasks(ids: readonly string[]): string {
  return `tasks ${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`;
}

function findInWork({ tasks }: RunState): TaskState | undefined {
  const startOf = ({ start }: TaskState) => start?.at ?? '';
  return [...tasks.values()].filter(isInWork).sort((a, b) => startOf(b).localeCompare(startOf(a)))[0];
}

function findOpen({ tasks, plan }: RunState, id: string): TaskState | Refusal {
  const task = tasks.get(id);
  if (!task) {
    const ids = [...tasks.keys()].join(', ');
    return refuse(`there is no task ${id} in the plan`, ids === '' ? undefined : `It has ${ids}.`);
  }
  const wasTicked = task.start === undefined && plan?.tasks.some((each) => each.id === id && each.closed);
  if (task.standing.is === 'closed') return refuse(`task ${id} is closed`, `\`pawl undo ${id}\` undoes it.`);
  return task.standing.is === 'closed-by-hand' || wasTicked ? refuse(`task ${id} is ticked already`) : task;
}

function judgeText(what: string, text: string): Refusal | undefined {
  if (text === '') return refuse(`the ${what} is empty`);
  return text.length > mostText ? refuse(`the ${what} is longer than ${mostText} characters`) : undefined;
}

export type Granted = Readonly<{ ok: true; facts: readonly Fact[]; text: string }>;

export function grant(
  done: Omit<FactOf<'intervention'>, 'type'>,
  text: string,
  ...more: readonly Fact[]
): Granted {
  return { ok: true, facts: [{ type: 'intervention', ...done }, ...more], text };
}

export function refuse(error: string, hint?: string): Refusal {
  return { ok: false, error, ...defined({ hint }) };
}

function formatNextStart(state: RunState, live: boolean): string {
  return live ? '' : ` \`${commandAgain(state)}\` continues it.`;
}
