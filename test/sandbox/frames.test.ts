// Frames come out as they went in, however their bytes are cut; bytes that are none are refused.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createFrameReader,
  type Frame,
  FrameError,
  frameType,
  headerBytes,
  largestPayload,
  readNumber,
  writeFrame,
  writeNumber,
} from '../../src/sandbox/frames.ts';

const frames = fc.array(
  fc.record({
    type: fc.constantFrom(...Object.values(frameType)),
    stream: fc.nat({ max: 2 ** 32 - 1 }),
    payload: fc.uint8Array({ maxLength: 40 }),
  }),
  { maxLength: 12 },
);

function write(some: readonly Frame[]): Uint8Array {
  return Buffer.concat(some.map(({ type, stream, payload }) => writeFrame(type, stream, payload)));
}

/** Cuts bytes into pieces, whose lengths are taken in turn. */
function cut(bytes: Uint8Array, lengths: readonly number[]): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    pieces.push(bytes.slice(at, at + length));
    at += length;
  }
  return pieces;
}

test('frames survive any cut', () => {
  fc.assert(
    fc.property(frames, fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (some, lengths) => {
      const reader = createFrameReader();
      const read = cut(write(some), lengths).flatMap((piece) => reader.read(piece));
      expect(read).toEqual(some.map((frame) => ({ ...frame, payload: new Uint8Array(frame.payload) })));
    }),
  );
});

test('the longest payload passes, byte by byte and with its neighbour', () => {
  const long = { type: frameType.data, stream: 7, payload: new Uint8Array(largestPayload).fill(3) };
  const short = { type: frameType.end, stream: 7, payload: new Uint8Array(0) };
  const reader = createFrameReader();
  const read = cut(write([long, short]), [1]).flatMap((piece) => reader.read(piece));
  expect(read).toEqual([long, short]);
});

test('a payload holds none of the bytes it came in', () => {
  const bytes = write([{ type: frameType.data, stream: 1, payload: new Uint8Array([1, 2]) }]);
  const [frame] = createFrameReader().read(bytes);
  bytes.fill(9);
  expect(frame?.payload).toEqual(new Uint8Array([1, 2]));
  expect(frame?.payload.buffer.byteLength).toBe(2);
});

test.each<[string, Uint8Array, string]>([
  ['an unknown type', writeFrame(6 as 5, 1), 'of type 6'],
  ['text', Buffer.from('OCI runtime exec failed'), 'of type 79'],
  ['a length beyond bounds, before its payload comes', longHeader(largestPayload + 1), '65537 bytes'],
])('%s is no frame', (_, bytes, says) => {
  const reader = createFrameReader();
  expect(() => reader.read(bytes)).toThrow(FrameError);
  expect(() => createFrameReader().read(bytes)).toThrow(says);
});

function longHeader(length: number): Uint8Array {
  const bytes = writeFrame(frameType.data, 1);
  new DataView(bytes.buffer).setUint32(5, length);
  return bytes.slice(0, headerBytes);
}

test.each<[number, 2 | 4]>([
  [0, 2],
  [65_535, 2],
  [65_536, 4],
  [2 ** 32 - 1, 4],
])('the number %d in %d bytes', (value, bytes) => {
  expect(readNumber(writeNumber(value, bytes))).toBe(value);
  expect(writeNumber(value, bytes)).toHaveLength(bytes);
});

test('a payload of another length is no number', () => {
  expect(readNumber(new Uint8Array(3))).toBeUndefined();
});
