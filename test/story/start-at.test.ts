// Runs that are put off: all is judged before the wait and again after it, the wait is seen and steered from other
// terminals, and whoever gives it up finds the repository as it was.
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { honest, letterPlan, onTask } from '../helpers/letters.ts';
import { expectNoProcess, makeNight, resultOf, shiftClock } from '../helpers/night.ts';
import { factsOf, type Scene, tell } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';

const hourMs = 3_600_000;
const inOneHour = () => new Date(Date.now() + hourMs).toISOString().replace(/\.\d+/, '');

const lockOf = ({ repo }: Scene) => path.join(repo.path, '.git/pawl/lock');

/** Waits until the start is waited for, and returns what the lock says of it. */
async function untilPutOff(scene: Scene): Promise<Readonly<{ at: string; plans: readonly string[] }>> {
  return vi.waitFor(async () => JSON.parse(await readFile(lockOf(scene), 'utf8')).start, {
    timeout: 60_000,
    interval: 20,
  });
}

/** All that a start changes: refs, run folders, the lock, the tree. */
async function traceOf(scene: Scene): Promise<string> {
  const runs = path.join(scene.repo.path, '.git/pawl/runs');
  return [
    await scene.repo.git('for-each-ref'),
    await scene.repo.git('status', '--porcelain'),
    existsSync(runs) ? readdirSync(runs).join(' ') : '',
    existsSync(lockOf(scene)) ? 'locked' : '',
  ].join('\n');
}

test('a start that is put off is judged at once, shown, steered, and given up without a trace', async () => {
  await using scene = await makeNight({ plan: letterPlan('a'), turns: honest('a') });
  const { repo } = scene;
  const before = await traceOf(scene);
  for (const [says, ...args] of [
    [/“25:00” is no time of day/, '--start-at', '25:00'],
    [/“2020-01-01T02:00” has passed/, '--start-at', '2020-01-01T02:00'],
  ] as const) {
    const refused = await scene.run(...args);
    expect(refused, tell(refused)).toMatchObject({ exit: 2, stderr: expect.stringMatching(says) });
  }
  const readme = await repo.read('README.md');
  await repo.write('README.md', 'mine\n');
  const dirty = await scene.run('--start-at', inOneHour());
  expect(dirty, tell(dirty)).toMatchObject({ exit: 2, stderr: expect.stringContaining('README.md') });
  await repo.write('README.md', readme);
  expect(await traceOf(scene)).toBe(before);

  const givenUp = scene.startRun('--start-at', inOneHour());
  const start = await untilPutOff(scene);
  expect(start.plans).toEqual(['docs/plans/plan.md']);
  const status = JSON.parse((await scene.pawl('status', '--json')).stdout);
  expect(status).toMatchObject({ state: 'put off', plans: start.plans, startsAt: start.at });
  expect((await scene.pawl('status')).stdout).toMatch(/starts .*, in (1h 00m|59m|[0-5]\dm)/);
  const second = await scene.run();
  expect(second, tell(second)).toMatchObject({ exit: 2, stderr: expect.stringContaining('pawl continue') });
  const steered = await scene.pawl('steer', 'be quick');
  expect(steered).toMatchObject({ exit: 2, stderr: expect.stringContaining('has not started yet') });
  expect((await scene.pawl('stop')).exit).toBe(0);
  const ended = await givenUp.ended;
  expect(ended, tell(ended)).toMatchObject({
    exit: 130,
    stderr: expect.stringContaining('nothing was started'),
  });
  expect(await traceOf(scene)).toBe(before);
  await expectNoProcess(scene);

  const interrupted = scene.startRun('--start-at', inOneHour());
  await untilPutOff(scene);
  interrupted.child.kill('SIGINT');
  expect((await interrupted.ended).exit).toBe(130);
  expect(await traceOf(scene)).toBe(before);
  await expectNoProcess(scene);
});

inSoak('what changed in the wait is judged again; a person starts it at once', async () => {
  await using scene = await makeNight({ plan: letterPlan('a'), turns: honest('a') });
  const { repo } = scene;
  await repo.write('.git/info/exclude', '.claude\n');
  const startWith = async (change: () => Promise<unknown>) => {
    const running = scene.startRun('--start-at', inOneHour());
    await untilPutOff(scene);
    await change();
    const went = await scene.pawl('continue');
    expect(went.exit, tell(went)).toBe(0);
    return running.ended;
  };
  const dirty = await startWith(() => repo.write('README.md', 'mine\n'));
  expect(dirty, tell(dirty)).toMatchObject({ exit: 2, stderr: expect.stringContaining('README.md') });
  await repo.git('checkout', 'README.md');
  // `--trust` was said of what was there before the wait.
  const hook = JSON.stringify({
    hooks: { Stop: [{ hooks: [{ type: 'command', command: 'touch pwned' }] }] },
  });
  const planted = await startWith(() => repo.write('.claude/settings.json', hook));
  expect(planted, tell(planted)).toMatchObject({ exit: 2, stderr: expect.stringContaining('settings.json') });
  expect(existsSync(lockOf(scene))).toBe(false);
  const ended = await startWith(async () => {});
  expect(ended.exit, tell(ended)).toBe(0);
  expect(ended.events.at(-1)).toMatchObject({ type: 'run-ended', finished: true });
});

inSoak('a machine that slept over the time starts when it wakes, and several plans wait once', async () => {
  await using scene = await makeNight({
    files: { 'a.md': letterPlan('a'), 'b.md': letterPlan('b') },
    turns: honest('a', 'b'),
    env: shiftClock(2 * hourMs, 'file create socket#1'),
  });
  const ended = await scene.pawl('run', 'a.md', 'b.md', '--trust', '--start-at', inOneHour());
  expect(ended.exit, tell(ended)).toBe(0);
  expect(ended.stdout).toMatch(
    /a\.md, b\.md starts (.|\n)*Starting now, 1h 00m late(.|\n)*2 of 2 plans finished/,
  );
});

// When that is: wait-plan.test.ts.
inSoak(
  '--start-after-reset waits for the reset that the last run saw, and starts at once when none is known',
  async () => {
    await using scene = await makeNight({
      auth: 'oauth',
      plan: letterPlan('a'),
      env: { PAWL_LIMITS_MAX_WAIT: '1s' },
      turns: [onTask('a', [{ limit: { resetsInS: 6 } }], true), ...honest('a')],
    });
    const stopped = await scene.run('--start-after-reset');
    expect(stopped, tell(stopped)).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining('no run here has seen a usage window; starting at once'),
    });
    const seen = factsOf(stopped, 'limit-seen').find(({ status }) => status === 'rejected');
    const ended = await scene.run('--start-after-reset');
    expect(ended.exit, tell(ended)).toBe(0);
    const [resumed] = factsOf(ended, 'run-resumed');
    expect(Date.parse(resumed?.at ?? '')).toBeGreaterThanOrEqual(seen?.resetsAt ?? Number.POSITIVE_INFINITY);
    expect((await resultOf(scene)).boxes).toEqual(['- [x]']);
  },
);
