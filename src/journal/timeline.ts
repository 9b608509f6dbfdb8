// Where a run's time went: each interval between two facts is one activity, of a task or of none. The intervals
// add up to the time from the first fact to the last; if several tasks are worked on at once, each lane has intervals of
// its own, separate from the clock's.
import { defined } from '../defined.ts';
import type { Fact, Stamped } from '../event.ts';
import { spanMs } from './fold-run.ts';

/** What a run was doing. `stopped`: no pawl worked on it. `own`: none of the others, i.e. pawl itself. */
export const doings = ['working', 'checking', 'waiting', 'paused', 'stopped', 'own'] as const;

export type Doing = (typeof doings)[number];

export type TimelineSpan = Readonly<{ doing: Doing; ms: number; task?: string }>;

type Ongoing = Readonly<{
  task?: string | undefined;
  /** The last session that was begun and has not ended. */
  session?: number | undefined;
  /** Sessions in the middle of a turn. */
  turns: ReadonlySet<number>;
  /** The lanes in which a check is running, one entry for each. */
  checks: readonly (number | undefined)[];
  waiting: boolean;
  paused: boolean;
  stopped: boolean;
}>;

const nothing: Ongoing = { turns: new Set(), checks: [], waiting: false, paused: false, stopped: false };

/**
 * The stretches of a run, in order, then those of lanes. `until`, ISO 8601: what is going on lasts until then. Default: the
 * last fact.
 */
export function listSpans(facts: readonly Stamped<Fact>[], until?: string): readonly TimelineSpan[] {
  const all = withEnd(facts, until);
  const lanes = new Set(all.flatMap(({ lane }) => lane ?? []));
  if (lanes.size === 0) return spansOf(all);
  const inLanes = [...lanes].flatMap((lane) =>
    spansOf(
      all.filter((fact, at) => fact.lane === lane || ofAll.has(fact.type) || at === all.length - 1),
      { isLane: true },
    ).filter(({ task }) => task !== undefined),
  );
  return [...spansOf(all, { elsewhere: isAnyAtWork(all) }), ...inLanes];
}

/**
 * The same, but counting every instant once, whatever is going on in how many lanes: checking or working if any lane is.
 */
export function listSpansByClock(facts: readonly Stamped<Fact>[], until?: string): readonly TimelineSpan[] {
  return spansOf(withEnd(facts, until));
}

/** A last fact that changes nothing. */
function withEnd(facts: readonly Stamped<Fact>[], until: string | undefined): readonly Stamped<Fact>[] {
  const last = facts.at(-1);
  if (!last) return facts;
  return [...facts, { v: last.v, at: until ?? last.at, type: 'noticed', code: 'until', text: '' }];
}

const ofAll: ReadonlySet<Fact['type']> = new Set([
  'phase',
  'waiting',
  'waited',
  'paused',
  'intervention',
  'run-resumed',
  'run-ended',
]);

/** For each fact, whether any lane had a task in work before it. */
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
const endings: ReadonlySet<Fact['type']> = new Set(['task-closed', 'task-set-aside']);

/** What a fact says about the time before it: nobody was there, or the lane waited while others were landing. */
function cutOff({ type }: Fact, isLane = false): Doing | undefined {
  if (type === 'run-resumed') return 'stopped';
  return isLane && type === 'landing-waited' ? 'waiting' : undefined;
}

/**
 * `elsewhere`: before which facts lanes were at work, whose time is counted there. `isLane`: the facts are those of one
 * lane, which may wait to land; the run does not wait with it.
 */
function spansOf(
  facts: readonly Stamped<Fact>[],
  { elsewhere = [], isLane }: Readonly<{ elsewhere?: readonly boolean[]; isLane?: boolean }> = {},
): readonly TimelineSpan[] {
  let ongoing = nothing;
  return facts.flatMap((fact, index) => {
    const before = facts[index - 1];
    const { task } = ongoing;
    // Whatever was going on when the facts broke off: nobody was there until the next start.
    const doing = cutOff(fact, isLane) ?? doingOf(ongoing);
    if (elsewhere.length === 0 || fact.lane === undefined) ongoing = advance(ongoing, fact);
    if (elsewhere[index] && doing !== 'stopped') return [];
    const ms = before ? spanMs(before.at, fact.at) : 0;
    if (ms === 0) return [];
    return [{ doing, ms, ...(doing === 'stopped' ? {} : defined({ task })) }];
  });
}

function doingOf({ turns, checks, waiting, paused, stopped }: Ongoing): Doing {
  if (stopped) return 'stopped';
  if (checks.length > 0) return 'checking';
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
    case 'phase':
      return { ...ongoing, task: undefined };
    case 'task-started':
    case 'attempt-started':
      return { ...ongoing, task: fact.task, checks: checksBeside(ongoing, fact) };
    case 'task-closed':
    case 'task-set-aside':
      return { ...ongoing, task: undefined, checks: checksBeside(ongoing, fact) };
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
      // Checks before a task's work are journaled before its start.
      return { ...ongoing, task: fact.task ?? ongoing.task, checks: [...ongoing.checks, fact.lane] };
    case 'check-ended':
      return { ...ongoing, checks: withoutOne(ongoing.checks, fact.lane) };
  }
  return nextPause(ongoing, fact);
}

/** A task that begins or ends cuts short checks of its own lane, and no others. */
function checksBeside({ checks }: Ongoing, { lane }: Stamped<Fact>): Ongoing['checks'] {
  return checks.filter((other) => other !== lane);
}

function withoutOne(checks: Ongoing['checks'], lane: number | undefined): Ongoing['checks'] {
  const at = checks.indexOf(lane);
  return at < 0 ? checks : checks.toSpliced(at, 1);
}

/** Waits and pauses, and the facts after which it is a person's turn, or a session's again. */
function nextPause(ongoing: Ongoing, fact: Stamped<Fact>): Ongoing {
  switch (fact.type) {
    case 'waiting':
      return { ...ongoing, waiting: true };
    case 'waited':
      return { ...ongoing, waiting: false };
    // It is a person's turn, or pawl's own, which takes no time.
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
    case 'intervention':
      return fact.kind === 'continue' ? { ...ongoing, paused: false, waiting: false } : ongoing;
  }
  return ongoing;
}

/** A session that is still open is sent what was said, and continues. */
function goOn(ongoing: Ongoing, session = ongoing.session): Ongoing {
  return session === undefined ? ongoing : withTurn(ongoing, session);
}

function withTurn(ongoing: Ongoing, session: number): Ongoing {
  return { ...ongoing, turns: new Set([...ongoing.turns, session]) };
}

function withoutTurn(ongoing: Ongoing, session: number): Ongoing {
  return { ...ongoing, turns: new Set([...ongoing.turns].filter((other) => other !== session)) };
}
