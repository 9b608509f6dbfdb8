// The send queue of a multiplexed connection: control frames first, then one frame of each stream in turn. A peer that reads
// nothing is disconnected.
import { type Frame, FrameError, frameType, largestPayload, writeFrame } from './frames.ts';
import type { MuxStream } from './mux-stream.ts';

/** Bytes sent in one go. */
const batchBytes = 4 * largestPayload;

/** Frames without credit that may wait for a peer that reads nothing: one that lets more wait means harm. */
const mostWaitingBytes = 256 * 1024;

/** One wire's way out. */
export class Outbox {
  readonly #wire: (bytes: Uint8Array) => Promise<boolean>;
  readonly #onLost: (reason: Error) => void;
  /** Streams with something to send, in turn. */
  readonly #turns = new Set<MuxStream>();
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #isSending = false;
  #isOver = false;

  /** `wire`: false when nobody takes what is sent any longer. `onLost`: it is of no use to go on. */
  constructor(wire: (bytes: Uint8Array) => Promise<boolean>, onLost: (reason: Error) => void) {
    this.#wire = wire;
    this.#onLost = onLost;
  }

  /** Sends a frame that needs no credit. */
  say(type: Frame['type'], stream: number, payload?: Uint8Array): void {
    if (this.#isOver) return;
    const frame = writeFrame(type, stream, payload);
    this.#waiting.push(frame);
    this.#waitingBytes += frame.length;
    if (this.#waitingBytes > mostWaitingBytes) this.#onLost(new FrameError('the other end reads nothing'));
    else void this.#send();
  }

  /** The stream has something to send: it gets its turn. */
  want(stream: MuxStream): void {
    this.#turns.add(stream);
    void this.#send();
  }

  /** It is over. */
  forget(stream: MuxStream): void {
    this.#turns.delete(stream);
  }

  /** Nothing is sent any more. */
  close(): void {
    this.#isOver = true;
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (let batch = this.#takeBatch(); batch; batch = this.#takeBatch()) {
      if (await this.#wire(batch)) continue;
      this.#onLost(new Error('nobody takes what is sent'));
      break;
    }
    this.#isSending = false;
  }

  /** What waits, and a frame of each stream in turn. */
  #takeBatch(): Uint8Array | undefined {
    if (this.#isOver) return undefined;
    const frames = this.#waiting;
    let bytes = this.#waitingBytes;
    this.#waiting = [];
    this.#waitingBytes = 0;
    // A stream that has more gets itself a turn at the end of this very walk.
    for (const stream of this.#turns) {
      if (bytes >= batchBytes) break;
      this.#turns.delete(stream);
      const payload = stream.takeBytes();
      if (!payload) continue;
      const frame = writeFrame(frameType.data, stream.id, payload);
      frames.push(frame);
      bytes += frame.length;
    }
    return frames.length === 0 ? undefined : Buffer.concat(frames, bytes);
  }
}
