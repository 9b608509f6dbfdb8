// Ends synchronous work that computes for too long, such as a parser that is quadratic on hostile text. Such work blocks
// the event loop, so Ctrl-C is handled here too.
import { runInThisContext } from 'node:vm';

/** The work used up its computing time and was ended. */
export class DeadlineError extends Error {}

declare global {
  /** The work that `withDeadline` is running. */
  var pawlWork: (() => void) | undefined;
}

/**
 * Returns what `work` returns. Throws a DeadlineError once it has computed for `ms`, an AbortError on Ctrl-C. `work` may be
 * ended anywhere and must leave nothing half done.
 */
export function withDeadline<Result>(ms: number, work: () => Result): Result {
  let result: { value: Result } | undefined;
  let computedMs = 0;
  for (let waitMs = ms; result === undefined; waitMs *= 2) {
    const begun = process.cpuUsage();
    try {
      runWithin(waitMs, () => {
        result = { value: work() };
      });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED') throw interrupted();
      if (code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      const { user, system } = process.cpuUsage(begun);
      // Work that was stopped, or got no processor, has not computed for that long: it gets more time.
      computedMs += (user + system) / 1000;
      if (computedMs >= ms * 0.8) throw new DeadlineError(`it takes longer than ${ms / 1000} s`);
    }
  }
  return result.value;
}

/** Passes the signal on to its handlers, which could not run while the work computed. */
function interrupted(): Error {
  process.emit('SIGINT', 'SIGINT');
  return new DOMException('interrupted', 'AbortError');
}

/** Only node:vm can end code that does not return: its timer runs in a thread of its own. Costs half a millisecond. */
function runWithin(timeout: number, work: () => void): void {
  const outer = globalThis.pawlWork;
  globalThis.pawlWork = work;
  try {
    runInThisContext('pawlWork()', { timeout, breakOnSigint: true });
  } finally {
    globalThis.pawlWork = outer;
  }
}
