// A program that prints without end: it is ended with a reason, and the disk keeps what fits.
import { statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { scriptAgent } from '../../../src/agent/script/adapter.ts';
import { startSession } from './session-setup.ts';

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
