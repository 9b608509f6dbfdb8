import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { HeadTailBuffer, OutputLog } from '../../src/process/head-tail-buffer.ts';
import { type ProgramRequest, runProgram } from '../../src/process/run-program.ts';
import { neverStarted } from '../../src/process/spawn.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';
import { isAlive, openRun, shell, spawn, sweep, until } from './programs.ts';

const temp = makeTempFolder();
const folder = temp.path;
afterAll(() => temp[Symbol.dispose]());

const minute = 60_000;

function run(script: string, more: Partial<ProgramRequest> = {}) {
  return runProgram({ spawn, sweep }, { ...shell(script), timeoutMs: minute, ...more });
}

describe('a program that ends by itself', () => {
  test('its outputs apart and together, its end, nothing left', async () => {
    const end = await run('echo out; echo err >&2; echo more; exit 4');
    expect(end).toMatchObject({
      ended: { code: 4, signal: null },
      timedOut: false,
      aborted: false,
      leftovers: [],
    });
    expect([end.stdout.text, end.stderr.text]).toEqual(['out\nmore\n', 'err\n']);
    // Which pipe is read first is the system's affair.
    expect(['out\nmore\nerr\n', 'out\nerr\nmore\n', 'err\nout\nmore\n']).toContain(end.output.text);
    expect(end.durationMs).toBeGreaterThan(0);
  });

  test('not started is a value', async () => {
    const end = await run('true', { file: 'no-such-program' });
    expect(end).toMatchObject({
      ended: { code: null, startError: { code: 'ENOENT' } },
      timedOut: false,
      leftovers: [],
    });
  });

  test('input is written and closed', async () => {
    const stdin = 'grüße\n'.repeat(100_000);
    const end = await run('wc -c; echo end', { stdin });
    expect(end.stdout.text.trim()).toBe(`${Buffer.byteLength(stdin)}\nend`);
    expect((await run('cat', { stdin: '' })).ended.code).toBe(0);
  });

  test('input that nobody reads does no harm', async () => {
    expect((await run('exec <&-; exit 5', { stdin: 'x'.repeat(1_000_000) })).ended).toEqual({
      code: 5,
      signal: null,
    });
  });

  test('without input it reads an end of file', async () => {
    expect((await run('cat; echo read')).stdout.text).toBe('read\n');
  });
});

describe('what is kept', () => {
  test('head and tail of each output, the rest only in the file', async () => {
    const outputFile = path.join(folder, 'seq.log');
    const end = await run('seq 1 100000; seq 1 10 >&2', { keepBytes: 10, outputFile });
    const all = Array.from({ length: 100_000 }, (_, at) => `${at + 1}\n`).join('');
    expect(end.stdout.text).toBe(`1\n2\n3\n4\n5\n\n… ${all.length - 20} bytes left out …\n99\n100000\n`);
    expect(end.stderr.omittedBytes).toBe(1);
    expect(statSync(outputFile).size).toBe(all.length + 21);
    expect(statSync(outputFile).mode & 0o777).toBe(0o600);
  });

  test('all of it, where asked, as git’s lists of files are', async () => {
    const print = (stdoutBytes: number) => run('head -c 3000000 /dev/zero', { stdoutBytes, keepBytes: 10 });
    expect((await print(3_000_000)).stdout.bytes).toHaveLength(3_000_000);
    expect((await print(2_000_000)).cut).toBe(true);
  });

  test('the file is appended to as it comes', async () => {
    const outputFile = path.join(folder, 'append.log');
    const read = () => readFileSync(outputFile, 'utf8');
    await run('echo first', { outputFile });
    const cut = new AbortController();
    const running = run('echo second; sleep 300', { outputFile, signal: cut.signal });
    await until('the second stands there', () => read() === 'first\nsecond\n');
    cut.abort();
    await running;
  });

  test('outputs that come at once are not cut into each other’s characters', async () => {
    const half = String.raw`printf '\xe2\x82'; sleep 0.1; echo between >&2; sleep 0.1; printf '\xac'; printf '\xf0\x9f'`;
    const end = await run(half);
    expect(end.output.text).toBe(`between\n€${Buffer.from([0xf0, 0x9f]).toString()}`);
  });

  test('a disk that is full ends the program and is said', async () => {
    const pidFile = path.join(folder, 'full.pid');
    const running = run(`echo $$ > ${pidFile}; echo x; sleep 300`, {
      outputFile: '/dev/full',
      graceMs: 5_000,
    });
    await expect(running).rejects.toMatchObject({
      code: 'disk',
      message: 'cannot write /dev/full: no space is left on the disk',
      hint: expect.stringMatching(/^Free some space/),
    });
    expect(isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
  });

  test('what comes once the file is closed goes into no other', () => {
    const log = new OutputLog(path.join(folder, 'closed.log'), new HeadTailBuffer(10, 10));
    log[Symbol.dispose]();
    const other = path.join(folder, 'other.log');
    const fds = Array.from({ length: 3 }, () => openSync(other, 'a'));
    log.add('stdout', Buffer.from('late'));
    for (const fd of fds) closeSync(fd);
    expect([log.failure, readFileSync(other, 'utf8')]).toEqual([undefined, '']);
  });

  test('a file that cannot be opened is said before anything is started', async () => {
    const marker = path.join(folder, 'started');
    const running = run(`touch ${marker}`, { outputFile: path.join(folder, 'no', 'such', 'file') });
    await expect(running).rejects.toMatchObject({ code: 'disk' });
    expect(() => statSync(marker)).toThrow('ENOENT');
  });
});

describe('a program that is ended', () => {
  test('its clock: TERM to its group, and it may still speak', async () => {
    const end = await run('trap "echo bye; exit 3" TERM; while :; do sleep 0.01; done', { timeoutMs: 300 });
    expect(end).toMatchObject({ timedOut: true, aborted: false, ended: { code: 3 } });
    expect(end.stdout.text).toBe('bye\n');
  });

  test('KILL when TERM is not heard', async () => {
    const end = await run('trap "" TERM; while :; do sleep 0.01; done', { timeoutMs: 100, graceMs: 100 });
    expect(end).toMatchObject({ timedOut: true, ended: { signal: 'SIGKILL' } });
  });

  test('a stopped one gets TERM and CONT: no need for KILL', async () => {
    const end = await run('kill -STOP $$; sleep 300', { timeoutMs: 300, graceMs: 30_000 });
    expect(end).toMatchObject({ timedOut: true, ended: { signal: 'SIGTERM' } });
  });

  test('slow Ctrl-C: an abort while it blocks on its output', async () => {
    const cut = new AbortController();
    const running = run('echo $$; sleep 300 | cat', { signal: cut.signal });
    setTimeout(() => cut.abort(), 200);
    expect(await running).toMatchObject({ aborted: true, timedOut: false, ended: { signal: 'SIGTERM' } });
  });

  test('an abort that came before: nothing is started', async () => {
    const marker = path.join(folder, 'aborted');
    const end = await run(`touch ${marker}`, { signal: AbortSignal.abort() });
    expect(end).toMatchObject({ aborted: true, ended: { code: null, signal: null } });
    expect(() => statSync(marker)).toThrow('ENOENT');
  });

  test('without a mark: whoever ignored TERM in its session goes too', async () => {
    const end = await run('(trap "" TERM; sleep 301; sleep 302) & echo $!; sleep 303', { timeoutMs: 300 });
    expect(end.ended).toMatchObject({ signal: 'SIGTERM' });
    expect(isAlive(Number(end.stdout.text))).toBe(false);
    expect(end.leftovers.map(({ command }) => command)).toContain('sleep 301');
  });

  test.each([
    ['EMFILE', /files open/, /ulimit -n/],
    ['EAGAIN', /no more processes/, /ulimit -u/],
  ])(
    'what the system lacks (%s) is a failure of the environment, with what helps',
    async (code, says, helps) => {
      const refused: typeof spawn = () =>
        neverStarted(Promise.resolve(Object.assign(new Error(`spawn bash ${code}`), { code })));
      const running = runProgram({ spawn: refused, sweep }, { ...shell('true'), timeoutMs: minute });
      await expect(running).rejects.toMatchObject({
        code: 'environment',
        message: expect.stringMatching(says),
        hint: expect.stringMatching(helps),
      });
    },
  );

  test('one that not even KILL ends is a failure of the environment, not a hang', async () => {
    const sent: string[] = [];
    const deaf = (request: Parameters<typeof spawn>[0]) => ({
      ...spawn(request),
      signal: (name: string) => void sent.push(name),
      ended: new Promise<never>(() => {}),
    });
    const running = runProgram({ spawn: deaf, sweep }, { ...shell('true'), timeoutMs: 10, graceMs: 10 });
    await expect(running).rejects.toMatchObject({
      code: 'environment',
      message: expect.stringContaining('KILL'),
    });
    expect(sent).toEqual(['SIGTERM', 'SIGCONT', 'SIGKILL']);
  });
});

describe('what it leaves', () => {
  test('a grandchild that holds the output does not hang it, and is ended', async () => {
    await using marked = openRun();
    const end = await run('setsid sleep 300 & echo $!', { mark: marked.mark, env: marked.env });
    expect(end.leftovers.map(({ pid }) => pid)).toEqual([Number(end.stdout.text)]);
    expect(isAlive(Number(end.stdout.text))).toBe(false);
  });

  test('without a mark a daemon may stay: git starts its maintenance so', async () => {
    const end = await run('setsid sleep 300 >/dev/null 2>&1 & echo $!');
    expect(end.leftovers).toEqual([]);
    expect(isAlive(Number(end.stdout.text))).toBe(true);
    process.kill(Number(end.stdout.text), 'SIGKILL');
  });
});
