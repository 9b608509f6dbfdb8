// The stream of one tab: what is newer than what it has, then what changes. A piece is made once the last was taken, so
// a tab that never reads costs one, and is dropped after `stuckMs`.
import { randomBytes } from 'node:crypto';
import { newestVersion } from './part-store.ts';
import type { Hello } from './view.ts';
import type { WatchedRun } from './watched-run.ts';
import type { Watcher } from './watcher.ts';

const beatMs = 15_000;

/** Versions count within one start of the server. */
const epoch = randomBytes(6).toString('hex');

export type StreamOptions = Readonly<{
  watcher: Watcher;
  hello: Hello;
  /** Absent: only the list. */
  run: WatchedRun | undefined;
  /** How far the tab has got, as a piece told it; nothing yet of the run if `isNew`. */
  since: string | undefined;
  isNew: boolean;
  /** No piece was taken for `stuckMs`. */
  onStuck: () => void;
  stuckMs: number;
}>;

/** Cancelling it releases everything. */
export function eventStream(options: StreamOptions): ReadableStream<Uint8Array> {
  const { watcher, run, hello } = options;
  const seen = readPosition(options);
  const release = watcher.hold();
  let first = `{"part":"hello","value":${JSON.stringify(hello)}}`;
  let stuck: NodeJS.Timeout | undefined;
  let isOver = false;
  const leave = (): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(stuck);
    release();
    if (run) run.viewers -= 1;
  };
  const next = (): string => {
    const parts = [first, ...watcher.cards.since(seen.list), ...(run?.parts.since(seen.run) ?? [])];
    const items = run?.activity.items.filter(({ n }) => n > seen.run) ?? [];
    seen.list = seen.run = newestVersion();
    first = '';
    const fresh = parts.filter((part) => part !== '');
    if (fresh.length === 0 && items.length === 0) return '';
    return `data: {"at":"${epoch}.${seen.list}","parts":[${fresh}],"items":${JSON.stringify(items)}}\n\n`;
  };
  if (run) run.viewers += 1;
  return new ReadableStream(
    {
      async pull(controller) {
        clearTimeout(stuck);
        let piece = next();
        if (piece === '') {
          await watcher.change(beatMs);
          if (isOver) return;
          piece = next() || ': \n\n';
        }
        controller.enqueue(new TextEncoder().encode(piece));
        stuck = setTimeout(() => {
          leave();
          options.onStuck();
        }, options.stuckMs).unref();
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}

function readPosition({ since = '', isNew }: StreamOptions): { list: number; run: number } {
  const [of, version] = since.split('.');
  const list = of === epoch ? Number(version) || 0 : 0;
  return { list, run: isNew ? 0 : list };
}
