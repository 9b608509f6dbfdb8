// The state of a run, which facts alone determine.
import type { Tokens } from '../event/activity.ts';
import type { Caps } from '../event/caps.ts';
import type { Flakiness } from '../event/flaky.ts';
import type { OwnWorktree } from '../event/run.ts';
import type { Event, FactOf, Stamped } from '../event.ts';
import type { Carry } from './carry-state.ts';
import type { CutOffs } from './fold-cut-off.ts';
import type { DialogueFact } from './fold-dialogue.ts';
import type { ReviewState } from './fold-review.ts';
import type { Start, TaskWork } from './task-work.ts';
import type { Times } from './timeline.ts';

export type TaskState = Readonly<{
  id: string;
  title: string;
  /** `skipped`: by a person, in this run. */
  standing: 'open' | 'closed' | 'closed-by-hand' | 'failed' | 'parked' | 'skipped';
  start?: Start;
  /** Attempts that count, since the task's start or the last grant of new ones. */
  attempts: number;
  attemptsEver: number;
  /** How many did not count: a pause, a limit or a question intervened. */
  uncounted: number;
  corrections: number;
  /** Rounds that count as attempts since the last grant, in order. */
  counted: readonly FactOf<'round-ended'>[];
  /** Trees that no session made: the start, and what checks alone changed. */
  untouched: readonly string[];
  tree?: string;
  lastRound?: Stamped<FactOf<'round-ended'>>;
  closed?: Stamped<FactOf<'task-closed'>>;
  judged?: FactOf<'proof-judged'> | undefined;
  failed?: Stamped<FactOf<'task-set-aside'>>;
  /** Until a person acts on it. */
  stuck?: FactOf<'stuck'> | undefined;
  skipped?: FactOf<'task-set-aside'>;
  question?: string;
  /** Tasks that landed since it began, in a lane: their own checks apply to its work too. */
  landed?: readonly string[];
  /** Files left with conflicts, and the merges that did so. */
  conflicts?: readonly string[];
  merges?: readonly FactOf<'lane-catching-up'>[];
  /** Still to be completed. */
  catchingUp?: FactOf<'lane-catching-up'> | undefined;
  work: TaskWork;
  answers: readonly Readonly<{ question: string; answer: string }>[];
  /** Set for a review fix, which is no task of the plan. */
  fix?: NonNullable<FactOf<'work-planned'>['fix']>;
  /** Set for the finalizing. */
  finalizes?: true;
  violations: readonly FactOf<'act-found'>[];
  refused: readonly FactOf<'file-refused'>[];
  tamper: readonly FactOf<'tamper-noted'>[];
  checks: readonly FactOf<'check-ended'>[];
  /** Checks as they were red before a correction or another attempt, the latest of each. */
  reds: readonly FactOf<'check-ended'>[];
  checkMs: number;
}>;

/** `check` turned green with changes of `files`; absent: an agent says it. */
export type Lesson = Readonly<{ task: string; says: string; check?: string; files: readonly string[] }>;

/** `ended` is absent while it runs and after a crash. */
export type SessionState = Readonly<{
  started: Stamped<FactOf<'session-started'>>;
  ready?: FactOf<'session-ready'>;
  costUsd?: number;
  tokens?: Tokens;
  /** At its last turn's end, from 0 to 1. */
  contextShare?: number;
  corrections?: number;
  ended?: Stamped<FactOf<'session-ended'>>;
}>;

export type SeenLimit = Stamped<FactOf<'limit-seen'>> & Readonly<{ agent: string }>;

/** A person's, to agents; `session`: absent until delivered. */
export type Note = Readonly<{ note: number; text: string; now: boolean; task?: string; session?: number }>;

export type RunState = Readonly<{
  started: Stamped<FactOf<'run-started'>>;
  worktree?: OwnWorktree;
  plan?: FactOf<'plan-read'>;
  /** Where the run's branch was created: a branch, or a commit if detached; absent if it already existed. */
  branchFrom?: string;
  /** Absent if already committed. */
  planCommitted?: FactOf<'plan-committed'>;
  tasks: ReadonlyMap<string, TaskState>;
  /** By a person's plan: what each task may change. */
  leave: ReadonlyMap<string, Readonly<{ files: readonly string[]; text: string }>>;
  /** Review fixes, the finalizing. */
  fixes: ReadonlyMap<string, TaskState>;
  sessions: ReadonlyMap<number, SessionState>;
  /** Its commit is not journaled yet. */
  closing?: Stamped<FactOf<'closing'>>;
  /** How many were started; numbers their log files. */
  checks: number;
  baseline: readonly FactOf<'check-ended'>[];
  atEnd: readonly FactOf<'check-ended'>[];
  freshVerified?: FactOf<'fresh-verified'>;
  /** New files that are not work. `leftOutOf`: in lanes, by number. */
  leftOut: readonly string[];
  leftOutOf: ReadonlyMap<number, readonly string[]>;
  /** Outside any task of the plan. */
  violations: readonly FactOf<'act-found'>[];
  refused: readonly FactOf<'file-refused'>[];
  /** Each as last reported. */
  refusedHosts: readonly FactOf<'egress-refused'>[];
  notices: readonly FactOf<'noticed'>[];
  /** Those that do not hold every file. */
  rescues: readonly FactOf<'rescue-saved'>[];
  setAside: readonly FactOf<'plan-edit-set-aside'>[];
  /** Trusted files have changed: sessions ignore the repository's agent configuration. */
  isNarrowed: boolean;
  waiting?: Stamped<FactOf<'waiting'>>;
  /** Continues at the next start if the process ends now. */
  owedWait?: Stamped<FactOf<'waiting'>>;
  /** Waits for a usage limit in a row; `since`: when the first began. */
  limitRow?: Readonly<{ count: number; since: string }>;
  waitedMs: number;
  /** Milliseconds between the run's ends and its resumptions. */
  stoppedMs: number;
  /** Waits in a row for a crashing agent, without another round or a person's start. */
  crashes: number;
  /** The same for a service that did not answer. */
  outageRow?: Readonly<{ count: number; since: string }>;
  interventions: readonly Stamped<FactOf<'intervention'>>[];
  replans: readonly Replan[];
  dialogue: readonly DialogueFact[];
  review: ReviewState;
  finalizing?: Finalizing;
  squashed?: FactOf<'run-squashed'>;
  /** By branch: the run's, and those of its stack. */
  requests: ReadonlyMap<string, FactOf<'request'>>;
  ci?: FactOf<'ci'>;
  flakiness: Flakiness;
  /** Lanes in which a task was worked on. */
  lanesUsed: ReadonlySet<number>;
  /** A person's files that did not follow the branch. */
  kept: readonly string[];
  lastHead?: string;
  lanes: ReadonlyMap<number, FactOf<'lane-opened'>>;
  /** The last rescue of what each lane held. */
  rescuesOf: ReadonlyMap<number, string>;
  caps: Caps;
  budgetsReached: readonly FactOf<'budget-reached'>[];
  /** US dollars by the quarter of an hour in which they were spent: its start, epoch milliseconds. */
  spentAt: ReadonlyMap<number, number>;
  /** Last report on each window of each agent. */
  limits: ReadonlyMap<string, SeenLimit>;
  /** Oldest first. */
  lessons: readonly Lesson[];
  /** The usage limit that an agent last hit; absent if it has answered since, or a person wants it tried. */
  metLimits: ReadonlyMap<string, Readonly<{ at: number; until?: number }>>;
  /** Agents that could not stand in for another. Tried again when a person restarts or continues the run. */
  unusable: ReadonlySet<string>;
  /** When a person last wanted limits to be tried again. */
  triedAgainAt?: string;
  /** `since`: when the last work ended. */
  pause?: Readonly<{ now: boolean; since?: string }>;
  pausedMs: number;
  stopAsked: boolean;
  notes: readonly Note[];
  /** Not yet done. */
  undoing?: FactOf<'undo-started'>;
  archiving?: FactOf<'plan-archived'>;
  archived?: FactOf<'plan-archived'>;
  phase?: string;
  phasesEnded: readonly string[];
  /** Commands of checks that were red before the work, and that a person excuses. */
  knownRed: readonly string[];
  /** Rescue commit of work taken out of the tree because another machine took the run up. */
  workAside?: string;
  carry?: Carry;
  resumes: number;
  /** When pawl was last started for it. */
  lifeAt: string;
  times: Times;
  cutOffs: CutOffs;
  /** Absent while the run goes on, and after a crash. `takenBack`: tasks undone since. */
  ended?: Stamped<FactOf<'run-ended'>> & Readonly<{ takenBack?: readonly string[] }>;
  lastAt: string;
}>;

/** A run whose undo was cut off is not: it continues with that. */
export function isFinished({ undoing, ended }: Pick<RunState, 'undoing' | 'ended'>): boolean {
  return undoing === undefined && ended?.finished === true;
}

export const narrowedCode = 'trust-narrowed';

/** It is working, or a crash cut it off. */
export function hasOpenSession({ sessions }: Pick<RunState, 'sessions'>): boolean {
  return [...sessions.values()].some(({ ended }) => !ended);
}

export function findWorkState({ tasks, fixes }: RunState, id: string | undefined): TaskState | undefined {
  return id === undefined ? undefined : (tasks.get(id) ?? fixes.get(id));
}

/** Taken out of the tree: its next attempt begins from what others left. */
export function isAway({ work }: Pick<TaskState, 'work'>): boolean {
  return work.is === 'saved' || work.is === 'discarded';
}

/** The tree holds what it has done. */
export function isInWork(task: TaskState): boolean {
  return task.standing === 'open' && task.start !== undefined && !isAway(task);
}

/** Only a person, or another start, takes it up again. */
export function isSetAside({ standing }: Pick<TaskState, 'standing'>): boolean {
  return standing === 'failed' || standing === 'parked' || standing === 'skipped';
}

/** Without `ended` still to be completed. */
export type Replan = Readonly<{
  started: Stamped<FactOf<'replan-started'>>;
  taking?: FactOf<'replan-taking'>;
  ended?: FactOf<'replan-ended'>;
}>;

/** Absent until it begins, and once it is to begin anew. */
export type Finalizing = Readonly<{
  started: FactOf<'work-planned'>;
  ended?: FactOf<'work-ended'>;
}>;

/** `before`: the run without the event. The first `state` of a resumed run holds its past. */
export type RunListener = (event: Stamped<Event>, state: RunState, before?: RunState) => void;
