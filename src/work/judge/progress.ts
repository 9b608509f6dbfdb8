// Whether a task's attempts make progress, by trees, red checks and failed sessions, not by what agents say; and what
// follows from repeated kills of pawl. Pure.
import { fixed } from '../../config/fixed.ts';
import type { Config } from '../../config/schema.ts';
import type { FactOf } from '../../event.ts';
import type { RunState } from '../../journal/state.ts';

export type Trace = Pick<FactOf<'round-ended'>, 'attempt' | 'tree' | 'fingerprint' | 'outcome'>;

/** `restart`: from the task's start, since the attempts' trees keep failing in the same way. */
export type Progress =
  | Readonly<{ step: 'go-on' }>
  | Readonly<{ step: 'diagnose' | 'escalate' | 'give-up'; why: string; restart: boolean }>;

/**
 * Each repetition in a row goes further: diagnose, a stronger model, give up; the last only if the tree stays the same.
 * `round`: not journaled yet.
 */
export function progressOf(
  { counted }: Readonly<{ counted: readonly Trace[] }>,
  { attempts, escalate }: Pick<Config['task'], 'attempts' | 'escalate'>,
  round?: Trace,
): Progress {
  const trail = round ? [...counted, round] : counted;
  const repeats = trail.map((attempt, at) => findRepeat(attempt, trail.slice(0, at)));
  const last = repeats.at(-1);
  if (!last) return { step: 'go-on' };
  const { why, restart, isStill } = last;
  const inARow = repeats.length - 1 - repeats.lastIndexOf(undefined);
  const tried = escalate ? 2 : 1;
  if (isStill && inARow > tried) return { step: 'give-up', why: `${why}, ${inARow} times in a row`, restart };
  const isLastChance = attempts - trail.length <= 1;
  return { step: escalate && (inARow > 1 || isLastChance) ? 'escalate' : 'diagnose', why, restart };
}

type Repeat = Readonly<{ why: string; restart: boolean; isStill: boolean }>;

/** Undefined if it is new. */
function findRepeat(attempt: Trace, before: readonly Trace[]): Repeat | undefined {
  const isSameTree = (other: Trace) => other.tree !== undefined && other.tree === attempt.tree;
  const isSameFailure = (other: Trace) => other.fingerprint === attempt.fingerprint;
  const same = before.findLast((other) => isSameTree(other) && isSameFailure(other));
  const name = `attempt ${attempt.attempt}`;
  const failed = attempt.fingerprint === undefined ? undefined : before.findLast(isSameFailure);
  if (failed) {
    const tree = same ? ' and the same files' : '';
    const why = `${name} ended with the same failure${tree} as attempt ${(same ?? failed).attempt}`;
    return { why, restart: true, isStill: same !== undefined };
  }
  if (same) {
    return { why: `${name} left the same files as attempt ${same.attempt}`, restart: false, isStill: true };
  }
  if (attempt.outcome !== 'stuck') return undefined;
  return { why: `the session of ${name} went nowhere`, restart: false, isStill: false };
}

type Life = Readonly<{ state: () => Pick<RunState, 'cutOffs'> }>;

/** Undefined while it was not killed too often. */
export function whyCutOff({ state }: Life): string | undefined {
  const [work, times] = [...state().cutOffs].find(([, each]) => each >= fixed.cutOffs) ?? [];
  if (work === undefined) return undefined;
  const what = work === '' ? 'no attempt or review' : `no attempt at task ${work}`;
  return `pawl was killed ${times} times in a row, and ${what} has ended in between; what it starts may need more memory than there is`;
}

/** The stop that follows so many kills was killed, too. */
export function isStopCutOff({ state }: Life): boolean {
  return [...state().cutOffs.values()].some((times) => times > fixed.cutOffs);
}
