// Reads from the server when a view opens, and when its subject changes.
import { useEffect, useState } from 'preact/hooks';

/** Undefined until it has arrived; `error`: why it could not be read, else empty. */
export type ReadState<T> = Readonly<{ value: T | undefined; error: string }>;

export function useRead<T>(read: () => Promise<T>, about: readonly unknown[]): ReadState<T> {
  const [seen, setSeen] = useState<ReadState<T>>({ value: undefined, error: '' });
  useEffect(() => {
    let isHere = true;
    read().then(
      (value) => isHere && setSeen({ value, error: '' }),
      (cause: Error) => isHere && setSeen(({ value }) => ({ value, error: cause.message })),
    );
    return () => {
      isHere = false;
    };
  }, about);
  return seen;
}
