// Ends synchronous work that computes for too long, such as a parser that takes quadratic time on a hostile text, or that a
// person ends by Ctrl-C: no other signal is handled meanwhile.
import { runInThisContext } from 'node:vm';

/** The work was ended after it had computed for as long as it may. */
export class DeadlineError extends Error {}

declare global {
  /** What `withDeadline` runs. */
  var pawlWork: (() => void) | undefined;
}

/** What `work` returns, which must leave nothing half done when it is ended; a DeadlineError once it has computed for `ms`, an AbortError at Ctrl-C. */
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
      // One that was stopped, or got no processor, has not computed: it gets more time.
      computedMs += (user + system) / 1000;
      if (computedMs >= ms * 0.8) throw new DeadlineError(`it takes longer than ${ms / 1000} s`);
    }
  }
  return result.value;
}

/** Those who wait for the signal, which nobody heard while the work computed, hear it now. */
function interrupted(): Error {
  process.emit('SIGINT', 'SIGINT');
  return new DOMException('interrupted', 'AbortError');
}

/** Node ends code that does not return only here, by a clock in a thread of its own; it costs half a millisecond. */
function runWithin(timeout: number, work: () => void): void {
  const outer = globalThis.pawlWork;
  globalThis.pawlWork = work;
  try {
    runInThisContext('pawlWork()', { timeout, breakOnSigint: true });
  } finally {
    globalThis.pawlWork = outer;
  }
}
