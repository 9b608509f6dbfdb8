import { chmodSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import type { SpawnRequest } from '../../src/process/spawn.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';
import { firstLines, isAlive, openRun, readAll, shell, spawn, statOf, until } from './programs.ts';

const temp = makeTempFolder();
const folder = temp.path;
afterAll(() => temp[Symbol.dispose]());
writeFileSync(path.join(folder, 'plain'), 'no program\n');
symlinkSync('loop', path.join(folder, 'loop'));
writeFileSync(path.join(folder, 'orphan'), '#!/nowhere/interpreter\n');
chmodSync(path.join(folder, 'orphan'), 0o755);

function io(pid: number): string {
  return readFileSync(`/proc/${pid}/io`, 'utf8');
}

async function runToEnd(request: SpawnRequest) {
  const program = spawn(request);
  const [stdout, stderr, ended] = await Promise.all([
    readAll(program.stdout),
    readAll(program.stderr),
    program.ended,
  ]);
  return { stdout, stderr, ended, pid: program.pid };
}

describe('a program that runs', () => {
  test('its outputs, exit code and whole environment', async () => {
    const request = {
      ...shell('echo out; echo err >&2; env | sort; exit 3'),
      env: { A: '1', PATH: '/usr/bin:/bin' },
    };
    const { stdout, stderr, ended } = await runToEnd(request);
    expect(stdout).toMatch(/^out\nA=1\n/);
    expect(stdout).not.toContain('HOME=');
    expect(stderr).toBe('err\n');
    expect(ended).toEqual({ code: 3, signal: null });
  });

  test('reads what is sent until its input is closed', async () => {
    const program = spawn({ ...shell('cat'), input: 'pipe' });
    expect(await program.send('grüße\n')).toBe(true);
    program.closeInput();
    expect(await readAll(program.stdout)).toBe('grüße\n');
    expect(await program.send('late')).toBe(false);
  });

  test('sending to one that does not listen any more is false, not an error', async () => {
    await using run = openRun();
    const program = run.start('exec <&-; echo closed; sleep 300', { input: 'pipe' });
    await firstLines(program, 1);
    expect(await program.send('anyone there?')).toBe(false);
  });

  test('terminal hang: it leads a session and a group of its own', async () => {
    await using run = openRun();
    const program = run.start('echo up; sleep 300');
    await firstLines(program, 1);
    const pid = program.pid ?? 0;
    expect(statOf(pid)).toMatchObject({ session: pid });
    expect(statOf(pid)?.session).not.toBe(statOf(process.pid)?.session);
  });

  test('a signal reaches its whole group, and nobody once it has ended', async () => {
    await using run = openRun();
    const program = run.start('sleep 300 & echo $!; wait');
    const [child] = await firstLines(program, 1);
    program.signal('SIGTERM');
    expect(await program.ended).toEqual({ code: null, signal: 'SIGTERM' });
    await until('the child is gone', () => !isAlive(Number(child)));

    const second = run.start('trap "" TERM; sleep 300 & echo $!; disown; exec true');
    const [survivor] = await firstLines(second, 1);
    await second.ended;
    second.signal('SIGKILL');
    await delay(100);
    expect(isAlive(Number(survivor))).toBe(true);
  });
});

describe('a program that cannot be started', () => {
  const cases: [string, () => Partial<SpawnRequest>, string, RegExp][] = [
    ['not found on PATH', () => ({ file: 'no-such-program' }), 'ENOENT', /no-such-program was not found/],
    ['not found by its path', () => ({ file: './nothing' }), 'ENOENT', /nothing was not found/],
    ['PATH of the child, not of pawl', () => ({ file: 'bash', env: { PATH: '/nowhere' } }), 'ENOENT', /bash/],
    ['no folder', () => ({ cwd: '/no/such' }), 'ENOENT', /the folder \/no\/such does not exist/],
    ['a folder that leads to itself', () => ({ cwd: path.join(folder, 'loop') }), 'ENOENT', /the folder /],
    ['not executable', () => ({ file: path.join(folder, 'plain') }), 'EACCES', /not executable/],
    ['no interpreter', () => ({ file: path.join(folder, 'orphan') }), 'ENOENT', /\/nowhere\/interpreter/],
    ['one argument above 128 KiB', () => ({ args: ['x'.repeat(140_000)] }), 'E2BIG', /E2BIG/],
  ];
  test.each(cases)('%s', async (_, more, code, message) => {
    const { stdout, stderr, ended, pid } = await runToEnd({ ...shell('true'), ...more() });
    expect(pid).toBeUndefined();
    expect([stdout, stderr]).toEqual(['', '']);
    expect(ended).toMatchObject({
      code: null,
      signal: null,
      startError: { code, message: expect.stringMatching(message) },
    });
  });

  test('an argument with a NUL is a value too, and all methods are harmless', async () => {
    const program = spawn({ ...shell('true'), args: ['a\0b'] });
    program.signal('SIGTERM');
    program.closeInput();
    expect(await program.send('x')).toBe(false);
    expect((await program.ended).startError).toBeInstanceOf(Error);
  });
});

describe('outputs', () => {
  test('a grandchild that goes on writing does not keep the reader', async () => {
    await using run = openRun();
    const program = run.start(
      'setsid bash -c "while :; do echo tick; sleep 0.05; done" & echo $!; exec sleep 0.2',
    );
    const [pid] = (await readAll(program.stdout)).split('\n').filter((line) => line !== 'tick');
    expect(isAlive(Number(pid))).toBe(true);
  });

  test('nor does one that writes faster than is read, and what the program wrote itself is whole', async () => {
    await using run = openRun();
    const program = run.start('seq 1 9999; setsid yes & exit 0');
    let [head, bytes] = ['', 0];
    for await (const chunk of program.stdout) {
      if (head.length < 50_000) head += Buffer.from(chunk).toString();
      bytes += chunk.length;
      await delay(1);
    }
    expect(head).toContain('\n9999\n');
    expect(bytes).toBeGreaterThan(head.length);
  });

  test('what a filter of its own prints just after its exit is not lost', async () => {
    const { stdout } = await runToEnd(shell('exec > >(sleep 0.1; cat; echo late); echo early'));
    expect(stdout).toBe('early\nlate\n');
  });

  test('what nobody has read yet waits, also past the exit and with a slow reader', async () => {
    await using run = openRun();
    const program = run.start('head -c 200000 /dev/zero; sleep 300 & exit 0');
    await delay(500);
    let bytes = 0;
    for await (const chunk of program.stdout) {
      bytes += chunk.length;
      await delay(30);
    }
    expect(bytes).toBe(200_000);
  });

  test('a busy stretch of pawl after the exit loses nothing that came meanwhile', async () => {
    await using run = openRun();
    const program = run.start('echo up; (sleep 0.15; echo late; sleep 300) & exit 0');
    const reading = readAll(program.stdout);
    await program.ended;
    await delay(20);
    // From here the loop comes to its timers first, to the pipe only after them.
    await setImmediate();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
    expect(await reading).toBe('up\nlate\n');
  });

  test('a reader that waits holds the program back', async () => {
    await using run = openRun();
    const program = run.start('yes >&1 & yes=$!; echo $yes >&2; wait');
    const [yes] = (await program.stderr[Symbol.asyncIterator]().next()).value?.toString().split('\n') ?? [];
    await program.stdout[Symbol.asyncIterator]().next();
    const written = () => Number(/wchar: (\d+)/.exec(io(Number(yes)))?.[1]);
    await until('it waits for its reader', () => {
      const bytes = written();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
      return bytes > 0 && written() === bytes;
    });
    expect(written()).toBeLessThan(4_000_000);
  });
});

test('slow end: pawl exits without waiting for a program that runs', async () => {
  await using run = openRun();
  const code = `
    import { spawn } from '${path.resolve('src/process/spawn.ts')}';
    const program = spawn({ file: 'sleep', args: ['300'], cwd: '/', env: process.env, input: 'closed' });
    console.log(program.pid);
    process.stdin.once('data', () => process.exit(7));`;
  const node = { file: process.execPath, args: ['--input-type=module', '-e', code] };
  const parent = run.start('', { ...node, input: 'pipe' });
  await firstLines(parent, 1);
  await parent.send('end\n');
  expect(await parent.ended).toEqual({ code: 7, signal: null });
});
