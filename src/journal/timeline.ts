// Where a run's time went: each interval between two facts is one activity, for a task, phase and session. The intervals add
// up to the time from the first fact to the last; where several tasks are worked on at once, each lane has intervals of its own.
import { defined } from '../defined.ts';
import type { Fact, Stamped } from '../event.ts';
import { spanMs } from './fold-run.ts';

/** What a run was doing. `stopped`: no pawl worked on it. `own`: none of the others, which is pawl itself. */
export const doings = ['working', 'checking', 'waiting', 'paused', 'stopped', 'own'] as const;

export type Doing = (typeof doings)[number];

/** One stretch of a run's time. */
export type Span = Readonly<{ doing: Doing; ms: number; phase?: string; task?: string; session?: number }>;

/** What goes on at one instant. */
type Ongoing = Readonly<{
  phase?: string | undefined;
  task?: string | undefined;
  /** The last session that was begun and has not ended. */
  session?: number | undefined;
  /** Sessions in the middle of a turn. */
  turns: ReadonlySet<number>;
  checks: number;
  waiting: boolean;
  paused: boolean;
  stopped: boolean;
}>;

const nothing: Ongoing = { turns: new Set(), checks: 0, waiting: false, paused: false, stopped: false };

/** The stretches of a run, in order; those of lanes follow. */
export function listSpans(facts: readonly Stamped<Fact>[]): readonly Span[] {
  const lanes = new Set(facts.flatMap(({ lane }) => lane ?? []));
  if (lanes.size === 0) return spansOf(facts);
  const inLanes = [...lanes].flatMap((lane) =>
    spansOf(facts.filter((fact) => fact.lane === lane || ofAll.has(fact.type))).filter(
      ({ task }) => task !== undefined,
    ),
  );
  return [...spansOf(facts, isAnyAtWork(facts)), ...inLanes];
}

/** What holds for every lane. */
const ofAll: ReadonlySet<Fact['type']> = new Set([
  'phase-started',
  'phase-ended',
  'waiting',
  'waited',
  'paused',
  'continued',
  'run-resumed',
  'run-ended',
]);

/** Of each fact, whether some lane had a task in work before it. */
function isAnyAtWork(facts: readonly Stamped<Fact>[]): readonly boolean[] {
  const open = new Set<number>();
  return facts.map((fact) => {
    const was = open.size > 0;
    if (fact.type === 'run-resumed' || fact.type === 'run-ended') open.clear();
    else if (fact.lane === undefined) return was;
    else if (beginnings.has(fact.type)) open.add(fact.lane);
    else if (endings.has(fact.type)) open.delete(fact.lane);
    return was;
  });
}

const beginnings: ReadonlySet<Fact['type']> = new Set(['task-started', 'attempt-started']);
const endings: ReadonlySet<Fact['type']> = new Set([
  'task-closed',
  'task-failed',
  'task-parked',
  'task-skipped',
]);

/** Facts that say what went on before them: nobody was there, or others were landing. */
const cutOffBy: Partial<Record<Fact['type'], Doing>> = {
  'run-resumed': 'stopped',
  'landing-waited': 'waiting',
};

/** `elsewhere`: before which facts lanes were at work, whose time is counted there. */
function spansOf(facts: readonly Stamped<Fact>[], elsewhere: readonly boolean[] = []): readonly Span[] {
  let ongoing = nothing;
  return facts.flatMap((fact, index) => {
    const before = facts[index - 1];
    const { phase, task, session } = ongoing;
    // Whatever went on when the facts broke off: nobody was there until the next start.
    const doing = cutOffBy[fact.type] ?? doingOf(ongoing);
    if (elsewhere.length === 0 || fact.lane === undefined) ongoing = advance(ongoing, fact);
    if (elsewhere[index] && doing !== 'stopped') return [];
    const ms = before ? spanMs(before.at, fact.at) : 0;
    if (ms === 0) return [];
    const isOf = doing === 'stopped' ? {} : known({ phase, task, session });
    return [{ doing, ms, ...isOf }];
  });
}

/** The phase each session was begun in. */
export function phasesOfSessions(facts: readonly Stamped<Fact>[]): ReadonlyMap<number, string> {
  const phases = new Map<number, string>();
  let phase = '';
  for (const fact of facts) {
    if (fact.type === 'phase-started') phase = fact.phase;
    if (fact.type === 'session-started') phases.set(fact.session, phase);
  }
  return phases;
}

function doingOf({ turns, checks, waiting, paused, stopped }: Ongoing): Doing {
  if (stopped) return 'stopped';
  if (checks > 0) return 'checking';
  if (turns.size > 0) return 'working';
  if (paused) return 'paused';
  return waiting ? 'waiting' : 'own';
}

function advance(ongoing: Ongoing, fact: Stamped<Fact>): Ongoing {
  switch (fact.type) {
    case 'run-resumed':
      return nothing;
    case 'run-ended':
      return { ...nothing, stopped: true };
    case 'phase-started':
      return { ...ongoing, phase: fact.phase, task: undefined };
    case 'phase-ended':
      return { ...ongoing, phase: undefined, task: undefined };
    case 'task-started':
    case 'attempt-started':
      return { ...ongoing, task: fact.task, checks: 0 };
    case 'task-closed':
    case 'task-failed':
    case 'task-parked':
    case 'task-skipped':
      return { ...ongoing, task: undefined, checks: 0 };
    case 'session-started':
      return {
        ...withTurn(ongoing, fact.session),
        session: fact.session,
        task: fact.task ?? ongoing.task,
      };
    case 'correction-sent':
      return withTurn(ongoing, fact.session);
    case 'turn-ended':
      return withoutTurn(ongoing, fact.session);
    case 'session-ended': {
      const session = ongoing.session === fact.session ? undefined : ongoing.session;
      return { ...withoutTurn(ongoing, fact.session), session };
    }
    case 'check-started':
      return { ...ongoing, checks: ongoing.checks + 1 };
    case 'check-ended':
      return { ...ongoing, checks: Math.max(0, ongoing.checks - 1) };
  }
  return nextPause(ongoing, fact);
}

/** Waits and pauses, and the words after which it is a person's turn, or a session's again. */
function nextPause(ongoing: Ongoing, fact: Stamped<Fact>): Ongoing {
  switch (fact.type) {
    case 'waiting':
      return { ...ongoing, waiting: true };
    case 'waited':
      return { ...ongoing, waiting: false };
    // A person has the word, or pawl itself for no time at all.
    case 'question-asked':
    case 'draft-given':
    case 'draft-checks-tried':
      return { ...ongoing, waiting: true };
    case 'question-answered':
    case 'planner-corrected':
      return goOn({ ...ongoing, waiting: false });
    case 'draft-judged': {
      const next = { ...ongoing, waiting: false };
      return fact.choice === 'commented' ? goOn(next) : next;
    }
    case 'opinion-missing':
      return fact.again ? goOn(ongoing, fact.session) : ongoing;
    case 'paused':
      return { ...ongoing, paused: true };
    case 'continued':
      return { ...ongoing, paused: false, waiting: false };
  }
  return ongoing;
}

/** A session that is still open is sent what was said, and works on. */
function goOn(ongoing: Ongoing, session = ongoing.session): Ongoing {
  return session === undefined ? ongoing : withTurn(ongoing, session);
}

function withTurn(ongoing: Ongoing, session: number): Ongoing {
  return { ...ongoing, turns: new Set([...ongoing.turns, session]) };
}

function withoutTurn(ongoing: Ongoing, session: number): Ongoing {
  return { ...ongoing, turns: new Set([...ongoing.turns].filter((other) => other !== session)) };
}

function known(of: Pick<Ongoing, 'phase' | 'task' | 'session'>): Pick<Span, 'phase' | 'task' | 'session'> {
  return {
    ...defined({ phase: of.phase, task: of.task, session: of.session }),
  };
}
