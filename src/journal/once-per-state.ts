// Makes a value of a folded state once, however many show it: terminal, page and messages render the same one.
import type { RunState } from './state.ts';

/** `about`: what the journal does not know, as plain data; undefined is as if it were not given. */
export function oncePerState<About extends readonly unknown[], T>(
  make: (state: RunState, ...about: About) => T,
): (state: RunState, ...about: About) => T {
  const made = new WeakMap<RunState, Map<string, T>>();
  return (state, ...about) => {
    const known = made.get(state) ?? new Map<string, T>();
    const key = JSON.stringify(about.filter((one) => one !== undefined));
    const value = known.get(key) ?? make(state, ...about);
    made.set(state, known.set(key, value));
    return value;
  };
}
