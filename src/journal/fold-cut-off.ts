// Counts for each task how many lives of pawl in a row were cut off while it was worked on: a task that takes pawl down with it
// must not do so for ever.
import type { Fact, Stamped } from '../event.ts';

/** `atWork`: tasks that were worked on in this life and have not come to an end in it; `times`: how many lives in a row were cut off while a task was. */
export type CutOffs = Readonly<{ atWork: ReadonlySet<string>; times: ReadonlyMap<string, number> }>;

export const noCutOffs: CutOffs = { atWork: new Set(), times: new Map() };

/** The counts after one more fact. */
export function foldCutOffs(known: CutOffs, fact: Stamped<Fact>): CutOffs {
  const { atWork, times } = known;
  switch (fact.type) {
    case 'attempt-started':
    case 'check-started':
      return fact.task === undefined ? known : { atWork: new Set(atWork).add(fact.task), times };
    case 'round-ended':
      // Its session goes on, and may still be what takes pawl down.
      if (fact.verdict === 'correct') return known;
      return fact.outcome === 'crashed'
        ? { atWork: without(atWork, fact.task), times }
        : over(known, fact.task);
    case 'task-closed':
    case 'retry-asked':
      return over(known, fact.task);
    case 'run-resumed':
      // Who starts a stopped run again has looked at it.
      return { atWork: new Set(), times: fact.after === 'stop' ? new Map() : countAgain(known) };
    case 'run-ended':
      return { atWork: new Set(), times };
  }
  return known;
}

function countAgain({ atWork, times }: CutOffs): ReadonlyMap<string, number> {
  return new Map([...times, ...[...atWork].map((id) => [id, (times.get(id) ?? 0) + 1] as const)]);
}

function over({ atWork, times }: CutOffs, task: string): CutOffs {
  return { atWork: without(atWork, task), times: new Map([...times].filter(([id]) => id !== task)) };
}

function without(set: ReadonlySet<string>, one: string): ReadonlySet<string> {
  return new Set([...set].filter((each) => each !== one));
}
