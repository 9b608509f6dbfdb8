// The stream of one tab: parts that are newer than what it has, then whatever changes. The next piece is made only once the
// tab has taken the last one, so a tab that never reads costs one piece; after a while it is dropped.

import type { WatchedRun } from './watched-run.ts';
import type { Watcher } from './watcher.ts';

/** How far a tab has got: the versions of cards, of the run's parts, of its activity. */
type Position = { cards: number; run: number; item: number };

/** Interval of signs of life while nothing happens, milliseconds. */
const beatMs = 15_000;
const mostCharacters = 256 * 1024;

export type StreamOptions = Readonly<{
  watcher: Watcher;
  /** The run that the tab shows; absent: only the list. */
  run: WatchedRun | undefined;
  /** Distinguishes this start of the server from others: versions count within one. */
  epoch: string;
  lastId: string | undefined;
  /** Called if the tab has not taken a piece for `stuckMs`. */
  onStuck: () => void;
  stuckMs: number;
}>;

/** The stream as bytes; cancelling it releases everything. */
export function eventStream(options: StreamOptions): ReadableStream<Uint8Array> {
  const { watcher, run, epoch } = options;
  const position = readPosition(options.lastId, epoch);
  const release = watcher.hold();
  const encoder = new TextEncoder();
  let stuck: NodeJS.Timeout | undefined;
  let isOver = false;
  const leave = (): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(stuck);
    release();
    if (run) run.viewers -= 1;
  };
  if (run) run.viewers += 1;
  return new ReadableStream(
    {
      async pull(controller) {
        clearTimeout(stuck);
        let piece = gather(options, position);
        if (piece === '') {
          await watcher.change(beatMs);
          if (isOver) return;
          piece = gather(options, position) || ': \n\n';
        }
        controller.enqueue(encoder.encode(piece));
        stuck = setTimeout(() => {
          leave();
          options.onStuck();
        }, options.stuckMs);
        stuck.unref();
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}

/** What the tab has not received, up to the size of a piece; advances its position. */
function gather({ watcher, run, epoch }: StreamOptions, position: Position): string {
  const events: string[] = [];
  const cards = watcher.cards.since(position.cards);
  const parts = run?.parts.since(position.run);
  const messages = [...cards.messages, ...(parts?.messages ?? [])];
  for (const chunk of chunksOf(messages)) events.push(`event: parts\ndata: [${chunk.join(',')}]\n`);
  position.cards = cards.version;
  position.run = parts?.version ?? position.run;
  if (run && run.activity.count > position.item) {
    const items = run.activity.items.filter(({ n }) => n > position.item);
    if (items.length > 0) events.push(`event: activity\ndata: ${JSON.stringify(items)}\n`);
    position.item = run.activity.count;
  }
  if (events.length === 0) return '';
  const id = `${epoch}.${position.cards}.${position.run}.${position.item}`;
  // Only the last one has the id: a tab that received less resumes where it was.
  return events.map((event, at) => `${at === events.length - 1 ? `id: ${id}\n` : ''}${event}\n`).join('');
}

function* chunksOf(messages: readonly string[]): Generator<readonly string[]> {
  let chunk: string[] = [];
  let size = 0;
  for (const message of messages) {
    if (size + message.length > mostCharacters && chunk.length > 0) {
      yield chunk;
      chunk = [];
      size = 0;
    }
    chunk.push(message);
    size += message.length;
  }
  if (chunk.length > 0) yield chunk;
}

function readPosition(lastId: string | undefined, epoch: string): Position {
  const [, of, cards, run, item] = /^(\w+)\.(\d+)\.(\d+)\.(\d+)$/.exec(lastId ?? '') ?? [];
  if (of !== epoch) return { cards: 0, run: 0, item: 0 };
  return { cards: Number(cards), run: Number(run), item: Number(item) };
}
