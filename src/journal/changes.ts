// What a fact changes in a run's state. Each fold sees the state as it was before the fact and owns its fields, so that
// the order of folds cannot matter.
import type { Fact, FactName, FactOf, Stamped } from '../event.ts';

/** The new value of a field, an entry of its map, or `undefined`: the field goes. */
export type Changes<Part> = { readonly [F in keyof Part]?: Part[F] | EntryOf<Part[F]> | undefined };

type EntryOf<Field> = Field extends ReadonlyMap<infer K, infer V> ? Entry<K, V> : never;

/** One entry of a map, which then need not be copied as a whole. */
export class Entry<K, V> {
  readonly key: K;
  readonly value: V;

  constructor(key: K, value: V) {
    this.key = key;
    this.value = value;
  }
}

export type Fold<State, Part = State> = (state: State, fact: Stamped<Fact>) => Changes<Part>;

/** By a fact's type or, with several states, its name. */
type FoldTable<State, Part> = Readonly<{
  [N in FactName]?: (state: State, fact: Stamped<FactOf<N>>) => Changes<Part>;
}>;

export function foldBy<State, Part = State>(table: FoldTable<State, Part>): Fold<State, Part> {
  const rows: Readonly<Record<string, Fold<State, Part> | undefined>> = table as never;
  return (state, fact) => {
    const row = ('state' in fact ? rows[`${fact.type}-${fact.state}`] : undefined) ?? rows[fact.type];
    return row?.(state, fact) ?? {};
  };
}

/** Maps that nobody else has yet: they are changed instead of copied. */
export type Fresh = WeakSet<object>;

export function applyChanges<State extends object>(
  state: State,
  all: readonly Changes<State>[],
  fresh: Fresh,
): State {
  const next = { ...state } as Record<string, unknown>;
  for (const changes of all)
    for (const [field, value] of Object.entries(changes)) {
      if (value instanceof Entry) next[field] = put(next[field] as Map<unknown, unknown>, value, fresh);
      else if (value !== undefined) next[field] = value;
      else if (field in next) delete next[field];
    }
  return next as State;
}

function put<K, V>(map: Map<K, V>, { key, value }: Entry<K, V>, fresh: Fresh): Map<K, V> {
  const own = fresh.has(map) ? map : new Map(map);
  fresh.add(own);
  return own.set(key, value);
}

export function changeEach<K, V>(map: ReadonlyMap<K, V>, change: (value: V) => V): ReadonlyMap<K, V> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}
