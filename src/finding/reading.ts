// The result of parsing an answer.

/** `problem`: what is wrong, to tell whoever gave the answer. */
export type Reading<T> = Readonly<{ value: T } | { problem: string }>;
