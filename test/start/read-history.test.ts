// What earlier runs' tasks took, read from their journals; a run that cannot be read is passed over.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Fact } from '../../src/event.ts';
import { readHistory } from '../../src/start/read-history.ts';
import { fact, stampAll } from '../helpers/facts.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const run = '20260101-000000-plan';
const tasks = [{ id: '1', title: 'One', closed: false, steps: 1, manual: [] }];
const facts: readonly Fact[] = [
  fact('run-started', { run }),
  fact('plan-read', { tasks }),
  fact('task-started', { task: '1' }),
  fact('session-started', { session: 1, task: '1', attempt: 1 }),
  fact('session-ended', { session: 1, costUsd: 2, costAtLeast: false }),
  fact('task-closed', { task: '1' }),
];

test('closed tasks are found, and what cannot be read is none', () => {
  using folder = makeTempFolder();
  const write = (name: string, text: string) => {
    const place = path.join(folder.path, 'pawl', 'runs', name);
    mkdirSync(place, { recursive: true });
    writeFileSync(path.join(place, 'journal.ndjson'), text);
  };
  expect(readHistory(folder.path)).toEqual([]);
  const lines = stampAll(facts).map((one) => `${JSON.stringify(one)}\n`);
  write(run, lines.join(''));
  write('20260102-000000-plan', `${lines[0]}no journal\n${lines[1]}`);
  expect(readHistory(folder.path)).toEqual([{ run, ms: expect.any(Number), costUsd: 2 }]);
});
