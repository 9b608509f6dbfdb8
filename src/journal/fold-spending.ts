// Folds sessions: what they cost, how long they and checks worked and for which task, what they are told, and what they
// leave for later ones.
import { defined } from '../defined.ts';
import type { Tokens } from '../event/activity.ts';
import type { Fact, Stamped } from '../event.ts';
import { type Changes, Entry, type Fold, foldBy } from './changes.ts';
import { findWorkState, type RunState, type SessionState, type SpendingState } from './state.ts';
import type { Lesson, Note, WorkTime } from './state-parts.ts';

const noWorkTime: WorkTime = { working: 0, checking: 0 };

export const noSpending: SpendingState = {
  sessions: new Map(),
  caps: { settings: [], asked: [] },
  budgetsReached: [],
  spentAt: new Map(),
  limits: new Map(),
  notes: [],
  lessons: [],
  turns: new Map(),
  workTimes: new Map(),
};

export const foldSpending: Fold<SpendingState> = (run, fact) => {
  const learnt = lessonsIn(run, fact).filter(
    ({ says }) => says !== '' && run.lessons.every((known) => known.says !== says),
  );
  return {
    ...foldRow(run, fact),
    ...(learnt.length > 0 && { lessons: [...run.lessons, ...learnt] }),
    ...foldTimes(run, fact),
  };
};

const foldRow = foldBy<SpendingState>({
  'budgets-set': (_, { settings, asked }) => ({ caps: { settings, asked } }),
  'budget-reached': ({ budgetsReached }, fact) => ({ budgetsReached: [...budgetsReached, fact] }),
  // Two agents may name their windows alike.
  'limit-seen': ({ sessions }, fact) => {
    const agent = sessions.get(fact.session)?.started.agent ?? '';
    return { limits: new Entry(`${agent} ${fact.window ?? ''}`, { ...fact, agent }) };
  },
  'session-started': (run, fact) => ({
    sessions: new Entry(fact.session, { started: fact }),
    ...deliver(run, fact),
  }),
  'notes-delivered': deliver,
  'session-ready': (run, fact) => change(run, fact, { ready: fact }),
  'session-cost': (run, fact) => ({ ...change(run, fact, costOf(fact)), ...spend(run, fact) }),
  'correction-sent': (run, fact) =>
    change(run, fact, { corrections: (run.sessions.get(fact.session)?.corrections ?? 0) + 1 }),
  'turn-ended': (run, fact) => change(run, fact, defined({ contextShare: fact.contextShare })),
  'session-ended': (run, fact) => ({
    ...change(run, fact, { ended: fact, ...costOf(fact) }),
    ...spend(run, fact),
  }),
  intervention: ({ notes }, { kind, note = 0, said: text = '', now = false, task }) =>
    kind === 'steer' ? { notes: [...notes, { note, text, now, ...defined({ task }) }] } : {},
  'carry-taken-up': ({ sessions }) => ({
    sessions: new Map([...sessions].map(([id, session]) => [id, asForeign(session)])),
  }),
});

function change(
  { sessions }: RunState,
  { session: number }: Readonly<{ session: number }>,
  more: Partial<SessionState>,
): Changes<SpendingState> {
  const session = sessions.get(number);
  return session ? { sessions: new Entry(number, { ...session, ...more }) } : {};
}

type Cost = Stamped<Fact> &
  Readonly<{ session: number; costUsd?: number | undefined; tokens?: Tokens | undefined }>;

function costOf({ costUsd, tokens }: Cost): Partial<SessionState> {
  return defined({ costUsd, tokens });
}

/** Midnight is at a multiple of this in every time zone, so any day can be summed. */
const quarterMs = 15 * 60_000;

/** What a session cost before is not spent again. */
function spend({ sessions, spentAt }: RunState, { session, costUsd = 0, at }: Cost): Changes<SpendingState> {
  const known = sessions.get(session);
  const moreUsd = costUsd - (known?.costUsd ?? 0);
  if (known === undefined || moreUsd <= 0) return {};
  const quarter = Math.floor(Date.parse(at) / quarterMs) * quarterMs;
  return { spentAt: new Entry(quarter, (spentAt.get(quarter) ?? 0) + moreUsd) };
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

function foldTimes(run: RunState, fact: Stamped<Fact>): Changes<SpendingState> {
  const { sleptMs = 0 } = fact;
  const turns =
    sleptMs === 0 ? run.turns : new Map([...run.turns].map(([id, fromMs]) => [id, fromMs + sleptMs]));
  const begins = turnBegun(fact, run);
  const atMs = Date.parse(fact.at);
  if (begins !== undefined) return { turns: new Map(turns).set(begins, atMs) };
  switch (fact.type) {
    case 'turn-ended':
    case 'session-ended':
      return endTurns(run, turns, [fact.session], atMs);
    case 'run-ended':
      return endTurns(run, turns, [...turns.keys()], atMs);
    case 'run-resumed':
      return endTurns(run, turns, [...turns.keys()], Date.parse(run.lastAt));
    case 'check-ended':
      return { turns, workTimes: addWork(run.workTimes, fact.task, { checking: fact.durationMs }) };
  }
  return sleptMs === 0 ? {} : { turns };
}

function turnBegun(fact: Fact, { sessions }: RunState): number | undefined {
  switch (fact.type) {
    case 'session-started':
    case 'correction-sent':
      return fact.session;
    case 'opinion':
      return fact.state === 'missing' && fact.again ? fact.session : undefined;
    case 'dialogue': {
      const isPlanners =
        fact.state === 'judged'
          ? fact.choice === 'commented'
          : fact.state === 'answered' || fact.state === 'corrected';
      return isPlanners ? [...sessions.values()].findLast(({ ended }) => !ended)?.started.session : undefined;
    }
  }
  return undefined;
}

function endTurns(
  run: RunState,
  turns: RunState['turns'],
  sessions: readonly number[],
  atMs: number,
): Changes<SpendingState> {
  const ended = sessions.filter((session) => turns.has(session));
  const workOf = (session: number) => ({ working: Math.max(0, atMs - (turns.get(session) ?? atMs)) });
  const [only, ...others] = ended;
  if (only === undefined) return { turns };
  return {
    turns: new Map([...turns].filter(([session]) => !ended.includes(session))),
    workTimes:
      others.length === 0
        ? addWork(run.workTimes, taskOf(run, only), workOf(only))
        : ended.reduce<RunState['workTimes']>((known, session) => {
            const { key, value } = addWork(known, taskOf(run, session), workOf(session));
            return new Map(known).set(key, value);
          }, run.workTimes),
  };
}

export function taskOf({ sessions }: Pick<RunState, 'sessions'>, session: number): string | undefined {
  return sessions.get(session)?.started.task;
}

export function addWork(
  known: RunState['workTimes'],
  task = '',
  { working = 0, checking = 0 }: Partial<WorkTime>,
): Entry<string, WorkTime> {
  const before = known.get(task) ?? noWorkTime;
  return new Entry(task, { working: before.working + working, checking: before.checking + checking });
}
