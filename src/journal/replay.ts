// Replays a run's events in order: the journal's facts and, between them, agents' raw streams.
import path from 'node:path';
import { defined } from '../defined.ts';
import type { AgentEvent } from '../event/activity.ts';
import { type Event, eventVersion, type Fact, readFact, type Stamped } from '../event.ts';
import { orElse } from '../or-else.ts';
import { Tail } from '../tail.ts';
import { withState } from './fold.ts';
import { type RunFolder, sessionFile } from './folder.ts';
import { maskEvent } from './mask.ts';
import { journalFile } from './run-files.ts';
import type { RunListener } from './state.ts';

/** `look`: shows what is there, and returns whether anything was new; `isOver`: nothing more is expected. */
export type Replay = Readonly<{ look(): boolean; isOver(): boolean }>;

type Show = (event: Stamped<Event>) => void;

type ReaderOf = (agent: string) => (line: string) => readonly AgentEvent[];

/** `mask`: for all texts, before they are shown or folded. */
export type ReplayOptions = Readonly<{
  readerOf: ReaderOf;
  mask: (text: string) => string;
  show: RunListener;
}>;

/** `turns`: how many have ended in what was shown. */
type Stream = {
  readonly tail: Tail;
  readonly clock: StreamClock;
  readonly read: (line: string) => readonly AgentEvent[];
  readonly session: number;
  readonly task: string | undefined;
  turns: number;
};

/** A raw line without a known time gets that of the fact it precedes. */
export function replayRun(found: RunFolder, options: ReplayOptions): Replay {
  const tell = withState(options.show);
  const show: Show = (event) => tell(maskEvent(event, options.mask));
  const journal = new Tail(path.join(found.folder, journalFile));
  const streams = new Map<number, Stream>();
  let last: Stamped<Fact> | undefined;
  const take = (fact: Stamped<Fact>): void => {
    last = fact;
    if (fact.type === 'session-started') streams.set(fact.session, openStream(found, fact, options.readerOf));
    const stream = 'session' in fact && fact.session !== undefined ? streams.get(fact.session) : undefined;
    if (stream && fact.type === 'turn-ended') drain(stream, { at: fact.at, show, turns: fact.turn });
    if (stream && fact.type === 'session-ended') {
      drain(stream, { at: fact.at, show, isEnd: true });
      streams.delete(fact.session);
    }
    show(fact);
  };
  return {
    look: () => {
      let news = false;
      for (let line = journal.next(); line !== undefined; line = journal.next()) {
        news = true;
        // Undefined for a line of a later pawl.
        const fact = orElse(() => readFact(JSON.parse(line)), undefined);
        if (fact) take(fact);
      }
      for (const stream of streams.values()) news = drain(stream, { at: last?.at ?? '', show }) || news;
      return news;
    },
    isOver: () => last?.type === 'run-ended',
  };
}

/** Without the journal; `from`: the byte to begin at, whose torn line is dropped. */
export function followSession(
  found: RunFolder,
  started: Extract<Fact, { type: 'session-started' }> & Readonly<{ at: string }>,
  options: Readonly<{ readerOf: ReaderOf; show: Show; from?: number }>,
): Pick<Replay, 'look'> {
  const { show, readerOf, from } = options;
  const stream = openStream(found, started, readerOf, from);
  return { look: () => drain(stream, { at: started.at, show }) };
}

export function rawFile(found: RunFolder, session: number): string {
  return `${sessionFile(found.folder, session)}.ndjson`;
}

/** When bytes of a raw stream arrived, to the second; streams of older runs have no such file. */
class StreamClock {
  readonly #tail: Tail;
  #at: string | undefined;
  #next: Readonly<{ byte: number; at: string }> | undefined;

  constructor(file: string) {
    this.#tail = new Tail(`${file}.times`);
  }

  /** The time of what begins at this byte; must be asked in order. */
  at(byte: number): string | undefined {
    for (;;) {
      this.#next ??= this.#read();
      if (!this.#next || this.#next.byte > byte) return this.#at;
      this.#at = this.#next.at;
      this.#next = undefined;
    }
  }

  #read(): Readonly<{ byte: number; at: string }> | undefined {
    const [, byte, at] = /^(\d+) (\S+)$/.exec(this.#tail.next() ?? '') ?? [];
    return byte === undefined || at === undefined ? undefined : { byte: Number(byte), at };
  }
}

function openStream(
  found: RunFolder,
  started: Extract<Fact, { type: 'session-started' }>,
  readerOf: ReaderOf,
  from = 0,
): Stream {
  const { session, task, agent, uses = agent } = started;
  const file = rawFile(found, session);
  const tail = new Tail(file, from);
  if (from > 0) tail.next();
  return { tail, clock: new StreamClock(file), read: readerOf(uses), session, task, turns: 0 };
}

type Drain = Readonly<{ at: string; show: Show; turns?: number; isEnd?: boolean }>;

/** Until that many turns have ended, or as far as it goes. */
function drain(stream: Stream, { at: later, show, turns = Infinity, isEnd = false }: Drain): boolean {
  let news = false;
  while (stream.turns < turns) {
    const from = stream.tail.passed;
    const line = isEnd ? stream.tail.finish() : stream.tail.next();
    if (line === undefined) return news;
    news = true;
    const at = stream.clock.at(from) ?? later;
    for (const event of stream.read(line)) {
      if (event.type === 'idle') stream.turns += 1;
      const whose = { session: stream.session, ...defined({ task: stream.task }) };
      show({ v: eventVersion, at, type: 'activity', ...whose, event });
    }
  }
  return news;
}
