// The frames between pawl and the inside of a sandbox: many streams on one connection. A peer that exceeds their bounds is
// disconnected.

/** What a frame says; the numbers stand on the wire. */
export const frameType = {
  /** The inside listens; its payload is the version of these frames. */
  hello: 0,
  /** A connection was made inside; its payload is the port it was made to, u16. */
  open: 1,
  data: 2,
  /** No more data follows this way; the other way goes on. */
  end: 3,
  /** The stream is over, both ways, without a proper end. */
  reset: 4,
  /** The peer may send so many bytes more, u32. */
  credit: 5,
} as const;

export type FrameType = (typeof frameType)[keyof typeof frameType];

/** One frame. `stream` counts from 1; 0 is the wire itself. */
export type Frame = Readonly<{ type: FrameType; stream: number; payload: Uint8Array }>;

/** Version of the frames; pawl refuses an inside of another one. */
export const framesVersion = 1;

/** Most bytes of one frame's payload. */
export const largestPayload = 64 * 1024;

/** Type u8, stream u32, length u32, all big-endian. */
export const headerBytes = 9;

const nothing = new Uint8Array(0);

/** The frame's bytes. */
export function writeFrame(type: FrameType, stream: number, payload: Uint8Array = nothing): Uint8Array {
  const bytes = new Uint8Array(headerBytes + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, type);
  view.setUint32(1, stream);
  view.setUint32(5, payload.length);
  bytes.set(payload, headerBytes);
  return bytes;
}

/** A number as payload: of `open` in two bytes, of `credit` in four. */
export function writeNumber(value: number, bytes: 2 | 4): Uint8Array {
  const view = new DataView(new ArrayBuffer(bytes));
  if (bytes === 2) view.setUint16(0, value);
  else view.setUint32(0, value);
  return new Uint8Array(view.buffer);
}

/** The number a payload of two or four bytes holds; undefined for any other length. */
export function readNumber(payload: Uint8Array): number | undefined {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  if (payload.length === 2) return view.getUint16(0);
  return payload.length === 4 ? view.getUint32(0) : undefined;
}

/** The peer does not speak these frames. */
export class FrameError extends Error {}

/** Puts frames together from bytes that come in pieces of any size. */
export type FrameReader = Readonly<{
  /** The frames that these bytes complete. Throws a FrameError at the first that is none; all after it is lost. */
  read(bytes: Uint8Array): readonly Frame[];
}>;

/** Makes a reader; it holds at most one unfinished frame. */
export function createFrameReader(): FrameReader {
  let kept: Uint8Array[] = [];
  let keptBytes = 0;
  let wanted = headerBytes;
  return {
    read: (bytes) => {
      kept.push(bytes);
      keptBytes += bytes.length;
      // Bytes that come one by one are not put together again for each.
      if (keptBytes < wanted) return [];
      const all = kept.length === 1 ? bytes : join(kept, keptBytes);
      const frames: Frame[] = [];
      let at = 0;
      for (;;) {
        const frame = frameAt(all, at);
        if (typeof frame === 'number') {
          wanted = frame;
          break;
        }
        frames.push(frame);
        at += headerBytes + frame.payload.length;
      }
      keptBytes = all.length - at;
      kept = keptBytes === 0 ? [] : [copy(all.subarray(at))];
      return frames;
    },
  };
}

/** The frame that begins there, or how many bytes must be there to say more. Its payload is a copy: a small one holds no large buffer. */
function frameAt(bytes: Uint8Array, at: number): Frame | number {
  if (bytes.length - at < headerBytes) return headerBytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, headerBytes);
  const [type, stream, length] = [view.getUint8(0), view.getUint32(1), view.getUint32(5)];
  if (!isFrameType(type)) throw new FrameError(`no frame is of type ${type}`);
  if (length > largestPayload) throw new FrameError(`a frame of ${length} bytes is too long`);
  if (bytes.length - at < headerBytes + length) return headerBytes + length;
  const from = at + headerBytes;
  return { type, stream, payload: copy(bytes.subarray(from, from + length)) };
}

/** Not `slice`, which is a view where the bytes are a Buffer. */
function copy(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

function isFrameType(type: number): type is FrameType {
  return type <= frameType.credit;
}

function join(pieces: readonly Uint8Array[], bytes: number): Uint8Array {
  const joined = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
