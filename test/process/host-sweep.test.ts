import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { childEnvironment } from '../../src/process/environment.ts';
import { endRun, findCarriers } from '../../src/process/host-sweep.ts';
import { readTable } from '../../src/process/process-table.ts';
import type { Mark, Process } from '../../src/process/sweep.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';
import { firstLines, isAlive, openRun, shell, spawn, stateOf, sweep, until } from './programs.ts';

const temp = makeTempFolder();
const folder = temp.path;
afterAll(() => temp[Symbol.dispose]());

const pids = (processes: readonly Process[]) => processes.map(({ pid }) => pid).sort((a, b) => a - b);
const sorted = (...values: (number | string | undefined)[]) => values.map(Number).sort((a, b) => a - b);

describe('finding', () => {
  test('whole entries: neither a longer value, nor another name, nor the text within a value', async () => {
    await using run = openRun();
    const base = childEnvironment(process.env);
    const mark = (number: string): Mark => `PAWL_SESSION=${run.id}/${number}`;
    const start = (env: Record<string, string>) =>
      spawn({ ...shell('echo up; exec sleep 300'), env: { ...base, ...env } });
    const [one, ten, other, quoting] = [
      start({ PAWL_SESSION: `${run.id}/1` }),
      start({ PAWL_SESSION: `${run.id}/10` }),
      start({ PAWL_CHECK: `${run.id}/1` }),
      start({ NOTE: `PAWL_SESSION=${run.id}/1`, XPAWL_SESSION: `${run.id}/1` }),
    ] as const;
    try {
      for (const each of [one, ten, other, quoting]) await firstLines(each, 1);
      expect(pids(await sweep.find(mark('1')))).toEqual(sorted(one.pid));
      expect(pids(await sweep.find(mark('10')))).toEqual(sorted(ten.pid));
      expect(pids(await sweep.find(`PAWL_CHECK=${run.id}/1`))).toEqual(sorted(other.pid));
      expect(pids(await sweep.find(mark('')))).toEqual([]);
    } finally {
      quoting.signal('SIGKILL');
    }
  });

  test('orphan processes: setsid, nohup, disown and a double fork', async () => {
    await using run = openRun();
    const leader = run.start(
      'setsid sleep 301 & nohup sleep 302 >/dev/null 2>&1 & (setsid -f sleep 303 &) ; sleep 304 & disown; exit 0',
    );
    await leader.ended;
    await until(
      'all four sleep',
      () => commandsNow(run.mark).filter((command) => /^sleep 30\d$/.test(command)).length === 4,
    );
    const found = await sweep.find(run.mark);
    expect(found.map(({ command }) => command).sort()).toEqual([
      'sleep 301',
      'sleep 302',
      'sleep 303',
      'sleep 304',
    ]);
    expect(found.every(({ startTime }) => /^\d+$/.test(startTime))).toBe(true);
    expect(pids(await sweep.end(run.mark))).toEqual(pids(found));
    expect(await sweep.find(run.mark)).toEqual([]);
  });

  test('an environment dropped is still a descendant, and an orphan still in the session', async () => {
    await using run = openRun();
    const leader = run.start('env -i sleep 301 & (env -i sleep 302 & ) ; sleep 303; :');
    const commands = async (root?: number) =>
      (await sweep.find(run.mark, root)).map(({ command }) => command).sort();
    const asleep = () =>
      [...readTable()].filter(
        ({ session, command }) => session === leader.pid && command().startsWith('sleep 30'),
      );
    await until('all three sleep', () => asleep().length === 3);
    expect(await commands()).toEqual(expect.arrayContaining(['sleep 301', 'sleep 302', 'sleep 303']));
    process.kill(leader.pid ?? 0, 'SIGKILL');
    await leader.ended;
    // The leader is gone and both have dropped the mark: what is left of them is the session they were born into.
    expect(await commands()).toEqual(['sleep 303']);
    expect(await commands(leader.pid)).toEqual(['sleep 301', 'sleep 302', 'sleep 303']);
    expect(await sweep.end(run.mark, { root: leader.pid ?? 0 })).toHaveLength(3);
  });

  test('never pawl itself, even if it carries the mark', async () => {
    await using run = openRun();
    const code = `
      import { sweep } from '${path.resolve('src/process/host-sweep.ts')}';
      import { spawn } from 'node:child_process';
      const child = spawn('sleep', ['300'], { detached: true });
      child.once('spawn', async () => console.log(JSON.stringify((await sweep.end('${run.mark}')).map((each) => each.command))));`;
    const pawl = run.start('', { file: process.execPath, args: ['--input-type=module', '-e', code] });
    expect(await firstLines(pawl, 1)).toEqual(['["sleep 300"]']);
    expect(await pawl.ended).toEqual({ code: 0, signal: null });
  });
});

describe('signalling', () => {
  test('a stopped tree writes nothing, and goes on where it was', async () => {
    await using run = openRun();
    const file = path.join(folder, 'ticks');
    const loop = 'while :; do echo $$ >> "$F"; sleep 0.005; done';
    const leader = run.start(`export F=${file}; setsid bash -c '${loop}' & bash -c '${loop}' & ${loop}`);
    const size = () => readFileSync(file, 'utf8').length;
    writeFileSync(file, '');
    await until('all three write', () => new Set(readFileSync(file, 'utf8').split('\n')).size === 4);
    let held = await sweep.find(run.mark, leader.pid);
    sweep.signal(held, 'SIGSTOP');
    // A fork can fall between the look and the stop: what was missed is stopped by a second look.
    held = await sweep.find(run.mark, leader.pid);
    sweep.signal(held, 'SIGSTOP');
    await until('all are stopped', () => held.every(({ pid }) => !isAlive(pid) || stateOf(pid) === 'T'));
    const before = size();
    await delay(200);
    expect(size()).toBe(before);
    sweep.signal(held, 'SIGCONT');
    await until('it goes on', () => size() > before + 100);
  });

  test('a parent that watches its jobs does not see one stopped and continued', async () => {
    await using run = openRun();
    const script = 'set -m; sleep 300 & echo up; wait $!; echo "waited: $?"';
    for (let round = 0; round < 10; round += 1) {
      const parent = run.start(script);
      const lines = firstLines(parent, 2);
      await until(
        'both run',
        () => commandsNow(run.mark).includes('sleep 300') && stateOf(parent.pid ?? 0) === 'S',
      );
      const held = await sweep.find(run.mark);
      sweep.signal(held, 'SIGSTOP');
      expect(held.map(({ pid }) => stateOf(pid))).toEqual(['T', 'T']);
      sweep.signal(held, 'SIGCONT');
      sweep.signal(
        held.filter(({ command }) => command === 'sleep 300'),
        'SIGTERM',
      );
      expect(await lines).toEqual(['up', 'waited: 143']);
      await parent.ended;
    }
  });

  test('a pid that was reused is left alone', async () => {
    await using run = openRun();
    const program = run.start('echo up; exec sleep 300');
    await firstLines(program, 1);
    const [seen] = await sweep.find(run.mark);
    if (!seen) throw new Error('not found');
    sweep.signal([{ ...seen, startTime: '1' }], 'SIGKILL');
    sweep.signal([{ ...seen, pid: 2 ** 22 + 1 }], 'SIGKILL');
    expect(isAlive(seen.pid)).toBe(true);
    sweep.signal([seen], 'SIGKILL');
    expect(await program.ended).toMatchObject({ signal: 'SIGKILL' });
  });
});

describe('ending', () => {
  test('TERM first, so that it can put its house in order', async () => {
    await using run = openRun();
    const program = run.start('trap "echo tidy; exit 0" TERM; echo up; while :; do sleep 0.01; done');
    const lines = firstLines(program, 2);
    await until('it is up', () => pidsNow(run.mark) > 0);
    await delay(100);
    await sweep.end(run.mark);
    expect(await lines).toEqual(['up', 'tidy']);
  });

  test('a stopped one hears the TERM', async () => {
    await using run = openRun();
    const program = run.start('trap "exit 9" TERM; echo up; kill -STOP $$; while :; do sleep 0.01; done');
    await firstLines(program, 1);
    await until('it stands', () => stateOf(program.pid ?? 0) === 'T');
    await sweep.end(run.mark, { graceMs: 10_000 });
    expect(await program.ended).toEqual({ code: 9, signal: null });
  });

  test('KILL for those that do not listen', async () => {
    await using run = openRun();
    const program = run.start(
      'trap "" TERM; echo up; setsid bash -c "sleep 300; sleep 300" & sleep 300; sleep 300',
    );
    await firstLines(program, 1);
    await until('all run', () => pidsNow(run.mark) === 4);
    expect(await sweep.end(run.mark, { graceMs: 100 })).not.toHaveLength(0);
    expect(await program.ended).toMatchObject({ signal: 'SIGKILL' });
    expect(await sweep.find(run.mark)).toEqual([]);
  });

  test('what is excepted lives on, what it started since does not', async () => {
    await using run = openRun();
    const kept = run.start('echo up; read; sleep 300 & echo $!; setsid sleep 301 & wait', { input: 'pipe' });
    const lines = firstLines(kept, 2);
    await until('it is up', () => pidsNow(run.mark) === 1);
    const except = await sweep.find(run.mark, kept.pid);
    await kept.send('go\n');
    await lines;
    await until('its children run', () =>
      ['sleep 300', 'sleep 301'].every((each) => commandsNow(run.mark).includes(each)),
    );
    const ended = await sweep.end(run.mark, { root: kept.pid ?? 0, except });
    expect(ended.map(({ command }) => command).sort()).toEqual(['sleep 300', 'sleep 301']);
    expect(await kept.ended).toEqual({ code: 0, signal: null });
  });

  test('a relay that runs on under ever new pids, in ever new sessions', async () => {
    await using run = openRun();
    const file = path.join(folder, 'relay.sh');
    writeFileSync(
      file,
      'trap "" TERM\n[ "$EPOCHSECONDS" -gt "$1" ] && exit\nsetsid -f bash "$0" "$1"\nexit 0\n',
    );
    // The net below the test: the relay ends itself if the sweep does not.
    const last = String(Math.ceil(Date.now() / 1000) + 12);
    for (let each = 0; each < 3; each += 1) await run.start('', { args: [file, last] }).ended;
    await sweep.end(run.mark, { graceMs: 50 });
    expect(await sweep.find(run.mark)).toEqual([]);
    await delay(100);
    expect(await sweep.find(run.mark)).toEqual([]);
  });

  test('a whole run: sessions and checks, but no run with a longer name', async () => {
    await using run = openRun();
    const base = childEnvironment(process.env);
    const session = run.start('echo up; exec sleep 300');
    const check = spawn({ ...shell('echo up; exec sleep 300'), env: { ...base, PAWL_CHECK: `${run.id}/7` } });
    const other = spawn({
      ...shell('echo up; exec sleep 300'),
      env: { ...base, PAWL_SESSION: `${run.id}-b/1` },
    });
    for (const each of [session, check, other]) await firstLines(each, 1);
    expect(pids(await endRun(run.id))).toEqual(sorted(session.pid, check.pid));
    expect(isAlive(other.pid ?? 0)).toBe(true);
    await endRun(`${run.id}-b`);
  });
});

function commandsNow(mark: Mark): readonly string[] {
  return findCarriers(mark).map(({ command }) => command);
}

function pidsNow(mark: Mark): number {
  return findCarriers(mark).length;
}
