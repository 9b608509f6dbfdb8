// Streams over one wire: whole, apart from each other, bounded; and a peer that breaks the rules is not heard any longer.
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { frameType, writeFrame, writeNumber } from '../../src/sandbox/frames.ts';
import { createMux, type Mux, mostStreams } from '../../src/sandbox/mux.ts';
import { type MuxStream, windowBytes } from '../../src/sandbox/mux-stream.ts';
import { makeWires } from '../helpers/wires.ts';

/** A pair of ends; what `inside` opens, `outside` takes. */
function makePair(onStream: (stream: MuxStream, port: number) => void): {
  inside: Mux;
  outside: Mux;
  cut(): void;
} {
  const { here, there, cut } = makeWires();
  return { inside: createMux({ wire: there }), outside: createMux({ wire: here, onStream }), cut };
}

/** Waits until something stays as it is. */
async function settled(read: () => number): Promise<number> {
  for (let last = -1, same = 0; ; ) {
    await nextTurn();
    same = read() === last ? same + 1 : 0;
    last = read();
    if (same > 50) return last;
  }
}

/** Its end, with or without an error. */
async function closed(stream: Duplex): Promise<void> {
  if (!stream.closed) await new Promise<void>((resolve) => stream.once('close', () => resolve()));
}

const bytes = (length: number, fill: number) => Buffer.alloc(length, fill);

test('the peer is there once it says so, with the port of each connection', async () => {
  const ports: number[] = [];
  const { inside, outside, cut } = makePair((stream, port) => {
    ports.push(port);
    stream.end('hello');
  });
  inside.greet();
  expect(await outside.ready).toBe(true);
  expect(String(await buffer(inside.open(3128)))).toBe('hello');
  expect(String(await buffer(inside.open(4000)))).toBe('hello');
  expect(ports).toEqual([3128, 4000]);
  cut();
  expect(await outside.ended).toBeUndefined();
});

test('a wire that ends before was never there', async () => {
  const { outside, cut } = makePair(() => {});
  cut();
  expect(await outside.ready).toBe(false);
});

test('the end of the wire ends every stream', async () => {
  const { inside, cut } = makePair(() => {});
  const stream = inside.open(1);
  cut();
  await closed(stream);
  expect(stream.errored?.message).toBe('the wire has ended');
});

test('a way that has ended leaves the other open', async () => {
  const { inside, cut } = makePair(async (stream) => {
    const heard = await buffer(stream);
    stream.write(heard);
    stream.end('!');
  });
  const stream = inside.open(1);
  stream.end('asked');
  expect(String(await buffer(stream))).toBe('asked!');
  await closed(stream);
  cut();
});

test.each<[string, (end: Duplex) => void]>([
  ['thrown away', (end) => end.destroy()],
  ['broken by an error', (end) => end.destroy(new Error('x'))],
])('a stream %s on one side is reset on the other, and only it', async (_, breakIt) => {
  const taken: Duplex[] = [];
  const { inside, cut } = makePair((stream) => {
    taken.push(stream);
    stream.pipe(stream);
  });
  const [bad, good] = [inside.open(1), inside.open(1)];
  bad.write('x');
  expect(String((await once(bad, 'data'))[0])).toBe('x');
  const [first] = taken;
  if (first) breakIt(first);
  await closed(bad);
  expect(bad.errored).toMatchObject({ code: 'ECONNRESET' });
  good.end('still there');
  expect(String(await buffer(good))).toBe('still there');
  cut();
});

test('who reads nothing holds a window of bytes and nobody else', async () => {
  let written = 0;
  const { inside, cut } = makePair((stream, port) => {
    if (port === 2) return void stream.end('quick');
    const write = () => {
      if (stream.destroyed) return;
      written += 16_384;
      if (stream.write(bytes(16_384, 7))) setImmediate(write);
      else stream.once('drain', write);
    };
    write();
  });
  const slow = inside.open(1);
  const held = await settled(() => written);
  // What the window lets through, and what each end keeps in its own buffers.
  expect(held).toBeGreaterThanOrEqual(windowBytes);
  expect(held).toBeLessThanOrEqual(windowBytes + 256 * 1024);
  expect(String(await buffer(inside.open(2)))).toBe('quick');
  let read = 0;
  for await (const piece of slow) {
    expect((piece as Buffer).every((byte) => byte === 7)).toBe(true);
    read += (piece as Buffer).length;
    if (read > 3 * windowBytes) break;
  }
  cut();
});

test('tiny pieces that nobody reads are bounded in number', async () => {
  let written = 0;
  const { inside, cut } = makePair((stream) => {
    const write = () =>
      void stream.write('x', () => {
        written++;
        setImmediate(write);
      });
    write();
  });
  inside.open(1);
  expect(await settled(() => written)).toBeLessThanOrEqual(windowBytes / 1024);
  cut();
});

/** A pair whose `others` settles with the bytes that came for port 1 before any came for another. */
function makeRace() {
  let long = 0;
  const { promise: others, resolve } = Promise.withResolvers<number>();
  const pair = makePair((stream, port) => {
    stream.on('data', (piece: Buffer) => {
      if (port === 1) long += piece.length;
      else resolve(long);
    });
  });
  return { ...pair, others };
}

test('streams take turns: a long one does not hold up a short one', async () => {
  const { inside, cut, others } = makeRace();
  inside.open(1).end(bytes(windowBytes, 1));
  inside.open(2).end('x');
  expect(await others).toBeLessThan(windowBytes / 2);
  cut();
});

test('each of many long ones gets its turn before the first gets all of its own', async () => {
  const { inside, cut, others } = makeRace();
  for (let n = 0; n < 8; n++) inside.open(1).end(bytes(windowBytes, 1));
  inside.open(2).end('x');
  expect(await others).toBeLessThan(2 * windowBytes);
  cut();
});

test('more streams than may be are reset', async () => {
  const { inside, cut } = makePair(() => {});
  for (let n = 0; n < mostStreams; n++) inside.open(1);
  const last = inside.open(1);
  await closed(last);
  expect(last.errored).toMatchObject({ code: 'ECONNRESET' });
  cut();
});

describe('a peer that breaks the rules is not heard any longer', () => {
  const open = writeFrame(frameType.open, 1, writeNumber(1, 2));
  const data = writeFrame(frameType.data, 1, bytes(65_536, 1));
  test.each<[string, readonly Uint8Array[], string]>([
    ['another version', [writeFrame(frameType.hello, 0, writeNumber(2, 2))], 'version 2'],
    ['text', [Buffer.from('sh: node: not found\n')], 'of type'],
    ['a stream twice', [open, open], 'may not be'],
    ['a stream of the wire’s number', [writeFrame(frameType.open, 0, writeNumber(1, 2))], 'may not be'],
    ['a stream without a port', [writeFrame(frameType.open, 1)], 'may not be'],
    ['more than the window', [open, ...Array.from({ length: 17 }, () => data)], 'more was sent'],
    ['data after its end', [open, writeFrame(frameType.end, 1), data], 'after the end'],
  ])('%s', async (_, sent, says) => {
    const { here, there } = makeWires();
    const streams: MuxStream[] = [];
    const mux = createMux({ wire: here, onStream: (stream) => streams.push(stream) });
    for (const frame of sent) await there.send(frame);
    expect((await mux.ended)?.message).toContain(says);
    expect(streams.every((stream) => stream.destroyed)).toBe(true);
  });

  test('one that opens streams where it may not', async () => {
    const { here, there } = makeWires();
    const mux = createMux({ wire: here });
    await there.send(open);
    expect((await mux.ended)?.message).toContain('may not be');
  });

  test('one that asks and asks and reads nothing', async () => {
    const { here, there } = makeWires();
    const deaf = { stdout: here.stdout, send: () => new Promise<boolean>(() => {}) };
    const mux = createMux({ wire: deaf, onStream: () => {} });
    let isOver = false;
    void mux.ended.then(() => {
      isOver = true;
    });
    const opens = (from: number) =>
      Array.from({ length: 5000 }, (_, n) => writeFrame(frameType.open, from + n, writeNumber(1, 2)));
    for (let id = 1; !isOver && id < 400_000; id += 5000) await there.send(Buffer.concat(opens(id)));
    expect((await mux.ended)?.message).toContain('reads nothing');
  });

  test('one that takes nothing any longer', async () => {
    const { here } = makeWires();
    const mux = createMux({ wire: { stdout: here.stdout, send: () => Promise.resolve(false) } });
    mux.open(1);
    expect((await mux.ended)?.message).toContain('nobody takes');
  });
});

test('what comes late for a stream that is over is nobody’s', async () => {
  const { here, there, cut } = makeWires();
  const mux = createMux({ wire: here, onStream: () => {} });
  await there.send(writeFrame(frameType.data, 5, bytes(10, 1)));
  await there.send(writeFrame(frameType.reset, 5));
  cut();
  expect(await mux.ended).toBeUndefined();
});
