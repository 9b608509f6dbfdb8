// Waits for an AbortSignal.

/** Unlike `aborted` of node:util, which holds its listener weakly: a garbage collection would lose Ctrl-C. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
