// Folds sessions: what they cost, how long they and checks worked, what they are told, and what they leave for later
// ones.
import { defined } from '../defined.ts';
import type { Fact, FactOf, Stamped } from '../event.ts';
import { type Changes, changeEach, Entry, type Fold, foldBy } from './changes.ts';
import {
  findWorkState,
  type Lesson,
  type Note,
  openSessions,
  type RunState,
  type SessionState,
  type SpendingState,
} from './state.ts';

export const noSpending: SpendingState = {
  sessions: new Map(),
  caps: { settings: [], asked: [] },
  budgetsReached: [],
  limits: new Map(),
  notes: [],
  lessons: [],
  checkTimes: new Map(),
  sleptMs: 0,
};

export const foldSpending: Fold<RunState, SpendingState> = (run, fact) => {
  const learnt = lessonsIn(run, fact).filter(
    ({ says }) => says !== '' && run.lessons.every((known) => known.says !== says),
  );
  return {
    ...foldRow(run, fact),
    ...(learnt.length > 0 && { lessons: [...run.lessons, ...learnt] }),
    ...(fact.sleptMs !== undefined && { sleptMs: run.sleptMs + fact.sleptMs }),
  };
};

const foldRow = foldBy<RunState, SpendingState>({
  'budgets-set': (_, { settings, asked }) => ({ caps: { settings, asked } }),
  'budget-reached': ({ budgetsReached }, fact) => ({ budgetsReached: [...budgetsReached, fact] }),
  // Two agents may name their windows alike.
  'limit-seen': ({ sessions }, fact) => {
    const agent = sessions.get(fact.session)?.started.agent ?? '';
    return { limits: new Entry(`${agent} ${fact.window ?? ''}`, { ...fact, agent }) };
  },
  'session-started': (run, fact) => ({
    sessions: new Entry(fact.session, {
      started: fact,
      corrections: 0,
      workedMs: 0,
      turnAt: awakeMs(run, fact),
    }),
    ...deliver(run, fact),
  }),
  'notes-delivered': deliver,
  'session-ready': (run, fact) => change(run, fact, () => ({ ready: fact })),
  'session-cost': (run, fact) => change(run, fact, () => costOf(fact)),
  'correction-sent': (run, fact) =>
    change(run, fact, ({ corrections }) => ({ corrections: corrections + 1, turnAt: awakeMs(run, fact) })),
  'opinion-missing': (run, fact) => {
    const { session, again } = fact;
    return session !== undefined && again
      ? change(run, { session }, () => ({ turnAt: awakeMs(run, fact) }))
      : {};
  },
  dialogue: beginPlannersTurn,
  'turn-ended': (run, fact) => {
    const more = defined({ contextShare: fact.contextShare });
    return change(run, fact, (session) => ({ ...more, ...turnUntil(session, awakeMs(run, fact)) }));
  },
  'session-ended': (run, fact) =>
    change(run, fact, (session) => ({
      ended: fact,
      overAt: session.overAt ?? fact.at,
      ...costOf(fact),
      ...turnUntil(session, awakeMs(run, fact)),
    })),
  'run-ended': (run, fact) => endTurns(run, awakeMs(run, fact)),
  // If cut off by a crash, they lasted until the last sign of life.
  'run-resumed': (run) => endTurns(run, Date.parse(run.lastAt) - run.sleptMs, run.lastAt),
  'check-ended': ({ checkTimes }, { task = '', durationMs }) => ({
    checkTimes: new Entry(task, (checkTimes.get(task) ?? 0) + durationMs),
  }),
  intervention: ({ notes }, { kind, note = 0, said: text = '', now = false, task }) =>
    kind === 'steer' ? { notes: [...notes, { note, text, now, ...defined({ task }) }] } : {},
  'carry-taken-up': ({ sessions }) => ({ sessions: changeEach(sessions, asForeign) }),
});

function change(
  { sessions }: RunState,
  { session: number }: Readonly<{ session: number }>,
  by: (session: SessionState) => Partial<SessionState>,
): Changes<SpendingState> {
  const session = sessions.get(number);
  return session ? { sessions: new Entry(number, { ...session, ...by(session) }) } : {};
}

function costOf({ costUsd, tokens }: FactOf<'session-cost' | 'session-ended'>): Partial<SessionState> {
  return defined({ costUsd, tokens });
}

function deliver(
  { notes }: RunState,
  { session, notes: numbers = [] }: Readonly<{ session: number; notes?: readonly number[] | undefined }>,
): Changes<SpendingState> {
  if (numbers.length === 0) return {};
  const isDelivered = (note: Note) => numbers.includes(note.note) && note.session === undefined;
  return { notes: notes.map((note) => (isDelivered(note) ? { ...note, session } : note)) };
}

/** No process here belongs to it. */
function asForeign(session: SessionState): SessionState {
  return session.ended ? session : { ...session, started: { ...session.started, mark: '' } };
}

/** Unverified: a red check turned green, and what an agent leaves by the marker `LESSON`. */
function lessonsIn(run: RunState, fact: Stamped<Fact>): readonly Lesson[] {
  if (fact.type === 'turn-ended') {
    const task = taskOf(run, fact.session) ?? '';
    return (fact.lessons ?? []).map((said) => ({ task, says: toPlainLine(said), files: [] }));
  }
  if (fact.type !== 'task-closed') return [];
  const { reds = [] } = findWorkState(run, fact.task) ?? {};
  const files = fact.mended ?? [];
  const where = files.length === 0 ? '' : `; green after changes of ${files.join(', ')}`;
  return reds.map(({ command, says }) => ({
    task: fact.task,
    check: command,
    files,
    says: toPlainLine(`${command} was red${says === undefined ? '' : `: ${says}`}${where}`),
  }));
}

/** On one line, without control or invisible characters, and nothing that reads as a marker. */
function toPlainLine(text: string): string {
  const plain = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').replace(/<{2,}|>{2,}/g, ' ');
  return plain.replace(/\s+/g, ' ').trim().slice(0, 300);
}

export function taskOf({ sessions }: Pick<RunState, 'sessions'>, session: number): string | undefined {
  return sessions.get(session)?.started.task;
}

/** By a clock that stands while the machine sleeps. */
function awakeMs({ sleptMs }: RunState, { at, sleptMs: more = 0 }: Stamped<Fact>): number {
  return Date.parse(at) - sleptMs - more;
}

function beginPlannersTurn(run: RunState, fact: Stamped<FactOf<'dialogue'>>): Changes<SpendingState> {
  const isPlanners =
    fact.state === 'judged'
      ? fact.choice === 'commented'
      : fact.state === 'answered' || fact.state === 'corrected';
  const planner = openSessions(run).at(-1);
  return planner && isPlanners ? change(run, planner.started, () => ({ turnAt: awakeMs(run, fact) })) : {};
}

function endTurns({ sessions }: RunState, atMs: number, cutOffAt?: string): Changes<SpendingState> {
  const end = (session: SessionState) => ({
    ...session,
    ...turnUntil(session, atMs),
    ...defined({ overAt: session.overAt ?? cutOffAt }),
  });
  return { sessions: changeEach(sessions, end) };
}

function turnUntil({ turnAt, workedMs }: SessionState, atMs: number): Partial<SessionState> {
  return turnAt === undefined ? {} : { turnAt: undefined, workedMs: workedMs + Math.max(0, atMs - turnAt) };
}
