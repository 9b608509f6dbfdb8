// Many streams over one connection, each with its own flow control: a slow reader delays nobody else and never buffers more
// than a window. It does not trust its peer.
import {
  createFrameReader,
  type Frame,
  FrameError,
  framesVersion,
  frameType,
  readNumber,
  writeNumber,
} from './frames.ts';
import { type Carrier, MuxStream } from './mux-stream.ts';
import { Outbox } from './outbox.ts';

/** Two ends of bytes; a running program is one. `send` settles once they are written: false when nobody takes them any longer. */
export type Wire = Readonly<{
  stdout: AsyncIterable<Uint8Array>;
  send(bytes: Uint8Array): Promise<boolean>;
}>;

/** The streams of one wire. */
export interface Mux {
  /** Settles when the peer says that it is there: true; false when the wire ends before. Never rejects. */
  readonly ready: Promise<boolean>;
  /** Settles when the wire has ended and all streams with it; the reason when it did not end by itself. Never rejects. */
  readonly ended: Promise<Error | undefined>;
  /** Says to the peer that connections are taken now. */
  greet(): void;
  /** Opens a stream for a connection that was made to `port`. */
  open(port: number): MuxStream;
  /** Ends all streams and hears no more of the wire. */
  close(reason?: Error): void;
}

/** How a mux is made. */
export type MuxOptions = Readonly<{
  wire: Wire;
  /** Takes the streams that the peer opens; absent: it may open none. */
  onStream?: (stream: MuxStream, port: number) => void;
}>;

/** Streams a peer may hold open at once; one more is reset. */
export const mostStreams = 128;

/** Starts to read the wire, until it ends. */
export function createMux({ wire, onStream }: MuxOptions): Mux {
  return new WireMux(wire, onStream);
}

/** A promise that settles once, for the Node of an image: before 22 there is no `Promise.withResolvers`. */
class Moment<T> {
  settle: (value: T) => void = () => {};
  readonly promise = new Promise<T>((resolve) => {
    this.settle = resolve;
  });
}

class WireMux implements Mux, Carrier {
  readonly #wire: Wire;
  readonly #onStream: MuxOptions['onStream'];
  readonly #ready = new Moment<boolean>();
  readonly #ended = new Moment<Error | undefined>();
  readonly #streams = new Map<number, MuxStream>();
  readonly #outbox: Outbox;
  #isOver = false;
  #lastId = 0;

  constructor(wire: Wire, onStream: MuxOptions['onStream']) {
    this.#wire = wire;
    this.#onStream = onStream;
    this.#outbox = new Outbox(
      (bytes) => wire.send(bytes),
      (reason) => this.close(reason),
    );
    void this.#listen();
  }

  get ready(): Promise<boolean> {
    return this.#ready.promise;
  }

  get ended(): Promise<Error | undefined> {
    return this.#ended.promise;
  }

  greet(): void {
    this.say(frameType.hello, 0, writeNumber(framesVersion, 2));
  }

  open(port: number): MuxStream {
    const stream = this.#add(++this.#lastId);
    this.say(frameType.open, stream.id, writeNumber(port, 2));
    return stream;
  }

  close(reason?: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#outbox.close();
    for (const stream of [...this.#streams.values()])
      stream.destroy(reason ?? new Error('the wire has ended'));
    this.#ready.settle(false);
    this.#ended.settle(reason);
  }

  async #listen(): Promise<void> {
    const reader = createFrameReader();
    try {
      for await (const bytes of this.#wire.stdout) {
        if (this.#isOver) return;
        for (const frame of reader.read(bytes)) this.#hear(frame);
      }
      this.close();
    } catch (error) {
      this.close(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #hear(frame: Frame): void {
    if (frame.type === frameType.hello) this.#hearHello(frame);
    else if (frame.type === frameType.open) this.#hearOpen(frame);
    // What is on its way to a stream that is over is nobody's.
    else this.#streams.get(frame.stream)?.hear(frame);
  }

  #hearHello({ payload }: Frame): void {
    const version = readNumber(payload);
    if (version !== framesVersion) throw new FrameError(`the other end speaks version ${version}`);
    this.#ready.settle(true);
  }

  #hearOpen({ stream: id, payload }: Frame): void {
    const port = readNumber(payload);
    if (!this.#onStream || port === undefined || id === 0 || this.#streams.has(id))
      throw new FrameError('a stream was opened that may not be');
    if (this.#streams.size >= mostStreams) this.say(frameType.reset, id);
    else this.#onStream(this.#add(id), port);
  }

  #add(id: number): MuxStream {
    const stream = new MuxStream(id, this);
    this.#streams.set(id, stream);
    return stream;
  }

  want(stream: MuxStream): void {
    this.#outbox.want(stream);
  }

  say(type: Frame['type'], stream: number, payload?: Uint8Array): void {
    this.#outbox.say(type, stream, payload);
  }

  forget(stream: MuxStream): void {
    this.#streams.delete(stream.id);
    this.#outbox.forget(stream);
  }
}
