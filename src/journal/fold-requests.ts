// Folds requests from other machines: which of them are done, and what was answered.
import { personsWord } from '../event/persons-word.ts';
import type { Fact, FactOf, Stamped } from '../event.ts';

/** Requests from other machines. */
export type Requests = Readonly<{
  /** In order. */
  answered: readonly Stamped<FactOf<'request-answered'>>[];
  /** Ids of those that were carried out. */
  done: ReadonlySet<string>;
  /** One whose intervention is journaled: it is done once the very next fact is too. */
  begun?: string;
}>;

/** Nothing was asked. */
export const noRequests: Requests = { answered: [], done: new Set() };

const words: ReadonlySet<Fact['type']> = new Set(personsWord);

/** Updates the requests by one more fact. */
export function foldRequests(requests: Requests, fact: Stamped<Fact>): Requests {
  const { begun, ...known } = requests;
  if (fact.type === 'intervention' && fact.request !== undefined) return { ...known, begun: fact.request };
  if (fact.type === 'request-answered') return { ...known, answered: [...known.answered, fact] };
  if (begun === undefined) return requests;
  return words.has(fact.type) ? { ...known, done: new Set(known.done).add(begun) } : known;
}

/** Whether a request was answered. */
export function isAnswered({ answered }: Requests, request: string): boolean {
  return answered.some((each) => each.request === request);
}
