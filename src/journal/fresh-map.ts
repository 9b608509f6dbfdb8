// Maps that a fold may mutate: no caller has them yet.

export type Fresh = WeakSet<ReadonlyMap<unknown, unknown>>;

/** In the same map if it is fresh, else a copy. */
export function put<K, V>(map: Map<K, V>, fresh: Fresh, [key, value]: readonly [K, V]): Map<K, V> {
  const own = fresh.has(map) ? map : new Map(map);
  fresh.add(own);
  return own.set(key, value);
}
