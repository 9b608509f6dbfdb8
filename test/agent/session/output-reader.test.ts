// What the raw record holds when a line is heard, and what becomes of a line that no string can hold.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { scriptAgent } from '../../../src/agent/script/adapter.ts';
import { OutputReader, type OutputReaderOptions } from '../../../src/agent/session/output-reader.ts';
import type { Spawned } from '../../../src/process/spawn.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';
import { startSession } from './session-setup.ts';

async function* nothing(): AsyncGenerator<Uint8Array> {}

const read = (stdout: AsyncIterable<Uint8Array>, more: Partial<OutputReaderOptions>) =>
  new OutputReader({ stdout, stderr: nothing() } as unknown as Spawned, {
    ...{ rawFile: '/dev/null', stderrFile: '/dev/null', agent: {} },
    ...{ onLine: () => {}, onPiece: () => {}, onFlood: () => {} },
    ...more,
  }).done;

test('a line that no string can hold is one that has no end', async () => {
  async function* output(): AsyncGenerator<Uint8Array> {
    for (let count = 0; count < 257; count += 1) yield Buffer.alloc(1024 ** 2, 'x');
    for (const text of ['\n', 'not kept\n']) yield Buffer.from(text);
  }
  const told: (number | string)[] = [];
  const tell = (what: number | string) => void told.push(what);
  await read(output(), { mostBytes: 1024 ** 3, onFlood: tell, onLine: tell });
  expect(told).toEqual([257 * 1024 ** 2]);
});

test('a line that is heard is in the raw record already: the guard reads there what tools reached for', async () => {
  await using folder = await makeTempFolder();
  const rawFile = path.join(folder.path, 'record.ndjson');
  const recorded: string[] = [];
  async function* lines(): AsyncGenerator<Uint8Array> {
    for (const word of ['one', 'two']) yield Buffer.from(`${word}\n`);
  }
  await read(lines(), { rawFile, onLine: () => recorded.push(readFileSync(rawFile, 'utf8')) });
  expect(recorded).toEqual(['one\n', 'one\ntwo\n']);
});

// A program that prints without end: it is ended with a reason, and the disk keeps what fits.
const mostBytes = 1024 ** 2;

test.each([
  ['without a line end', 'exec cat /dev/zero'],
  ['line by line', 'exec yes'],
  ['on stderr', 'exec cat /dev/zero >&2'],
  ['and hears no TERM', 'trap "" TERM; yes; yes'],
])('%s', async (_, script) => {
  const agent = scriptAgent({ command: 'bash', args: ['-c', script, 'bash'], reportsCost: false });
  await using session = await startSession({ agent, mostBytes, clocks: { termMs: 300 } });
  const turn = await session.session.firstTurn();
  expect(turn.outcome).toEqual({
    kind: 'stuck',
    reason: 'it printed more than 1 MB; what came after that was not kept',
  });
  await session.session.close();
  expect(await session.processes()).toEqual([]);
  for (const file of ['001.ndjson', '001.stderr'])
    expect(statSync(path.join(session.folder, file)).size).toBeLessThanOrEqual(mostBytes + 1);
});
