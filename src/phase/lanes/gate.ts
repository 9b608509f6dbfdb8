// A run's gate: one landing at a time, first come, first served. After a kill, finished turns queue again.

import { aborted } from '../../work/session/await-turn.ts';

export class Gate {
  #last: Promise<void> = Promise.resolve();

  /** Returns what lets the next one in; undefined if aborted. */
  async enter(signal: AbortSignal): Promise<(() => void) | undefined> {
    const before = this.#last;
    const { promise, resolve: leave } = Promise.withResolvers<void>();
    this.#last = before.then(() => promise);
    await Promise.race([before, aborted(signal)]);
    if (!signal.aborted) return leave;
    leave();
    return undefined;
  }
}
