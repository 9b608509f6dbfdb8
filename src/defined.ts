// Drops undefined fields, which most option types do not allow.

type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

export function defined<const T extends object>(fields: T): Defined<T> {
  const kept: Record<string, unknown> = {};
  for (const name in fields) if (fields[name] !== undefined) kept[name] = fields[name];
  return kept as Defined<T>;
}

export function ifAny<T>(list: readonly T[]): T[] | undefined {
  return list.length === 0 ? undefined : [...list];
}
