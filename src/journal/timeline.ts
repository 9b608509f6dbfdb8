// Folds how long sessions and checks worked, and for which task; the rest of a run's time follows from its waits,
// pauses and stops.
import type { Fact, FactOf, Stamped } from '../event.ts';
import { type Fresh, put } from './fresh-map.ts';

/** Milliseconds; what goes on at once adds up. */
export type WorkTime = Readonly<{ working: number; checking: number }>;

/** `stopped`: no pawl worked on it. `own`: pawl itself. */
export type TimeByDoing = WorkTime & Readonly<Record<'waiting' | 'paused' | 'stopped' | 'own', number>>;

/** `turns`: sessions in mid-turn, and since when; sleep moves that. `byTask`: '' is no task. */
export type Times = Readonly<{
  turns: ReadonlyMap<number, number>;
  byTask: ReadonlyMap<string, WorkTime>;
}>;

export const noTimes: Times = { turns: new Map(), byTask: new Map() };

export const noWorkTime: WorkTime = { working: 0, checking: 0 };

type Sessions = ReadonlyMap<
  number,
  Readonly<{ started: FactOf<'session-started'>; ended?: FactOf<'session-ended'> }>
>;

type Before = Readonly<{ lastAt: string; sessions: Sessions }>;

/** `before`: the run without the fact. */
export function foldTimes(times: Times, fact: Stamped<Fact>, before: Before, fresh: Fresh): Times {
  const { sleptMs = 0 } = fact;
  const turns =
    sleptMs === 0
      ? times.turns
      : new Map([...times.turns].map(([session, fromMs]) => [session, fromMs + sleptMs]));
  const known = { ...times, turns };
  const begins = turnBegun(fact, before);
  const atMs = Date.parse(fact.at);
  if (begins !== undefined) return { ...known, turns: new Map(turns).set(begins, atMs) };
  switch (fact.type) {
    case 'turn-ended':
    case 'session-ended':
      return endTurns(known, [fact.session], { atMs, before, fresh });
    case 'run-ended':
      return endTurns(known, [...turns.keys()], { atMs, before, fresh });
    case 'run-resumed':
      return endTurns(known, [...turns.keys()], { atMs: Date.parse(before.lastAt), before, fresh });
    case 'check-ended':
      return { ...known, byTask: addWork(known.byTask, fact.task, { checking: fact.durationMs, fresh }) };
  }
  return known;
}

function turnBegun(fact: Fact, { sessions }: Before): number | undefined {
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
  { turns, byTask }: Times,
  sessions: readonly number[],
  { atMs, before, fresh }: Readonly<{ atMs: number; before: Before; fresh: Fresh }>,
): Times {
  const ended = sessions.filter((session) => turns.has(session));
  const left = new Map([...turns].filter(([session]) => !ended.includes(session)));
  const sum = ended.reduce((known, session) => {
    const working = Math.max(0, atMs - (turns.get(session) ?? atMs));
    return addWork(known, taskOf(before.sessions, session), { working, fresh });
  }, byTask);
  return { turns: left, byTask: sum };
}

export function taskOf(sessions: Sessions, session: number): string | undefined {
  return sessions.get(session)?.started.task;
}

export function addWork(
  byTask: Times['byTask'],
  task = '',
  { working = 0, checking = 0, fresh }: Readonly<{ working?: number; checking?: number; fresh: Fresh }>,
): Times['byTask'] {
  const known = byTask.get(task) ?? noWorkTime;
  const more = { working: known.working + working, checking: known.checking + checking };
  return put(byTask as Map<string, WorkTime>, fresh, [task, more]);
}
