// The state of a run, which facts alone determine. fold.ts computes it.
import type { Tokens } from '../event/activity.ts';
import type { Caps } from '../event/caps.ts';
import type { Flakiness } from '../event/flaky.ts';
import type { OwnWorktree } from '../event/run.ts';
import type { Event, FactOf, Stamped } from '../event.ts';
import type { Carry } from './carry-state.ts';
import type { CutOffs } from './fold-cut-off.ts';
import type { DialogueFact } from './fold-dialogue.ts';
import type { Landings } from './fold-landings.ts';
import type { ReviewState } from './fold-review.ts';
import type { Start, TaskWork } from './task-work.ts';
import type { Times } from './timeline.ts';

export type TaskState = Readonly<{
  id: string;
  title: string;
  /** `skipped`: a person wants it skipped in this run. */
  standing: 'open' | 'closed' | 'closed-by-hand' | 'failed' | 'parked' | 'skipped';
  start?: Start;
  /** Attempts that count, since the task's start or the last grant of new ones. */
  attempts: number;
  attemptsEver: number;
  /** Of those, how many did not count: a pause, a limit or a question intervened. */
  uncounted: number;
  corrections: number;
  /** The rounds that count as attempts since the last grant, in order. */
  counted: readonly FactOf<'round-ended'>[];
  /** Trees that no session made: the start, and what checks alone changed. */
  untouched: readonly string[];
  tree?: string;
  lastRound?: Stamped<FactOf<'round-ended'>>;
  closed?: Stamped<FactOf<'task-closed'>>;
  judged?: FactOf<'proof-judged'>;
  failed?: Stamped<FactOf<'task-set-aside'>>;
  /** The last report that its attempts lead to nothing new, until a person acts on it. */
  stuck?: FactOf<'stuck'> | undefined;
  skipped?: FactOf<'task-set-aside'>;
  question?: string;
  /** Tasks that have landed since it began, in a lane: their own checks apply to its work too. */
  landed?: readonly string[];
  /** Files in which merging with them left conflicts, and those merges, in order. */
  conflicts?: readonly string[];
  merges?: readonly FactOf<'lane-catching-up'>[];
  /** A catch-up that was announced and is still to be completed. */
  catchingUp?: FactOf<'lane-catching-up'> | undefined;
  work: TaskWork;
  answers: readonly Readonly<{ question: string; answer: string }>[];
  /** Set for a review fix, which is not a task of the plan. */
  fix?: NonNullable<FactOf<'work-planned'>['fix']>;
  /** Set for the finalizing, which is not a task of the plan either. */
  finalizes?: true;
  violations: readonly FactOf<'act-found'>[];
  refused: readonly FactOf<'file-refused'>[];
  tamper: readonly FactOf<'tamper-noted'>[];
  checks: readonly FactOf<'check-ended'>[];
  /** Checks as they were red before a correction or another attempt, the latest of each. */
  reds: readonly FactOf<'check-ended'>[];
  checkMs: number;
}>;

/** What one session learnt, unverified. `check` turned from red to green with changes of `files`; absent: the agent says it. */
export type Lesson = Readonly<{ task: string; says: string; check?: string; files: readonly string[] }>;

/** One session as far as it got; `ended` is absent while it runs and after a crash. */
export type SessionState = Readonly<{
  started: Stamped<FactOf<'session-started'>>;
  ready?: FactOf<'session-ready'>;
  costUsd?: number;
  tokens?: Tokens;
  /** How full its context was when its last turn ended, from 0 to 1. */
  contextShare?: number;
  corrections?: number;
  ended?: Stamped<FactOf<'session-ended'>>;
}>;

export type SeenLimit = Stamped<FactOf<'limit-seen'>> & Readonly<{ agent: string }>;

/** A person's note to the agents; `session` is the one it was delivered to, absent until then. */
export type Note = Readonly<{ note: number; text: string; now: boolean; task?: string; session?: number }>;

export type RunState = Readonly<{
  started: Stamped<FactOf<'run-started'>>;
  /** The worktree made for it, where it is now. */
  worktree?: OwnWorktree;
  plan?: FactOf<'plan-read'>;
  /** What the run created its branch from: the branch that was checked out, or a commit if detached; absent if the branch already existed. */
  branchFrom?: string;
  /** The plan's own commit at the start; absent if it was already committed. */
  planCommitted?: FactOf<'plan-committed'>;
  tasks: ReadonlyMap<string, TaskState>;
  /** What a person's plan lets each task change, by id: its `files:` and its words. */
  leave: ReadonlyMap<string, Readonly<{ files: readonly string[]; text: string }>>;
  /** Work besides the plan's tasks, in the same shape: review fixes, the finalizing. */
  fixes: ReadonlyMap<string, TaskState>;
  sessions: ReadonlyMap<number, SessionState>;
  /** A closing whose commit is not journaled yet. */
  closing?: Stamped<FactOf<'closing'>>;
  /** Started so far; numbers their log files. */
  checks: number;
  baseline: readonly FactOf<'check-ended'>[];
  atEnd: readonly FactOf<'check-ended'>[];
  /** The last result of the checks in a fresh checkout at the end. */
  freshVerified?: FactOf<'fresh-verified'>;
  /** New files that are not work: what checks made, and plans for other work. `leftOutOf`: in lanes, by number. */
  leftOut: readonly string[];
  leftOutOf: ReadonlyMap<number, readonly string[]>;
  /** Violations and refused files outside any task of the plan. */
  violations: readonly FactOf<'act-found'>[];
  refused: readonly FactOf<'file-refused'>[];
  /** Hosts that were not let through, each as last reported. */
  refusedHosts: readonly FactOf<'egress-refused'>[];
  notices: readonly FactOf<'noticed'>[];
  /** Rescues that do not hold every file. */
  rescues: readonly FactOf<'rescue-saved'>[];
  setAside: readonly FactOf<'plan-edit-set-aside'>[];
  /** Trusted files have changed: sessions ignore the repository's agent configuration. */
  isNarrowed: boolean;
  waiting?: Stamped<FactOf<'waiting'>>;
  /** The wait that continues at the next start if the process ends now, or that an earlier one did not finish. */
  owedWait?: Stamped<FactOf<'waiting'>>;
  /** Waits for a usage limit in a row, and when the first began. */
  limitRow?: Readonly<{ count: number; since: string }>;
  waitedMs: number;
  /** Milliseconds between the ends and the resumptions of the run. */
  stoppedMs: number;
  /** Waits for a crashing agent in a row, without another round or a new start by a person in between. */
  crashes: number;
  /** The same for a service that did not answer, and when the first began. */
  outageRow?: Readonly<{ count: number; since: string }>;
  interventions: readonly Stamped<FactOf<'intervention'>>[];
  replans: readonly Replan[];
  dialogue: readonly DialogueFact[];
  review: ReviewState;
  finalizing?: Finalizing;
  squashed?: FactOf<'run-squashed'>;
  request?: FactOf<'request'>;
  /** The requests below it, if the run is published as a stack. */
  layers?: readonly FactOf<'request'>[];
  ci?: FactOf<'ci'>;
  /** Checks that were red and then green on one tree. */
  flakiness: Flakiness;
  /** What came of working on several tasks at once. */
  landings: Landings;
  /** Where HEAD was according to the last fact about it; absent until then. */
  lastHead?: string;
  /** The same, ignoring a HEAD that was only left to a person at a stop. */
  ownHead?: string;
  /** Lanes that were made and exist, by number. */
  lanes: ReadonlyMap<number, FactOf<'lane-opened'>>;
  /** The last rescue of what each of them held. */
  rescuesOf: ReadonlyMap<number, string>;
  caps: Caps;
  budgetsReached: readonly FactOf<'budget-reached'>[];
  /** US dollars by the quarter of an hour in which they were spent; its start, in epoch milliseconds. */
  spentAt: ReadonlyMap<number, number>;
  /** The last report on each window of each agent's subscription. */
  limits: ReadonlyMap<string, SeenLimit>;
  /** What its sessions learnt, oldest first. */
  lessons: readonly Lesson[];
  /** The usage limit that an agent last hit, by its name; absent if it has answered since, or a person wants it tried. */
  metLimits: ReadonlyMap<string, Readonly<{ at: number; until?: number }>>;
  /** Agents that could not stand in for another: refused, or ended before their first word. They are tried again when a person restarts or continues the run. */
  unusable: ReadonlySet<string>;
  /** When a person last wanted limits to be tried again. */
  triedAgainAt?: string;
  /** A requested pause; `since`: when the last work ended. */
  pause?: Readonly<{ now: boolean; since?: string }>;
  pausedMs: number;
  stopAsked: boolean;
  notes: readonly Note[];
  /** An undo that was announced, and not yet reported as done. */
  undoing?: FactOf<'undo-started'>;
  /** A discard that was announced; it remains to be completed until the run has ended with it. */
  discard?: FactOf<'discard-started'>;
  /** A move of the plan that was announced. */
  archiving?: FactOf<'plan-archived'>;
  archived?: FactOf<'plan-archived'>;
  phase?: string;
  phasesEnded: readonly string[];
  /** Commands of checks that were red before the work, and that a person excuses. */
  knownRed: readonly string[];
  /** Rescue commit of work that was taken out of the tree because another machine took the run up. */
  workAside?: string;
  carry?: Carry;
  resumes: number;
  /** When pawl was last started for it. */
  lifeAt: string;
  times: Times;
  cutOffs: CutOffs;
  /** The last end; absent while the run is going on, and after a crash. */
  ended?: Stamped<FactOf<'run-ended'>>;
  lastAt: string;
}>;

/** Whether nothing of a run is left to do; a run whose undo was cut off continues with that. */
export function isFinished({ undoing, ended }: Pick<RunState, 'undoing' | 'ended'>): boolean {
  return undoing === undefined && ended?.finished === true;
}

/** Code of the notice that files which were trusted have changed. */
export const narrowedCode = 'trust-narrowed';

/** Code of the reason with which a discarded run has ended. */
export const discardedCode = 'discarded';

export function isDiscarded({
  ended,
}: Readonly<{ ended?: Pick<FactOf<'run-ended'>, 'reasons'> | undefined }>): boolean {
  return ended?.reasons.some(({ code }) => code === discardedCode) === true;
}

/** Whether a session has begun and not ended: it is working, or a crash cut it off. */
export function hasOpenSession({ sessions }: Pick<RunState, 'sessions'>): boolean {
  return [...sessions.values()].some(({ ended }) => !ended);
}

/** A piece of work by its id: a task of the plan, or other work. */
export function findWorkState({ tasks, fixes }: RunState, id: string | undefined): TaskState | undefined {
  return id === undefined ? undefined : (tasks.get(id) ?? fixes.get(id));
}

/** Whether it was taken out of the tree: its next attempt begins from what others left there. */
export function isAway({ work }: Pick<TaskState, 'work'>): boolean {
  return work.is === 'saved' || work.is === 'discarded';
}

/** Begun, open, and not taken out of the tree, which holds what has been done. */
export function isInWork(task: TaskState): boolean {
  return task.standing === 'open' && task.start !== undefined && !isAway(task);
}

/** One re-plan as far as it got; without `ended` it is still to be completed. */
export type Replan = Readonly<{
  started: Stamped<FactOf<'replan-started'>>;
  taking?: FactOf<'replan-taking'>;
  ended?: FactOf<'replan-ended'>;
}>;

/** The finalizing; absent in a run until it begins, and once it is to begin anew. */
export type Finalizing = Readonly<{
  started: FactOf<'work-planned'>;
  ended?: FactOf<'work-ended'>;
}>;

/** Hears an event: the run with it, and without it; of a resumed run the first comes after its past. */
export type RunListener = (event: Stamped<Event>, state: RunState, before?: RunState) => void;
