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
  test('rings once', async () => {
    let rings = 0;
    const clock = startClock(10, () => {
      rings += 1;
    });
    await sleep(60);
    expect(rings).toBe(1);
    expect(clock.leftMs).toBe(0);
  });

  test('in order of their lengths', async () => {
    const order: number[] = [];
    for (const ms of [150, 50, 100]) startClock(ms, () => order.push(ms));
    await sleep(250);
    expect(order).toEqual([50, 100, 150]);
  });

  test('does not ring while it is paused, nor after a stop', async () => {
    let rings = 0;
    const ring = () => {
      rings += 1;
    };
    const [paused, stopped] = [startClock(20, ring), startClock(20, ring)];
    paused.pause();
    paused.pause();
    stopped.stop();
    const leftMs = paused.leftMs;
    await sleep(80);
    expect([rings, paused.leftMs]).toEqual([0, leftMs]);
    stopped.restart();
    stopped.resume();
    paused.resume();
    await sleep(80);
    expect(rings).toBe(1);
  });

  test('counts anew from a restart, also one it got while paused, and after it rang', async () => {
    let rings = 0;
    const clock = startClock(60_000, () => {
      rings += 1;
    });
    clock.pause();
    clock.restart(10);
    await sleep(50);
    expect([rings, clock.leftMs]).toEqual([0, 10]);
    clock.resume();
    await sleep(50);
    expect(rings).toBe(1);
    clock.restart();
    await sleep(50);
    expect(rings).toBe(2);
    clock.restart(60_000);
    expect(clock.leftMs).toBeGreaterThan(50_000);
    clock.stop();
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

  test('a pause keeps what was counted before it', () => {
    const clock = startClock(60_000, () => {});
    standStill(100);
    clock.pause();
    expect(clock.leftMs).toBeLessThanOrEqual(59_901);
    clock.stop();
  });

  test('a sleep takes no more than a step from a long one', async () => {
    const clock = startClock(60_000, () => {});
    standStill(1_500);
    expect(clock.leftMs).toBeGreaterThan(54_000);
    clock.stop();
  });

  test('what has arrived before the ring can still restart it', async () => {
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
    clock.restart(60_000);
    await turns(5);
    expect(rings).toBe(0);
    clock.stop();
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
