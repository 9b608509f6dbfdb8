import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { terminate } from '../../src/process/end.ts';
import { openRun, stateOf, until } from './programs.ts';

test.each([
  {
    name: 'one that ends by TERM',
    script: 'trap "exit 3" TERM; echo up; while :; do sleep 0.05; done',
    end: { code: 3, signal: null },
  },
  {
    name: 'one that does not',
    script: 'trap "" TERM; echo up; while :; do sleep 0.05; done',
    end: { code: null, signal: 'SIGKILL' },
  },
])('$name', async ({ script, end }) => {
  await using run = openRun();
  const program = run.start(script);
  for await (const _ of program.stdout) break;
  expect(await terminate(program, 300)).toBe(true);
  expect(await program.ended).toEqual(end);
});

test('a stopped program hears the TERM', async () => {
  await using run = openRun();
  const program = run.start('trap "exit 4" TERM; echo up; while :; do sleep 0.05; done');
  for await (const _ of program.stdout) break;
  program.signal('SIGSTOP');
  await until('it stopped', () => stateOf(program.pid ?? 0) === 'T');
  expect(await terminate(program, 10_000)).toBe(true);
  expect(await program.ended).toEqual({ code: 4, signal: null });
});

test('what is over already takes no time, what never ends is told', async () => {
  const sent: string[] = [];
  const signal = (name: string) => void sent.push(name);
  expect(await terminate({ signal, ended: Promise.resolve({ code: 0, signal: null }) }, 10)).toBe(true);
  expect(sent).toEqual(['SIGTERM', 'SIGCONT']);
  const ended = delay(20_000, { code: 0, signal: null }, { ref: false });
  expect(await terminate({ signal, ended }, 10)).toBe(false);
  expect(sent.at(-1)).toBe('SIGKILL');
});
