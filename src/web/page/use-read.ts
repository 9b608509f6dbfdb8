// What a view reads from the server when it is opened, and again when what it is about has changed.
import { useEffect, useState } from 'preact/hooks';

/** What is read; undefined until it is there. `error`: why it could not be read, empty where it could. */
export type Read<T> = Readonly<{ value: T | undefined; error: string }>;

/** Reads it anew whenever one of `about` changes; the value of before stays until then. */
export function useRead<T>(read: () => Promise<T>, about: readonly unknown[]): Read<T> {
  const [seen, setSeen] = useState<Read<T>>({ value: undefined, error: '' });
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
