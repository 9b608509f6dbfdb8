import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { countStep, sleep, startClock } from '../../src/process/clock.ts';
import { openRun, readLines } from './programs.ts';

/** Blocks this thread: to a clock it looks as if the machine or pawl had stood still. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await setImmediate();
}

test.each([
  ['in time', 5_000, 5_001, 5_001],
  ['a little late', 5_000, 5_900, 5_900],
  ['a night', 5_000, 28_800_000, 5_000],
  ['cut short', 5_000, 1_200, 1_200],
  ['a short one, slept through', 100, 60_000, 100],
])('a step counts %s', (_, asked, took, expected) => {
  expect(countStep(asked, took)).toBe(expected);
});

describe('a clock', () => {
  test('rings once, and not after a stop', async () => {
    const rings: string[] = [];
    startClock(10, () => rings.push('rang'));
    startClock(20, () => rings.push('stopped')).stop();
    await sleep(80);
    expect(rings).toEqual(['rang']);
  });

  test('a sleep of the machine is not silence: it gives another grace, once', async () => {
    let rings = 0;
    startClock(300, () => {
      rings += 1;
    });
    standStill(1_500);
    await turns(5);
    expect(rings).toBe(0);
    standStill(1_500);
    await turns(5);
    expect(rings).toBe(1);
  });

  test('what has arrived before the ring can still stop it', async () => {
    await using run = openRun();
    const program = run.start('echo up; sleep 0.05; echo again; sleep 300');
    const lines = readLines(program.stdout);
    await lines.next();
    let rings = 0;
    const clock = startClock(30, () => {
      rings += 1;
    });
    // Both the clock and the line are due when the loop gets to turn again.
    standStill(400);
    await lines.next();
    clock.stop();
    await turns(5);
    expect(rings).toBe(0);
  });
});

describe('sleep', () => {
  test('passes', async () => {
    expect(await sleep(5)).toBe(true);
    expect(await sleep(0)).toBe(true);
  });

  test('is cut short', async () => {
    const cut = new AbortController();
    setTimeout(() => cut.abort(), 5);
    expect(await sleep(60_000, cut.signal)).toBe(false);
    expect(await sleep(60_000, cut.signal)).toBe(false);
  });
});
