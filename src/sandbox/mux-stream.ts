// One stream of a multiplexed connection, usable as a socket, with credit-based flow control both ways.
import { Duplex } from 'node:stream';
import { type Frame, FrameError, frameType, largestPayload, readNumber, writeNumber } from './frames.ts';

/** What a stream asks of its wire. */
export type Carrier = Readonly<{
  /** It has bytes to send and may send them: it wants a turn. */
  want(stream: MuxStream): void;
  /** Sends a frame that needs no credit. */
  say(type: Frame['type'], stream: number, payload?: Uint8Array): void;
  /** It is over. */
  forget(stream: MuxStream): void;
}>;

/** Bytes that may be on their way to a reader that does not read. */
export const windowBytes = 1024 * 1024;

/** Each frame costs at least so many bytes of the window, so that many tiny ones cannot fill the memory either. */
const leastCost = 1024;

const costOf = (bytes: number): number => Math.max(bytes, leastCost);

type Done = (error?: Error | null) => void;

/** A duplex stream with half-close and reset. */
export class MuxStream extends Duplex {
  readonly id: number;
  readonly #carrier: Carrier;
  /** What the peer still takes. */
  #credit = windowBytes;
  /** What the peer may still send. */
  #granted = windowBytes;
  /** Read by our side, and not given back to the peer yet. */
  #owed = 0;
  #outgoing: Uint8Array | undefined;
  #done: Done | undefined;
  readonly #incoming: Uint8Array[] = [];
  #isWanted = false;
  #hasPeerEnded = false;
  #hasEnded = false;
  #isReset = false;

  constructor(id: number, carrier: Carrier) {
    super({ allowHalfOpen: true });
    this.id = id;
    this.#carrier = carrier;
    // Whoever waits for it hears of its end by `close`, too; without a listener an error would end the program.
    this.on('error', () => {});
  }

  /** Takes a frame of the peer's; throws a FrameError when the peer breaks the rules. */
  hear({ type, payload }: Frame): void {
    switch (type) {
      case frameType.data:
        this.#hearData(payload);
        return;
      case frameType.end:
        this.#hasPeerEnded = true;
        this.#deliver();
        return;
      case frameType.reset:
        this.#isReset = true;
        this.destroy(Object.assign(new Error('the connection was reset'), { code: 'ECONNRESET' }));
        return;
      case frameType.credit:
        this.#credit += readNumber(payload) ?? 0;
        if (this.#outgoing) this.#carrier.want(this);
        return;
      case frameType.hello:
      case frameType.open:
        throw new FrameError('a stream was opened twice');
    }
  }

  #hearData(payload: Uint8Array): void {
    this.#granted -= costOf(payload.length);
    if (this.#granted < 0) throw new FrameError('more was sent than may be sent');
    if (this.#hasPeerEnded) throw new FrameError('data came after the end');
    this.#incoming.push(payload);
    this.#deliver();
  }

  /** Its next bytes to send, within its credit; undefined when it has none or may send none. */
  takeBytes(): Uint8Array | undefined {
    const outgoing = this.#outgoing;
    if (!outgoing || this.#credit < leastCost) return undefined;
    const bytes = Math.min(outgoing.length, largestPayload, this.#credit);
    this.#credit -= costOf(bytes);
    const left = outgoing.length - bytes;
    this.#outgoing = left > 0 ? outgoing.subarray(bytes) : undefined;
    if (left > 0) this.#carrier.want(this);
    else this.#finishWrite();
    return outgoing.subarray(0, bytes);
  }

  #finishWrite(error?: Error | null): void {
    const done = this.#done;
    this.#done = undefined;
    done?.(error);
  }

  override _write(chunk: Uint8Array, _encoding: string, done: Done): void {
    this.#outgoing = chunk;
    this.#done = done;
    this.#carrier.want(this);
  }

  override _final(done: Done): void {
    this.#hasEnded = true;
    this.#carrier.say(frameType.end, this.id);
    done();
  }

  override _read(): void {
    this.#isWanted = true;
    this.#deliver();
  }

  #deliver(): void {
    while (this.#isWanted) {
      const piece = this.#incoming.shift();
      if (!piece) {
        if (this.#hasPeerEnded) {
          this.#isWanted = false;
          this.push(null);
        }
        return;
      }
      this.#isWanted = this.push(piece);
      this.#giveBack(costOf(piece.length));
    }
  }

  #giveBack(bytes: number): void {
    this.#owed += bytes;
    if (this.#hasPeerEnded || this.#owed < windowBytes / 4) return;
    this.#granted += this.#owed;
    this.#carrier.say(frameType.credit, this.id, writeNumber(this.#owed, 4));
    this.#owed = 0;
  }

  override _destroy(error: Error | null, done: Done): void {
    if (!this.#isReset && !(this.#hasEnded && this.#hasPeerEnded))
      this.#carrier.say(frameType.reset, this.id);
    this.#carrier.forget(this);
    this.#incoming.length = 0;
    this.#outgoing = undefined;
    this.#finishWrite(error ?? new Error('the connection is over'));
    done(error);
  }

  // Of a socket, for the HTTP server: there is nothing to set on a stream of a wire.
  setTimeout(): this {
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
}
