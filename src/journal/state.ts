// The state of a run, which facts alone determine.
import type { Tokens } from '../event/activity.ts';
import type { Caps } from '../event/caps.ts';
import type { OwnWorktree } from '../event/run.ts';
import type { Rest, WaitRows } from '../event/waits.ts';
import type { Emit, Event, FactOf, Stamped } from '../event.ts';
import type { ReviewState } from './fold-review.ts';
import type { Replan, TaskState } from './task-state.ts';

/** `ended` is absent while it runs and after a crash. */
export type SessionState = Readonly<{
  started: Stamped<FactOf<'session-started'>>;
  ready?: FactOf<'session-ready'>;
  costUsd?: number;
  tokens?: Tokens;
  /** At its last turn's end, from 0 to 1. */
  contextShare?: number;
  corrections: number;
  /** In turns that have ended, milliseconds. */
  workedMs: number;
  /** In mid-turn since then, epoch milliseconds without sleep. */
  turnAt?: number | undefined;
  ended?: Stamped<FactOf<'session-ended'>>;
  /** When it ended; cut off by pawl's death, with pawl's last sign of life. */
  overAt?: string;
}>;

/** `check` turned green with changes of `files`; absent: an agent says it. */
export type Lesson = Readonly<{ task: string; says: string; check?: string; files: readonly string[] }>;

/** A person's, to agents; `session`: absent until delivered. */
export type Note = Readonly<{ note: number; text: string; now: boolean; task?: string; session?: number }>;

/** What a carried run knows about its remote. */
export type Carry = Readonly<{
  remote: string;
  job?: string;
  /** What its ref there last held, as far as known, and the branch's head in it. */
  oid?: string;
  head?: string;
  /** While the failure persists. */
  failed?: FactOf<'carry-failed'>;
  fenced?: FactOf<'carry-fenced'>;
  /** Machines, in order. */
  takenFrom: readonly string[];
}>;

/** `at`: absent before it is told. */
export type DialogueFact = FactOf<'dialogue'> & Readonly<{ at?: string }>;

/** It goes on, perhaps after a crash, or has ended. */
export type RunCourse =
  | Readonly<{ ended?: undefined; stopAsked: boolean; phase?: FactOf<'phase'>['phase'] }>
  | Readonly<{ ended: RunEnd; stopAsked?: undefined; phase?: undefined }>;

/** `takenBack`: tasks undone since. */
export type RunEnd = Stamped<FactOf<'run-ended'>> & Readonly<{ takenBack?: readonly string[] }>;

/** Pawl processes in a row that were cut off, by the work whose session was open; by `''`: whatever went on. */
export type CutOffs = ReadonlyMap<string, number>;

/** The run from its start to its end. */
export type LifeState = Readonly<{
  started: Stamped<FactOf<'run-started'>>;
  worktree?: OwnWorktree;
  /** Where the run's branch was created: a branch, or a commit if detached; absent if it already existed. */
  branchFrom?: string;
  plan?: FactOf<'plan-read'>;
  /** Absent if already committed. */
  planCommitted?: FactOf<'plan-committed'>;
  /** By a person's plan: what each task may change. */
  leave: ReadonlyMap<string, Readonly<{ files: readonly string[]; text: string }>>;
  setAside: readonly FactOf<'plan-edit-set-aside'>[];
  /** Announced, or done. */
  archive?: FactOf<'plan-archived'>;
  course: RunCourse;
  phasesEnded: readonly string[];
  /** Its commit is not journaled yet. */
  closing?: Stamped<FactOf<'closing'>>;
  /** Not yet done. */
  undoing?: FactOf<'undo-started'>;
  squashed?: FactOf<'run-squashed'>;
  /** By branch: the run's, and those of its stack. */
  requests: ReadonlyMap<string, FactOf<'request'>>;
  /** Where HEAD last was: after a kill only this tells what a person changed there. */
  lastHead?: string;
  dialogue: readonly DialogueFact[];
  interventions: readonly Stamped<FactOf<'intervention'>>[];
  resumes: number;
  /** When pawl was last started for it. */
  lifeAt: string;
  cutOffs: CutOffs;
}>;

/** What keeps it from working, and since when. */
export type WaitsState = Readonly<{
  waiting?: Stamped<FactOf<'waiting'>>;
  /** Continues at the next start if the process ends now. */
  owedWait?: Stamped<FactOf<'waiting'>>;
  waitRows: WaitRows;
  /** The usage limit that an agent last hit; absent if it has answered since, or a person wants it tried. */
  metLimits: ReadonlyMap<string, Readonly<{ at: number; until?: number }>>;
  /** Agents that could not stand in for another. Tried again when a person restarts or continues the run. */
  unusable: ReadonlySet<string>;
  /** When a person last wanted limits to be tried again. */
  triedAgainAt?: string;
  /** `since`: when the last work ended. */
  pause?: Readonly<{ now: boolean; since?: string }>;
  /** Those that are over. */
  rests: readonly Rest[];
  /** Milliseconds that the machine slept, but not in a person's time. */
  asleepMs: number;
  /** Of these, while it waited: they are no part of the wait. */
  asleepInWaitsMs: number;
}>;

/** Tasks, and what follows them. */
export type WorksState = Readonly<{
  tasks: ReadonlyMap<string, TaskState>;
  /** Review fixes, the finalizing. */
  fixes: ReadonlyMap<string, TaskState>;
  replans: readonly Replan[];
  review: ReviewState;
  ci?: FactOf<'ci'>;
}>;

/** Sessions, what they cost and what they are told. */
export type SpendingState = Readonly<{
  sessions: ReadonlyMap<number, SessionState>;
  caps: Caps;
  budgetsReached: readonly FactOf<'budget-reached'>[];
  /** Last report on each window of each agent. */
  limits: ReadonlyMap<string, Stamped<FactOf<'limit-seen'>> & Readonly<{ agent: string }>>;
  notes: readonly Note[];
  /** Oldest first. */
  lessons: readonly Lesson[];
  /** Milliseconds by task; '' is none. */
  checkTimes: ReadonlyMap<string, number>;
  /** Milliseconds that the machine slept while pawl ran. */
  sleptMs: number;
}>;

export type Flakiness = Readonly<{
  /** By lane (0: the run's own): its tree, and ids of checks red on it. */
  trees: ReadonlyMap<number, Readonly<{ tree: string; red: ReadonlySet<string> }>>;
  /** Commands, in the order found. */
  flaky: readonly string[];
}>;

/** What checks said, and what a person has to know that belongs to no task. */
export type ChecksState = Readonly<{
  /** How many were started; numbers their log files. */
  checks: number;
  baseline: readonly FactOf<'check-ended'>[];
  atEnd: readonly FactOf<'check-ended'>[];
  freshVerified?: FactOf<'fresh-verified'>;
  /** Commands of checks that were red before the work, and that a person excuses. */
  knownRed: readonly string[];
  flakiness: Flakiness;
  /** Outside any task of the plan. */
  violations: readonly FactOf<'act-found'>[];
  refused: readonly FactOf<'file-refused'>[];
  /** Each as last reported. */
  refusedHosts: readonly FactOf<'egress-refused'>[];
  notices: readonly FactOf<'noticed'>[];
  /** Those that do not hold every file. */
  rescues: readonly FactOf<'rescue-saved'>[];
}>;

/** Lanes, and the machines that a run is carried between. */
export type PlaceState = Readonly<{
  lanes: ReadonlyMap<number, FactOf<'lane-opened'>>;
  /** The last rescue of what each lane held. */
  rescuesOf: ReadonlyMap<number, string>;
  /** New files that are not work, by lane; 0: in the run's own tree. */
  leftOut: ReadonlyMap<number, readonly string[]>;
  /** A person's files that did not follow the branch. */
  kept: readonly string[];
  carry?: Carry;
  /** Rescue commit of work taken out of the tree because another machine took the run up. */
  workAside?: string;
}>;

export type RunState = Exclusive<
  [
    ...[LifeState, WaitsState, WorksState, SpendingState, ChecksState, PlaceState],
    Readonly<{ lastAt: string }>,
  ]
>;

/** All of them; `never` if a field is in two: each is folded in one place only. */
type Exclusive<Parts> = Parts extends readonly [infer First, ...infer Rest]
  ? [keyof First & KeysOf<Rest[number]>] extends [never]
    ? First & Exclusive<Rest>
    : never
  : unknown;

type KeysOf<Part> = Part extends unknown ? keyof Part : never;

/** Where its plan was moved when all was done; undefined: nowhere yet. */
export function archivedTo({ archive }: Pick<RunState, 'archive'>): string | undefined {
  return archive?.state === 'done' ? archive.to : undefined;
}

/** The name of its plan, where that is now. */
export function planOf(state: Pick<RunState, 'archive' | 'started'>): string {
  return archivedTo(state) ?? state.started.plan;
}

/** A run whose undo was cut off is not: it continues with that. */
export function isFinished({ undoing, course }: Pick<RunState, 'undoing' | 'course'>): boolean {
  return undoing === undefined && course.ended?.finished === true;
}

/** They are working, or a crash cut them off. */
export function openSessions({ sessions }: Pick<RunState, 'sessions'>): readonly SessionState[] {
  return [...sessions.values()].filter(({ ended }) => !ended);
}

export function findWorkState({ tasks, fixes }: RunState, id: string | undefined): TaskState | undefined {
  return id === undefined ? undefined : (tasks.get(id) ?? fixes.get(id));
}

/** `before`: the run without the event. The first `state` of a resumed run holds its past. */
export type RunListener = (event: Stamped<Event>, state: RunState, before?: RunState) => void;

/** `about`: what the journal does not know, as plain data; undefined is as if it were not given. */
export function oncePerState<About extends readonly unknown[], T>(
  make: (state: RunState, ...about: About) => T,
): (state: RunState, ...about: About) => T {
  const made = new WeakMap<RunState, Map<string, T>>();
  return (state, ...about) => {
    const known = made.get(state) ?? new Map<string, T>();
    const key = JSON.stringify(about.filter((one) => one !== undefined));
    const value = known.get(key) ?? make(state, ...about);
    made.set(state, known.set(key, value));
    return value;
  };
}

/** Known by its text; by `code`, where the text can differ from time to time. */
export function noticeOnce(
  { emit, state }: Readonly<{ emit: Emit; state: () => RunState }>,
  notice: Readonly<{ code: string; text: string }>,
  by: 'code' | 'text' = 'text',
): void {
  if (!state().notices.some((known) => known[by] === notice[by])) emit({ type: 'noticed', ...notice });
}
