// What becomes of a line that no string can hold: it is told of, and the lines after it are read.
import { expect, test } from 'vitest';
import { Bill } from '../../src/agent/bill.ts';
import { Ear } from '../../src/agent/ear.ts';
import { Herald } from '../../src/agent/herald.ts';
import type { Event } from '../../src/event.ts';
import type { Spawned } from '../../src/process/spawn.ts';

async function* output(): AsyncGenerator<Uint8Array> {
  const piece = Buffer.alloc(1024 * 1024, 'x');
  for (let count = 0; count < 257; count += 1) yield piece;
  yield Buffer.from('\nshort\n');
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

test('a line of more than 256 MB is told of, and what follows is read', async () => {
  const told: Event[] = [];
  const bill = new Bill({ everyMs: 1, replyMs: 1 });
  const herald = new Herald({ session: 3, emit: (event) => told.push(event), bill });
  const lines: string[] = [];
  await new Ear({ stdout: output(), stderr: nothing() } as unknown as Spawned, {
    rawFile: '/dev/null',
    stderrFile: '/dev/null',
    pieces: [],
    onLine: (line) => lines.push(line),
    onTooLong: (bytes) => herald.tellTooLong(bytes),
    onPiece: () => {},
    onFlood: () => {},
  }).done;
  expect(lines).toEqual(['short']);
  expect(told).toEqual([
    {
      type: 'noticed',
      code: 'long-line',
      text: 'session 3 printed a line of 269 MB, too long to be read; only its raw record has it',
    },
  ]);
});
