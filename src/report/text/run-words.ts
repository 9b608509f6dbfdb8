// Words for exit codes, phases, standings and proofs, and how long a wait lasts. Knows no schema, so that it loads fast.
import { formatCount, formatMs, formatTime } from './figure.ts';
import type { Tone } from './line.ts';

/** `reasons`: the run's, if a code has several meanings. */
export function formatExit(
  exit: number,
  reasons: readonly Readonly<{ exit: number; code: string }>[] = [],
): string {
  const special = reasons.find((reason) => reason.exit === exit && reason.code in exitsByReason);
  return exitsByReason[special?.code ?? ''] ?? exits[exit] ?? `exit ${exit}`;
}

const exits: Readonly<Record<number, string>> = {
  0: 'done',
  1: 'a task failed',
  2: 'not started',
  3: 'needs a person',
  4: 'something is not proven or the review is not clean',
  5: 'the budget is spent',
  6: 'usage limit or outage, resume later',
  7: 'the agent refused',
  8: 'the environment failed',
  70: 'a bug in pawl',
  129: 'interrupted',
  130: 'interrupted',
  143: 'interrupted',
};

const exitsByReason: Readonly<Record<string, string>> = {
  limited: 'usage limit, resume later',
  outage: 'an outage of the agent’s service, resume later',
  fenced: 'taken up by another machine',
};

export const phaseTitle = {
  setup: 'Setting up the working tree',
  baseline: 'Baseline: the checks on the untouched tree',
  tasks: 'Tasks',
  'at-end': 'Checks at the end',
  review: 'Review',
  finalize: 'Finalize',
  archive: 'Archive',
  publish: 'Publish',
  plan: 'Planning',
} as const;

type RunTime = Readonly<{ takenMs: number; isAtWork: boolean; lastAt: string }>;
type Wait = Readonly<{ waitingFor?: string; waitingUntil?: string; isAtWork: boolean }>;

/** Its time keeps growing while it is at work, milliseconds. */
export function takenUntil({ takenMs, isAtWork, lastAt }: RunTime, nowMs: number): number {
  return takenMs + (isAtWork ? Math.max(0, nowMs - Date.parse(lastAt)) : 0);
}

export function formatWait({ waitingFor, waitingUntil, isAtWork }: Wait, nowMs: number): string {
  if (!isAtWork || waitingUntil === undefined) return `waiting for ${waitingFor}`;
  const until = Date.parse(waitingUntil);
  return `waiting until ${formatTime(until, nowMs)}, ${formatMs(Math.max(0, until - nowMs))} left`;
}

/** With what it waits for. */
export function explainWait(view: Wait, nowMs: number): string {
  const isTimed = view.isAtWork && view.waitingUntil !== undefined;
  return `${formatWait(view, nowMs)}${isTimed ? `: ${view.waitingFor}` : ''}`;
}

/** How a task that stands so is shown. */
export const looks = {
  proven: { mark: '✓', tone: 'good', word: 'proven' },
  passed: { mark: '✓', tone: 'good', word: 'passed' },
  pending: { mark: '✓', tone: 'good', word: 'closed, proof to come' },
  unchecked: { mark: '!', tone: 'warn', word: 'UNCHECKED' },
  'by-hand': { mark: '!', tone: 'warn', word: 'closed by hand' },
  before: { mark: '–', tone: 'plain', word: 'closed before' },
  failed: { mark: '✗', tone: 'bad', word: 'failed' },
  parked: { mark: '?', tone: 'warn', word: 'asks you' },
  skipped: { mark: '–', tone: 'plain', word: 'skipped' },
  working: { mark: '–', tone: 'warn', word: 'not finished' },
  open: { mark: '–', tone: 'plain', word: 'open' },
} as const satisfies Record<string, Readonly<{ mark: string; tone: Tone; word: string }>>;

type ProofCounts = Readonly<Record<keyof typeof looks | 'total', number>>;

export function formatProofs(tasks: ProofCounts): string {
  const { proven: _, ...others } = looks;
  const told = (Object.keys(others) as (keyof typeof others)[]).flatMap((each) =>
    tasks[each] > 0 ? [`${tasks[each]} ${others[each].word}`] : [],
  );
  return [`${tasks.proven} of ${formatCount(tasks.total, 'task')} proven`, ...told].join(', ');
}
