// What is typed on a run's terminal goes to whom it was meant for.
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Fact } from '../../src/event.ts';
import type { Place } from '../../src/place/place.ts';
import type { Terminal } from '../../src/report/terminal/terminal.ts';
import type { CliContext } from '../../src/start/context.ts';
import { listenToKeys } from '../../src/start/run-keys.ts';
import { byPerson, fact, setAside, stateOf } from '../helpers/facts.ts';

/** `facts`: what the run has so far, and gets. */
function typeTo(facts: Fact[]) {
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
  listenToKeys(context as unknown as CliContext, { run } as unknown as Place, screen as unknown as Terminal);
  const type = async (text: string) => {
    stdin.write(text);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { said, type };
}

test('an answer that was begun goes to no other task, which asks by its end', async () => {
  const facts: Fact[] = [setAside('parked', { task: '1' }), setAside('parked', { task: '2' })];
  const { said, type } = typeTo(facts);
  await type('ayes');
  facts.push(byPerson('answer', { task: '1' }));
  await type('!\r');
  expect(facts).toHaveLength(3);
  expect(said).toContain('Answer to task 1');
  expect(said).not.toContain('Answer to task 2');
  expect(said.at(-1)).toMatch(/^task 1 does not wait for an answer/);
});

test('an answer that was begun before any task asked goes to the one that does', async () => {
  const facts: Fact[] = [];
  const { said, type } = typeTo(facts);
  await type('a');
  facts.push(setAside('parked', { task: '1' }));
  await type('yes');
  expect(said).toEqual(expect.arrayContaining(['No task asks', 'Answer to task 1']));
  await type('\r');
  expect(facts).toHaveLength(2);
});
