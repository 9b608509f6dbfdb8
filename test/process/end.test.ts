import { expect, test } from 'vitest';
import { endProcesses, terminate } from '../../src/process/end.ts';
import type { Process } from '../../src/process/sweep.ts';
import { firstLines, isAlive, openRun, sweep, until } from './programs.ts';

/** A look that answers from a list, and with its last answer from then on. */
function answering(...answers: readonly (readonly Process[])[]) {
  let looks = 0;
  const find = async () => answers[Math.min(looks++, answers.length - 1)] ?? [];
  let freezes = 0;
  const freeze = () => {
    freezes += 1;
  };
  return { find, freeze, freezes: () => freezes, looks: () => looks };
}

async function startSleeper(run: ReturnType<typeof openRun>): Promise<Process> {
  const program = run.start('trap "" TERM; echo up; exec sleep 300');
  await firstLines(program, 1);
  const [found] = await sweep.find(run.mark);
  if (found === undefined) throw new Error('not found');
  return found;
}

test.each([0, 50])('what one look misses the next one sees (grace %i ms)', async (graceMs) => {
  await using run = openRun();
  const sleeper = await startSleeper(run);
  expect(await endProcesses(answering([], [sleeper], []), { graceMs })).toEqual([sleeper]);
  await until('it is gone', () => !isAlive(sleeper.pid));
});

test('a look that misses in the middle of ending does not end it', async () => {
  await using run = openRun();
  const [first, second] = [await startSleeper(run), await startSleeper(run)];
  const others = (await sweep.find(run.mark)).filter(({ pid }) => pid !== first.pid);
  const targets = answering([first], [], [], [], others, []);
  expect(await endProcesses(targets, { graceMs: 0 })).toEqual([first, ...others]);
  await until('both are gone', () => !isAlive(first.pid) && !isAlive(second.pid));
});

test('one that cannot be ended is waited for in bounds, and not called ended', async () => {
  await using run = openRun();
  const sleeper = { ...(await startSleeper(run)), startTime: '1' };
  const targets = answering([sleeper]);
  expect(await endProcesses(targets, { graceMs: 0 })).toEqual([]);
  expect(targets.looks()).toBeLessThan(300);
});

test('what moves on to ever new pids is stopped where it is seen, what stays is not', async () => {
  const nobody = (number: number): Process => ({
    pid: 2 ** 22 + number,
    ppid: 1,
    startTime: '1',
    command: 'x',
  });
  const moving = answering(...[1, 2, 3, 4, 5, 6].map((number) => [nobody(number)]), []);
  await endProcesses(moving, { graceMs: 0 });
  expect(moving.freezes()).toBeGreaterThan(0);
  const quick = answering([nobody(1)], [nobody(2)], []);
  await endProcesses(quick, { graceMs: 0 });
  expect(quick.freezes()).toBe(0);
});

test('with a grace of none there is no TERM', async () => {
  await using run = openRun();
  const program = run.start('trap "echo heard" TERM; echo up; while :; do sleep 0.01; done');
  const lines: string[] = await firstLines(program, 1);
  await sweep.end(run.mark, { graceMs: 0 });
  expect(lines).toEqual(['up']);
  expect(await program.ended).toEqual({ code: null, signal: 'SIGKILL' });
});

test('what is over already takes no time', async () => {
  const sent: string[] = [];
  const signal = (name: string) => void sent.push(name);
  expect(await terminate({ signal, ended: Promise.resolve({ code: 0, signal: null }) }, 10)).toBe(true);
  expect(sent).toEqual(['SIGTERM', 'SIGCONT']);
});
