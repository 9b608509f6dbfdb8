// Counts pawl processes in a row that were cut off: whatever takes pawl down must not do so forever.
import type { Fact, Stamped } from '../event.ts';

/**
 * `atWork`: worked on in this process and not ended; `times`: cut-offs in a row at a task; `beside`: at none, since
 * anything last ended.
 */
export type CutOffs = Readonly<{
  atWork: ReadonlySet<string>;
  times: ReadonlyMap<string, number>;
  beside: number;
}>;

export const noCutOffs: CutOffs = { atWork: new Set(), times: new Map(), beside: 0 };

/** `isResting`: pawl waited or paused, which could not take it down. */
export function foldCutOffs(known: CutOffs, fact: Stamped<Fact>, isResting: boolean): CutOffs {
  const { atWork } = known;
  switch (fact.type) {
    case 'attempt-started':
    case 'check-started':
      return fact.task === undefined ? known : { ...known, atWork: new Set(atWork).add(fact.task) };
    case 'round-ended':
      // Its session continues, and may still take pawl down.
      if (fact.verdict === 'correct') return known;
      return fact.outcome === 'crashed'
        ? { ...known, atWork: without(atWork, fact.task) }
        : over(known, fact.task);
    case 'task-closed':
      return over(known, fact.task);
    case 'intervention':
      return fact.kind === 'retry' && fact.task !== undefined ? over(known, fact.task) : known;
    case 'opinion':
    case 'review-round':
    case 'work':
      return fact.state === 'given' || fact.state === 'ended' ? { ...known, beside: 0 } : known;
    case 'run-resumed':
      // Whoever starts a stopped run again has looked at it.
      if (fact.after === 'stop') return noCutOffs;
      return fact.after === 'crash' && !isResting ? countAgain(known) : { ...known, atWork: new Set() };
    case 'run-ended':
      return { ...known, atWork: new Set() };
  }
  return known;
}

function countAgain({ atWork, times, beside }: CutOffs): CutOffs {
  const more = [...atWork].map((id) => [id, (times.get(id) ?? 0) + 1] as const);
  return {
    atWork: new Set(),
    times: new Map([...times, ...more]),
    beside: beside + (atWork.size === 0 ? 1 : 0),
  };
}

function over({ atWork, times }: CutOffs, task: string): CutOffs {
  return {
    atWork: without(atWork, task),
    times: new Map([...times].filter(([id]) => id !== task)),
    beside: 0,
  };
}

function without(set: ReadonlySet<string>, one: string): ReadonlySet<string> {
  return new Set([...set].filter((each) => each !== one));
}
