// The result of parsing an answer: a value, or what is wrong with it.

/** A value, or what is wrong with the answer, to tell whoever gave it. */
export type Reading<T> = Readonly<{ value: T } | { problem: string }>;
