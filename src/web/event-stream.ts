// The stream of one tab: all there is, then what changes. A piece is made once the last was taken, so a tab that never
// reads costs one, and is dropped after `stuckMs`.
import { setTimeout as wait } from 'node:timers/promises';
import type { Hello } from './view.ts';
import type { Watcher } from './watcher.ts';

const lookMs = 200;
const beatMs = 15_000;

/** `id`: the run looked at; another: only the list. `onStuck`: no piece was taken for `stuckMs`. */
export type StreamOptions = Readonly<{
  watcher: Watcher;
  hello: Hello;
  id: string;
  onStuck: () => void;
  stuckMs: number;
}>;

/** Cancelling it releases everything, and so does an error. */
export function eventStream({ onStuck, stuckMs, ...options }: StreamOptions): ReadableStream<Uint8Array> {
  const { watcher } = options;
  const next = makePieces(options);
  let stuck: NodeJS.Timeout | undefined;
  let isOver = false;
  const leave = (): void => {
    if (!isOver) watcher.viewers -= 1;
    isOver = true;
    clearTimeout(stuck);
  };
  const untilNext = async (): Promise<string> => {
    const beatAt = performance.now() + beatMs;
    for (;;) {
      const piece = next();
      if (piece !== '') return piece;
      await wait(lookMs);
      if (isOver) return '';
      if (performance.now() > beatAt) return ': \n\n';
    }
  };
  watcher.viewers += 1;
  return new ReadableStream(
    {
      async pull(controller) {
        clearTimeout(stuck);
        const piece = await untilNext().catch((error: unknown) => {
          leave();
          throw error;
        });
        if (isOver) return;
        controller.enqueue(new TextEncoder().encode(piece));
        stuck = setTimeout(() => {
          leave();
          onStuck();
        }, stuckMs).unref();
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}

/** Each is empty if nothing is new. */
function makePieces({ watcher, hello, id }: Pick<StreamOptions, 'watcher' | 'hello' | 'id'>): () => string {
  const sent = new Map<string, string>();
  let lastItem = 0;
  return () => {
    const run = watcher.watch(id);
    const all = new Map([['hello', JSON.stringify(hello)], ...watcher.cards, ...(run?.parts ?? [])]);
    for (const name of sent.keys()) if (!all.has(name)) all.set(name, 'null');
    const fresh = [...all].filter(([name, json]) => sent.get(name) !== json);
    for (const [name, json] of fresh) sent.set(name, json);
    const items = run?.activity.items.filter(({ n }) => n > lastItem) ?? [];
    lastItem = items.at(-1)?.n ?? lastItem;
    if (fresh.length === 0 && items.length === 0) return '';
    const parts = fresh.map(([name, json]) => `{"part":${JSON.stringify(name)},"value":${json}}`);
    return `data: {"parts":[${parts}],"items":${JSON.stringify(items)}}\n\n`;
  };
}
