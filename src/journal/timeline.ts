// Folds where a run's time went: between two facts there is one activity, of a task or none. Each lane has intervals of
// its own.
import { defined } from '../defined.ts';
import type { Fact, FactOf, Stamped } from '../event.ts';
import { type Fresh, put } from './fresh-map.ts';

/** `stopped`: no pawl worked on it. `own`: pawl itself. */
export const doings = ['working', 'checking', 'waiting', 'paused', 'stopped', 'own'] as const;

export type Doing = (typeof doings)[number];

/** Milliseconds. */
export type TimeByDoing = Readonly<Record<Doing, number>>;

type Ongoing = Readonly<{
  task?: string | undefined;
  /** Begun last, not ended. */
  session?: number | undefined;
  /** Sessions in mid-turn. */
  turns: ReadonlySet<number>;
  /** One entry per check: its lane. */
  checks: readonly (number | undefined)[];
  waiting: boolean;
  paused: boolean;
  stopped: boolean;
}>;

const nothing: Ongoing = { turns: new Set(), checks: [], waiting: false, paused: false, stopped: false };

/** `spent`: by task; '': by none. */
type Track = Readonly<{ ongoing: Ongoing; atMs: number; spent: ReadonlyMap<string, TimeByDoing> }>;

export type Times = Readonly<{
  /** Every instant once: checking or working if any lane is. */
  clock: Track;
  outside: Track;
  lanes: ReadonlyMap<number, Track>;
  /** With a task in work: their time is not counted outside. */
  open: ReadonlySet<number>;
}>;

/** `at`: ISO 8601. */
export function startTimes(at: string): Times {
  const track = { ongoing: nothing, atMs: Date.parse(at), spent: new Map() };
  return { clock: track, outside: track, lanes: new Map(), open: new Set() };
}

export function foldTimes({ clock, outside, lanes, open }: Times, fact: Stamped<Fact>, fresh: Fresh): Times {
  const { lane, sleptMs = 0 } = fact;
  const atMs = Date.parse(fact.at);
  const pass = (track: Track, isLane = false) => {
    const awake = passTime(track, {
      atMs: atMs - sleptMs,
      fresh,
      ...defined({ doing: cutOff(fact, isLane) }),
    });
    return passTime(awake, { atMs, fresh, doing: 'stopped' });
  };
  const isElsewhere = open.size > 0 && fact.type !== 'run-resumed';
  const passed = isElsewhere ? { ...outside, atMs } : pass(outside);
  const known =
    lane === undefined || lanes.has(lane) ? lanes : new Map(lanes).set(lane, beginLane(outside, atMs));
  const isOfAll = ofAll.has(fact.type) || sleptMs !== 0;
  const isTold = lane !== undefined || (isOfAll && known.size > 0);
  return {
    clock: advanceTrack(pass(clock), fact),
    outside: lane === undefined ? advanceTrack(passed, fact) : passed,
    lanes: isTold
      ? new Map(
          [...known].map(([number, track]) =>
            number === lane || isOfAll ? [number, advanceTrack(pass(track, true), fact)] : [number, track],
          ),
        )
      : known,
    open: openAfter(open, fact),
  };
}

function beginLane({ ongoing: { waiting, paused } }: Track, atMs: number): Track {
  return { ongoing: { ...nothing, waiting, paused }, atMs, spent: new Map() };
}

/** `doing`: what a fact says about the time before it. */
function passTime(
  { ongoing, atMs: fromMs, spent }: Track,
  { atMs, fresh, doing = doingOf(ongoing) }: Readonly<{ atMs: number; fresh: Fresh; doing?: Doing }>,
): Track {
  const ms = atMs - fromMs;
  if (ms <= 0) return { ongoing, atMs, spent };
  const task = doing === 'stopped' ? '' : (ongoing.task ?? '');
  const before = spent.get(task) ?? noTime;
  const now = { ...before, [doing]: before[doing] + ms };
  return { ongoing, atMs, spent: put(spent as Map<string, TimeByDoing>, fresh, [task, now]) };
}

function advanceTrack(track: Track, fact: Stamped<Fact>): Track {
  const ongoing = advance(track.ongoing, fact);
  return ongoing === track.ongoing ? track : { ...track, ongoing };
}

/** By the clock, and by task with all lanes added up. */
export function readTimes(
  { clock, outside, lanes, open }: Times,
  until: string,
): Readonly<{ clock: TimeByDoing; whole: TimeByDoing; byTask: ReadonlyMap<string, TimeByDoing> }> {
  const to = { atMs: Date.parse(until), fresh: new WeakSet<ReadonlyMap<unknown, unknown>>() };
  const byTask = new Map<string, TimeByDoing>();
  const add = ([task, ms]: readonly [string, TimeByDoing]) =>
    byTask.set(task, sumTimes([byTask.get(task) ?? noTime, ms]));
  for (const each of open.size > 0 ? outside.spent : passTime(outside, to).spent) add(each);
  // What a lane does for no task is counted outside.
  for (const lane of lanes.values())
    for (const each of passTime(lane, to).spent) if (each[0] !== '') add(each);
  const whole = sumTimes([...byTask.values()]);
  byTask.delete('');
  return { clock: sumTimes([...passTime(clock, to).spent.values()]), whole, byTask };
}

export function doingNow({ clock }: Times): Doing {
  return doingOf(clock.ongoing);
}

export function sumTimes(all: readonly TimeByDoing[]): TimeByDoing {
  const sum = (doing: Doing) => all.reduce((total, ms) => total + ms[doing], 0);
  return Object.fromEntries(doings.map((doing) => [doing, sum(doing)])) as Record<Doing, number>;
}

const noTime: TimeByDoing = { working: 0, checking: 0, waiting: 0, paused: 0, stopped: 0, own: 0 };

const ofAll: ReadonlySet<Fact['type']> = new Set([
  'phase',
  'waiting',
  'waited',
  'paused',
  'intervention',
  'run-resumed',
  'run-ended',
]);

function openAfter(open: ReadonlySet<number>, { type, lane }: Stamped<Fact>): ReadonlySet<number> {
  if (type === 'run-resumed' || type === 'run-ended') return open.size === 0 ? open : new Set();
  if (lane === undefined) return open;
  if (type === 'task-started' || type === 'attempt-started') return new Set(open).add(lane);
  const isOver = type === 'task-closed' || type === 'task-set-aside';
  return isOver ? new Set([...open].filter((other) => other !== lane)) : open;
}

/** Nobody was there, or the lane waited for others' landing. */
function cutOff(fact: Fact, isLane: boolean): Doing | undefined {
  if (fact.type === 'run-resumed') return 'stopped';
  return isLane && fact.type === 'landing' && fact.state === 'waited' ? 'waiting' : undefined;
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
      // Those before a task's work are journaled before its start.
      return { ...ongoing, task: fact.task ?? ongoing.task, checks: [...ongoing.checks, fact.lane] };
    case 'check-ended':
      return { ...ongoing, checks: withoutOne(ongoing.checks, fact.lane) };
  }
  return nextPause(ongoing, fact);
}

/** A task's begin or end cuts short its own lane's checks only. */
function checksBeside({ checks }: Ongoing, { lane }: Stamped<Fact>): Ongoing['checks'] {
  return checks.filter((other) => other !== lane);
}

function withoutOne(checks: Ongoing['checks'], lane: number | undefined): Ongoing['checks'] {
  const at = checks.indexOf(lane);
  return at < 0 ? checks : checks.toSpliced(at, 1);
}

/** Pauses, and facts after which it is a person's turn, or a session's. */
function nextPause(ongoing: Ongoing, fact: Stamped<Fact>): Ongoing {
  switch (fact.type) {
    case 'waiting':
      return { ...ongoing, waiting: true };
    case 'waited':
      return { ...ongoing, waiting: false };
    case 'dialogue':
      return nextTurn(ongoing, fact);
    case 'opinion':
      return fact.state === 'missing' && fact.again ? goOn(ongoing, fact.session) : ongoing;
    case 'paused':
      return { ...ongoing, paused: true };
    case 'intervention':
      return fact.kind === 'continue' ? { ...ongoing, paused: false, waiting: false } : ongoing;
  }
  return ongoing;
}

/** A person's, or the planner's again; pawl's own takes no time. */
function nextTurn(ongoing: Ongoing, fact: FactOf<'dialogue'>): Ongoing {
  if (fact.state === 'writing' || fact.state === 'written') return ongoing;
  const next = { ...ongoing, waiting: ['asked', 'drafted', 'tried'].includes(fact.state) };
  const isPlanners = fact.state === 'judged' ? fact.choice === 'commented' : !next.waiting;
  return isPlanners ? goOn(next) : next;
}

/** An open session is sent what was said. */
function goOn(ongoing: Ongoing, session = ongoing.session): Ongoing {
  return session === undefined ? ongoing : withTurn(ongoing, session);
}

function withTurn(ongoing: Ongoing, session: number): Ongoing {
  return { ...ongoing, turns: new Set([...ongoing.turns, session]) };
}

function withoutTurn(ongoing: Ongoing, session: number): Ongoing {
  return { ...ongoing, turns: new Set([...ongoing.turns].filter((other) => other !== session)) };
}
