// The state of one task: how it began, where its work is, what is decided about it.
import type { ProofWord } from '../event/task.ts';
import type { FactOf, Stamped } from '../event.ts';

export type TaskState = Readonly<{
  id: string;
  title: string;
  standing: TaskStanding;
  start?: Start;
  attemptsEver: number;
  /** How many did not count: a pause, a limit or a question intervened. */
  uncounted: number;
  corrections: number;
  /** Rounds that count as attempts since the task's start or the last grant of new ones, in order. */
  counted: readonly FactOf<'round-ended'>[];
  /** Trees that no session made: the start, and what checks alone changed. */
  untouched: readonly string[];
  tree?: string;
  lastRound?: Stamped<FactOf<'round-ended'>>;
  /** Absent if nothing has landed beside it since it began. */
  lane?: LaneWork | undefined;
  work: TaskWork;
  answers: readonly Readonly<{ question: string; answer: string }>[];
  /** Set for a review fix, which is no task of the plan. */
  fix?: NonNullable<FactOf<'work-planned'>['fix']>;
  /** Set for a fix, or the finalizing, that is over. */
  ended?: FactOf<'work-ended'>;
  violations: readonly FactOf<'act-found'>[];
  refused: readonly FactOf<'file-refused'>[];
  tamper: readonly FactOf<'tamper-noted'>[];
  checks: readonly FactOf<'check-ended'>[];
  /** Checks as they were red before a correction or another attempt, the latest of each. */
  reds: readonly FactOf<'check-ended'>[];
}>;

/**
 * `red` is empty once it has moved onto what landed. `taken`: files that decide checks and that a person has changed
 * since, each with its tree.
 */
export type Start = Stamped<FactOf<'task-started'>> & Readonly<{ taken?: Readonly<Record<string, string>> }>;

/** What is decided about a task. */
export type TaskStanding =
  /** `stuck`: until a person acts on it. */
  | Readonly<{ is: 'open'; stuck?: FactOf<'stuck'> }>
  | Readonly<{ is: 'closed'; fact: Stamped<FactOf<'task-closed'>>; judged?: FactOf<'proof-judged'> }>
  | Readonly<{ is: 'closed-by-hand' }>
  | Readonly<{ is: 'failed'; reason: string; at: string }>
  | Readonly<{ is: 'parked'; question: string }>
  /** By a person, in this run. */
  | Readonly<{ is: 'skipped' }>;

/** What has landed since a task began in its lane. */
export type LaneWork = Readonly<{
  /** Tasks: their own checks apply to its work too. */
  landed: readonly string[];
  /** Files left with conflicts, and the merges that did so. */
  conflicts: readonly string[];
  merges: readonly FactOf<'lane-catching-up'>[];
  /** Still to be completed. */
  catchingUp?: FactOf<'lane-catching-up'>;
}>;

export type TaskWork =
  /** Where it is worked on, if begun. */
  | Readonly<{ is: 'here' }>
  /**
   * `leaving`: being taken out; a kill may have intervened. `saved`: out, and the next attempt brings it back.
   * `returning`: the task has begun anew; brought back before the attempt.
   */
  | Readonly<{ is: 'leaving' | 'saved' | 'returning'; rescue: string }>
  /** For good; `told`: the task has begun anew, and its agent is told where it is. */
  | Readonly<{ is: 'discarded'; rescue?: string | undefined }>
  | Readonly<{ is: 'told'; rescue: string }>;

/** Taken out of the tree: its next attempt begins from what others left. */
export function isAway({ work }: Pick<TaskState, 'work'>): boolean {
  return work.is === 'saved' || work.is === 'discarded';
}

/** The tree holds what it has done. */
export function isInWork(task: TaskState): boolean {
  return task.standing.is === 'open' && task.start !== undefined && !task.ended && !isAway(task);
}

type Decided = Pick<TaskState, 'standing'>;

/** By pawl, or by hand. */
export function isTaskClosed({ standing: { is } }: Decided): boolean {
  return is === 'closed' || is === 'closed-by-hand';
}

/** Only a person, or another start, takes it up again. */
export function isSetAside(task: Decided): boolean {
  return task.standing.is !== 'open' && !isTaskClosed(task);
}

/** Undefined if pawl has not closed it. */
export function closeOf({ standing }: Decided): Stamped<FactOf<'task-closed'>> | undefined {
  return standing.is === 'closed' ? standing.fact : undefined;
}

export type ClosedTask = Readonly<{ task: TaskState; close: Stamped<FactOf<'task-closed'>> }>;

/** Those that pawl has closed, in that order. */
export function listClosed(works: Iterable<TaskState>): readonly ClosedTask[] {
  return [...works]
    .flatMap((task) => (task.standing.is === 'closed' ? { task, close: task.standing.fact } : []))
    .sort((one, other) => one.close.at.localeCompare(other.close.at));
}

/** What experiments showed; undefined if there were none, or not yet. */
export function judgedOf({ standing }: Decided): FactOf<'proof-judged'> | undefined {
  return standing.is === 'closed' ? standing.judged : undefined;
}

/** By experiments, or else its checks; undefined if pawl did not close it. */
export function proofWordOf(task: Decided): ProofWord | undefined {
  return judgedOf(task)?.word ?? closeOf(task)?.proof;
}

/** Until its experiments end, its word may become another. */
export function isProofPending(task: TaskState): boolean {
  return closeOf(task)?.pending !== undefined && judgedOf(task) === undefined;
}

/** Red, and still in the plan: a removed check is asked of nobody. */
export function isStillRed(
  { result, command }: FactOf<'check-ended'>,
  plan: FactOf<'plan-read'> | undefined,
): boolean {
  if (result === 'green' || !plan) return result !== 'green';
  return plan.checks.includes(command) || plan.tasks.some(({ checks }) => checks?.includes(command));
}

/** Ticked by a person, although a check was red after the last session. */
export function isRedByHand({ standing, checks }: TaskState, plan: FactOf<'plan-read'> | undefined): boolean {
  const isRed = checks.some((check) => check.when === 'after' && !check.knownRed && isStillRed(check, plan));
  return standing.is === 'closed-by-hand' && isRed;
}

/** By its command: an edit of the plan may give its number to another. Undefined: it was in no plan then. */
export function resultBefore(
  { checks }: Pick<TaskState, 'checks'>,
  { check, command }: Pick<FactOf<'check-ended'>, 'check' | 'command'>,
): 'green' | 'red' | undefined {
  const same = checks.filter((one) => one.when === 'before' && one.command === command);
  const before = same.find((one) => one.check === check) ?? same[0];
  return before && (before.result === 'green' ? 'green' : 'red');
}

/** Without `ended` still to be completed. */
export type Replan = Readonly<{
  started: Stamped<FactOf<'replan-started'>>;
  /** What was last judged of its task's work. */
  tree?: string;
  taking?: FactOf<'replan-taking'>;
  ended?: FactOf<'replan-ended'>;
}>;
