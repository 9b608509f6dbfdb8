// `kill -9` of those beside pawl: the watchdog, the watchdog with the agent, pawl with its watchdog. What cannot be held then is
// said here: an agent that ignores TERM outlives both, until the next start ends it before it begins anything.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { done, honest, letterPlan, onTask } from '../helpers/letters.ts';
import { expectNoProcess, makeNight, startTo } from '../helpers/night.ts';
import { expectExit, factsOf, type Scene } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';

const plan = letterPlan('a');
const half: Step = { bash: 'echo half > half.txt; sleep 3' };
const slow = [onTask('a', [half, { bash: 'echo a > a.txt' }, done], true), ...honest('a')];

/** Pids of the scene's processes whose environment has an entry that begins so. */
function carriers({ repo }: Scene, entry: 'PAWL_WATCHDOG' | 'PAWL_SESSION'): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return `\0${readFileSync(`/proc/${pid}/environ`, 'utf8')}`.includes(`\0${entry}=${repo.path}`);
      } catch {
        return false;
      }
    })
    .map(Number);
}

function killAll(pids: readonly number[]): void {
  expect(pids).not.toEqual([]);
  for (const pid of pids) process.kill(pid, 'SIGKILL');
}

async function startSlow(turns = slow) {
  const scene = await makeNight({ plan, turns });
  const running = await startTo(scene, 'half.txt');
  return { scene, running };
}

describe.concurrent('kill -9', () => {
  test('of the watchdog: another one takes its place, and the run goes on', async () => {
    const started = await startSlow();
    await using scene = started.scene;
    const [first] = carriers(scene, 'PAWL_WATCHDOG');
    killAll(carriers(scene, 'PAWL_WATCHDOG'));
    const another = () => carriers(scene, 'PAWL_WATCHDOG').filter((pid) => pid !== first);
    await vi.waitFor(() => expect(another()).toHaveLength(1), { timeout: 240_000 });
    const ended = await expectExit(0, started.running.ended);
    expect(factsOf(ended, 'noticed').map(({ code }) => code)).toContain('watchdog');
    await expectNoProcess(scene);
  });

  inSoak('of the watchdog and the agent: a fresh session goes on with the work', async () => {
    const started = await startSlow();
    await using scene = started.scene;
    killAll([...carriers(scene, 'PAWL_WATCHDOG'), ...carriers(scene, 'PAWL_SESSION')]);
    const ended = await expectExit(0, started.running.ended);
    expect(factsOf(ended, 'session-ended').map(({ outcome }) => outcome)).toEqual(['crashed', 'done']);
    expect(await scene.repo.git('show', '--name-only', '--format=', 'HEAD')).toContain('half.txt');
    await expectNoProcess(scene);
  });

  inSoak('of pawl and its watchdog: a stubborn agent lives on, until the next start ends it', async () => {
    const stubborn: Step = { ignore: ['SIGTERM', 'SIGHUP'] };
    const hang: Step = { bash: "trap '' TERM HUP; echo half > half.txt; sleep 600 & wait; sleep 600" };
    const started = await startSlow([onTask('a', [stubborn, hang], true), ...honest('a')]);
    await using scene = started.scene;
    killAll([...carriers(scene, 'PAWL_WATCHDOG'), started.running.child.pid ?? 0]);
    await started.running.ended;
    expect(carriers(scene, 'PAWL_SESSION')).not.toEqual([]);
    const again = await expectExit(0, scene.run());
    const told = again.events.map(({ type }) => type);
    expect(told.indexOf('leftovers-ended')).toBeGreaterThan(-1);
    expect(told.indexOf('leftovers-ended')).toBeLessThan(told.indexOf('session-started'));
    await expectNoProcess(scene);
  });
});
