// What is typed on a run's terminal goes to whom it was meant for.
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Fact } from '../../src/event.ts';
import type { Place } from '../../src/place/place.ts';
import type { Terminal } from '../../src/report/terminal/terminal.ts';
import type { CliContext } from '../../src/start/context.ts';
import { listenToKeys } from '../../src/start/run-keys.ts';
import { byPerson, fact, setAside, stateOf } from '../helpers/facts.ts';

test('an answer that was begun goes to no other task, which asks by its end', async () => {
  const facts: Fact[] = [setAside('parked', { task: '1' }), setAside('parked', { task: '2' })];
  const said: string[] = [];
  const run = {
    options: {},
    state: () => stateOf(fact('task-started', { task: '1' }), fact('task-started'), ...facts),
    emit: (each: Fact) => facts.push(each),
  };
  const screen = {
    ask: (prompt?: { label: string }) => said.push(prompt?.label ?? ''),
    print: (lines: readonly { text: string }[]) => said.push(...lines.map(({ text }) => text)),
  };
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
  const job = { on: () => ({ [Symbol.dispose]: () => {} }), isForeground: () => true };
  const context = { stdin, job, isTty: true, env: {}, signal: new AbortController().signal };
  using _keys = listenToKeys(
    context as unknown as CliContext,
    { run } as unknown as Place,
    screen as unknown as Terminal,
  );
  stdin.write('ayes');
  await new Promise((resolve) => setImmediate(resolve));
  facts.push(byPerson('answer', { task: '1' }));
  stdin.write('!\r');
  await new Promise((resolve) => setImmediate(resolve));
  expect(facts).toHaveLength(3);
  expect(said).toContain('Answer to task 1');
  expect(said).not.toContain('Answer to task 2');
  expect(said.at(-1)).toMatch(/^task 1 does not wait for an answer/);
});
