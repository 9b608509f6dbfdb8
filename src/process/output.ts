// Reads one output of a program to its end, even if a grandchild keeps the pipe open.
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

/** After the program's exit, output is complete once nothing comes for this long. */
export const quietMs = 250;

/** The longest wait, after the program's exit, for a grandchild that keeps writing. */
const lingerMs = 2_000;

/** What pipes can hold of the program's own output, its filters' included (1 MiB each, pipe(7)). */
const mostHeldBytes = 4 * 1024 * 1024;

/**
 * With back-pressure, until the end or, after `exited`, until quiet. The program's own output is never cut: it is in
 * the pipe by then, and read without waiting.
 */
export function readOutput(stream: Readable, exited: AbortSignal): AsyncIterable<Uint8Array> {
  let wake = () => {};
  // A `readable` listener before the next turn of the loop keeps Node and execa from discarding unread data.
  for (const name of ['readable', 'end', 'close', 'error']) stream.on(name, () => wake());
  exited.addEventListener('abort', () => wake(), { once: true });
  const wait = (ms: number | undefined): Promise<boolean> =>
    new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(() => void expire(), ms);
      let woken = false;
      wake = () => {
        woken = true;
        clearTimeout(timer);
        resolve(true);
      };
      // Timers come before input: some may be unread.
      const expire = async () => {
        await setImmediate();
        await setImmediate();
        if (!woken) resolve(false);
      };
    });
  return drain(stream, exited, wait);
}

async function* drain(
  stream: Readable,
  exited: AbortSignal,
  wait: (ms: number | undefined) => Promise<boolean>,
): AsyncGenerator<Uint8Array> {
  let leftMs = lingerMs;
  let heldBytes = 0;
  try {
    for (;;) {
      const chunk = stream.read() as Uint8Array | null;
      if (chunk !== null) {
        // Nothing beyond can be the program's own: a grandchild writes faster than pawl reads.
        if (exited.aborted) heldBytes += chunk.length;
        if (heldBytes > mostHeldBytes) return;
        yield chunk;
        continue;
      }
      if (stream.readableEnded || stream.destroyed || leftMs <= 0) return;
      if (!exited.aborted) {
        await wait(undefined);
        continue;
      }
      const since = performance.now();
      if (!(await wait(Math.min(quietMs, leftMs)))) return;
      leftMs -= performance.now() - since;
    }
  } finally {
    stream.destroy();
  }
}
