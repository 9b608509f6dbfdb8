import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { findCarriers } from '../../src/process/host-sweep.ts';
import { startRunWatchdog } from '../../src/process/run-watchdog.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';
import { firstLines, isAlive, openRun, shell, spawn, statOf, sweep, until } from './programs.ts';

const temp = makeTempFolder();
const folder = temp.path;
afterAll(() => temp[Symbol.dispose]());

const watchdogs = (run: string) => findCarriers(`PAWL_WATCHDOG=${run}`);

/** A pawl of its own: starts a watchdog and one agent that carries `mark`, says both pids, and waits. */
async function startPawl(run: string, mark: string, agent: string) {
  const code = `
    import { startRunWatchdog } from '${path.resolve('src/process/run-watchdog.ts')}';
    import { spawn } from '${path.resolve('src/process/spawn.ts')}';
    const watchdog = await startRunWatchdog('${run}', { graceMs: 300 });
    const [name, value] = '${mark}'.split('=');
    const program = spawn({
      file: 'bash', args: ['-c', ${JSON.stringify(agent)}], cwd: '/', env: { PATH: process.env.PATH, [name]: value }, input: 'closed' });
    for await (const chunk of program.stdout) { console.log(watchdog.pid, program.pid, String(chunk).trim()); break; }
    setInterval(() => {}, 1000);`;
  const pawl = spawn({ ...shell(''), file: process.execPath, args: ['--input-type=module', '-e', code] });
  const [line = ''] = await firstLines(pawl, 1);
  const [watchdogPid = 0, agentPid = 0, childPid = 0] = line.split(' ').map(Number);
  return { pawl, watchdogPid, agentPid, childPid };
}

describe('when pawl dies', () => {
  test.each([
    ['PAWL_SESSION', 'one that would end itself', 'sleep 300 & echo $!; wait'],
    [
      'PAWL_CHECK',
      'one that ignores TERM and left a daemon',
      'trap "" TERM; setsid nohup sleep 300 2>/dev/null & echo $!; sleep 300; sleep 300',
    ],
    ['PAWL_SESSION', 'one that was stopped', 'sleep 300 & echo $!; kill -STOP $! $$; wait'],
  ])('SIGKILL of pawl ends, by %s, %s: %s', async (name, _, agent) => {
    await using run = openRun();
    const { pawl, watchdogPid, agentPid, childPid } = await startPawl(run.id, `${name}=${run.id}/1`, agent);
    expect([watchdogPid, agentPid, childPid].map(isAlive)).toEqual([true, true, true]);
    pawl.signal('SIGKILL');
    await until('nothing is left', () => ![watchdogPid, agentPid, childPid].some(isAlive));
  });

  test('a terminal that goes, Ctrl-C and TERM do not reach it', async () => {
    await using run = openRun();
    const { pawl, watchdogPid, agentPid } = await startPawl(
      run.id,
      run.mark,
      'trap "" INT HUP TERM; echo 0; sleep 300; sleep 300',
    );
    expect(statOf(watchdogPid)?.session).toBe(watchdogPid);
    await until('it heeds no signal', () => ignoresSignals(watchdogPid));
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM', 'SIGQUIT']) process.kill(watchdogPid, signal);
    expect(isAlive(watchdogPid)).toBe(true);
    pawl.signal('SIGKILL');
    await until('nothing is left', () => ![watchdogPid, agentPid].some(isAlive));
  });
});

describe('while pawl lives', () => {
  test('a watchdog that dies is replaced, and pawl told', async () => {
    await using run = openRun();
    const exits: unknown[] = [];
    const watchdog = await startRunWatchdog(run.id, { onExit: (exit) => exits.push(exit) });
    const first = watchdog.pid ?? 0;
    process.kill(first, 'SIGKILL');
    await until('another one', () => watchdog.pid !== undefined && watchdog.pid !== first);
    expect(exits).toEqual([{ code: null, signal: 'SIGKILL', again: true }]);
    expect(watchdogs(run.id).map(({ pid }) => pid)).toEqual([watchdog.pid]);
    await watchdog.close();
    expect(watchdogs(run.id)).toEqual([]);
  });

  test('one that cannot live is given up, not started for ever', async () => {
    await using run = openRun();
    const broken = path.join(folder, 'broken.sh');
    writeFileSync(broken, '#!/bin/sh\nexit 3\n', { mode: 0o755 });
    const exits: { again: boolean }[] = [];
    const watchdog = await startRunWatchdog(run.id, { shell: broken, onExit: (exit) => exits.push(exit) });
    await until('given up', () => exits.at(-1)?.again === false);
    expect(exits).toEqual([true, true, false].map((again) => ({ code: 3, signal: null, again })));
    expect(watchdog.pid).toBeUndefined();
    await watchdog.close();
  });

  test('it carries no mark, no secret, and no sweep finds it', async () => {
    await using run = openRun();
    const watchdog = await startRunWatchdog(run.id);
    try {
      expect(await sweep.find(run.mark)).toEqual([]);
      expect(watchdogs(run.id)).toMatchObject([{ pid: watchdog.pid }]);
      expect(watchdog.leftovers).toEqual([]);
    } finally {
      await watchdog.close();
    }
  });

  test('its close ends what is left, and waits', async () => {
    await using run = openRun();
    const watchdog = await startRunWatchdog(run.id, { graceMs: 200 });
    const left = run.start('trap "" TERM; echo up; sleep 300; sleep 300');
    await firstLines(left, 1);
    await watchdog.close();
    expect(isAlive(left.pid ?? 0)).toBe(false);
    expect(watchdogs(run.id)).toEqual([]);
    await watchdog.close();
  });

  test('it is told that nothing is left, and by that alone needs not look itself', async () => {
    await using run = openRun();
    const [shell, heard] = ['listening.sh', 'heard'].map((name) => path.join(folder, name));
    writeFileSync(shell ?? '', `#!/bin/sh\nexec cat > '${heard}'\n`, { mode: 0o755 });
    const watchdog = await startRunWatchdog(run.id, { shell: shell ?? '' });
    await watchdog.close();
    expect(readFileSync(heard ?? '', 'utf8')).toBe('over\n');
  });

  test('it does not keep pawl from ending', async () => {
    await using run = openRun();
    const code = `import { startRunWatchdog } from '${path.resolve('src/process/run-watchdog.ts')}'; await startRunWatchdog('${run.id}');`;
    const pawl = spawn({ ...shell(''), file: process.execPath, args: ['--input-type=module', '-e', code] });
    expect(await pawl.ended).toEqual({ code: 0, signal: null });
    await until('the watchdog goes too', () => watchdogs(run.id).length === 0);
  });
});

describe('the next life of a run', () => {
  test('waits for the former watchdog, which would take its sessions for its own', async () => {
    await using run = openRun();
    const { pawl, watchdogPid, agentPid } = await startPawl(run.id, run.mark, 'echo 0; exec sleep 300');
    process.kill(watchdogPid, 'SIGSTOP');
    pawl.signal('SIGKILL');
    let started = false;
    const starting = startRunWatchdog(run.id, { graceMs: 5_000 }).then((watchdog) => {
      started = true;
      return watchdog;
    });
    await delay(400);
    expect([started, isAlive(agentPid)]).toEqual([false, true]);
    process.kill(watchdogPid, 'SIGCONT');
    const watchdog = await starting;
    expect([watchdogPid, agentPid].map(isAlive)).toEqual([false, false]);
    expect(watchdog.leftovers).toEqual([]);
    await watchdog.close();
  });

  test('ends and names what a former life left, if even its watchdog was killed', async () => {
    await using run = openRun();
    const { pawl, watchdogPid, agentPid } = await startPawl(run.id, run.mark, 'echo 0; exec sleep 300');
    process.kill(pawl.pid ?? 0, 'SIGSTOP');
    process.kill(watchdogPid, 'SIGKILL');
    pawl.signal('SIGKILL');
    await pawl.ended;
    expect(isAlive(agentPid)).toBe(true);
    const watchdog = await startRunWatchdog(run.id, { graceMs: 300 });
    expect(watchdog.leftovers).toMatchObject([{ pid: agentPid, command: 'sleep 300' }]);
    expect(isAlive(agentPid)).toBe(false);
    await watchdog.close();
  });
});

/** True once a program ignores SIGQUIT (bit 2 of the mask), the last of those it is told to. */
function ignoresSignals(pid: number): boolean {
  const ignored = /SigIgn:\s+(\w+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return (BigInt(`0x${ignored}`) & (1n << 2n)) !== 0n;
}
