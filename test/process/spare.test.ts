import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { findDeathPrefix } from '../../src/process/death.ts';
import { createSpares, type Spares } from '../../src/process/spare.ts';
import { type Become, becomeScript } from '../../src/process/spare-text.ts';
import { createSpawn, type SpawnRequest } from '../../src/process/spawn.ts';
import {
  firstLines,
  isAlive,
  openRun,
  readAll,
  shell,
  spawn as spawnByNode,
  statOf,
  sweep,
  until,
} from './programs.ts';

const pool = createSpares();
afterAll(() => pool.close());

/** Whether the last program became one of the spares. */
let isSpare = false;
const watched: Spares = {
  ...{ fill: () => pool.fill(), close: () => {} },
  take: (program) => {
    const child = pool.take(program);
    isSpare = child !== undefined;
    return child;
  },
};
const spawn = createSpawn({ spares: watched });

async function start(request: SpawnRequest) {
  pool.fill();
  await setImmediate();
  await setImmediate();
  return spawn(request);
}

async function run(request: SpawnRequest, input?: string) {
  const program = await start(request);
  if (input !== undefined) await program.send(input);
  program.closeInput();
  const [stdout, stderr, ended] = await Promise.all([
    readAll(program.stdout),
    readAll(program.stderr),
    program.ended,
  ]);
  return { stdout, stderr, ended, pid: program.pid, isSpare };
}

const env = { A: '1', PATH: '/usr/bin:/bin' };

describe.runIf(existsSync('/bin/dash'))('a program that a waiting shell becomes', () => {
  test('has its outputs, exit code, folder, input and session', async () => {
    const script = 'pwd; cat; echo err >&2; cut -d" " -f6 /proc/$$/stat; exit 3';
    const told = await run({ ...shell(script), cwd: '/usr', input: 'pipe' }, 'grüße\n');
    const { pid } = told;
    const stdout = `/usr\ngrüße\n${pid}\n`;
    expect(told).toEqual({ stdout, stderr: 'err\n', ended: { code: 3, signal: null }, pid, isSpare: true });
  });

  test('reads nothing where nothing is to be read, and holds no other file', async () => {
    const script = shell('cat; readlink /proc/self/fd/0; ls /proc/self/fd');
    const { stdout, isSpare } = await run(script);
    expect([stdout.slice(0, 10), isSpare]).toEqual(['/dev/null\n', true]);
    expect(stdout).toBe(await readAll(spawnByNode(script).stdout));
    const fed = { ...script, args: ['-c', 'ls /proc/self/fd'], input: 'pipe' } as const;
    expect((await run(fed, '')).stdout).toBe(await readAll(spawnByNode(fed).stdout));
  });

  test('gets its whole environment and its words as they are, and nothing else', async () => {
    const word = fc.string({ unit: 'binary', maxLength: 60 }).filter((text) => !text.includes('\0'));
    const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/);
    const own = fc.dictionary(fc.oneof(name, fc.constantFrom('PWD', 'OLDPWD', 'HOME', 'PATH', '_')), word);
    await fc.assert(
      fc.asyncProperty(own, fc.array(word, { maxLength: 4 }), async (variables, words) => {
        const told = await run({ ...shell(''), file: '/usr/bin/env', args: ['-0'], env: variables });
        const expected = Object.entries(variables).map(([key, value]) => `${key}=${value}`);
        expect(told.stdout.split('\0').slice(0, -1).sort()).toEqual(utf8(expected).sort());
        const said = await run({ ...shell(''), file: '/usr/bin/printf', args: ['%s\\0', ...words], env });
        expect(said.stdout.split('\0').slice(0, -1)).toEqual(words.length === 0 ? [''] : utf8(words));
      }),
      { numRuns: 40 },
    );
  });

  test('ends by a signal, which reaches its whole group', async () => {
    await using own = openRun();
    const program = await start({ ...shell('sleep 300 & echo $!; wait'), env: own.env });
    const [child] = await firstLines(program, 1);
    program.signal('SIGTERM');
    expect([await program.ended, isSpare]).toEqual([{ code: null, signal: 'SIGTERM' }, true]);
    await until('the child is gone', () => !isAlive(Number(child)));
  });

  test('is found by its mark, with all that came of it', async () => {
    await using own = openRun();
    const program = await start({ ...shell('setsid bash -c "echo \\$\\$; sleep 300"; :'), env: own.env });
    const [child] = await firstLines(program, 1);
    const found = (await sweep.find(own.mark)).map(({ pid }) => pid);
    expect([found, isSpare]).toEqual([expect.arrayContaining([program.pid, Number(child)]), true]);
  });

  test('a grandchild that keeps its output does not keep the reader', async () => {
    const { stdout } = await run(shell('setsid sleep 30 & echo $!'));
    expect(isAlive(Number(stdout))).toBe(true);
    process.kill(Number(stdout));
  });

  test('one that does not listen is told so', async () => {
    await using own = openRun();
    const program = await start({ ...shell('exec <&-; echo; sleep 300'), env: own.env, input: 'pipe' });
    await firstLines(program, 1);
    expect([await program.send('anyone there?'), isSpare]).toEqual([false, true]);
  });

  test.each<[string, Partial<SpawnRequest>]>([
    ['program', { file: 'no-such-program' }],
    ['program by its path', { file: './no-such-program' }],
    ['folder', { cwd: '/no/such/folder' }],
  ])('no such %s: a value, and no spare is taken', async (_, more) => {
    isSpare = false;
    const { ended } = await run({ ...shell('true'), ...more });
    expect([ended.startError, isSpare]).toMatchObject([{ code: 'ENOENT' }, false]);
  });

  test.each<[string, Partial<SpawnRequest>]>([
    ['a variable that is no name', { env: { ...env, 'a.b': '1' } }],
    ['a variable of the shell’s own', { env: { ...env, OPTIND: '7' } }],
    ['more words than a spare is told', { args: ['-c', `: ${'x'.repeat(70_000)}`] }],
    ['one that may outlive pawl', { dieWithParent: false }],
  ])('%s: Node starts it', async (_, more) => {
    isSpare = false;
    const { ended, ...told } = await run({ ...shell('true'), ...more });
    expect([ended, told.isSpare]).toEqual([{ code: 0, signal: null }, false]);
  });

  test('where none waits Node starts it, and another one waits soon', async () => {
    const spares = createSpares();
    const taken: boolean[] = [];
    const take: Spares['take'] = (program) => {
      const child = spares.take(program);
      taken.push(child !== undefined);
      return child;
    };
    const spawnBy = createSpawn({ spares: { fill: () => {}, take, close: () => {} } });
    const echo = async () => await readAll(spawnBy(shell('echo on')).stdout);
    expect(await echo()).toBe('on\n');
    spares.fill();
    await setImmediate();
    for (let at = 0; at < 3; at += 1) expect(await echo()).toBe('on\n');
    spares.close();
    expect(await echo()).toBe('on\n');
    expect(taken).toEqual([false, true, true, true, false]);
  });
});

describe.runIf(existsSync('/bin/dash'))('those that wait', () => {
  const script = (rest: string) => `
    import { createSpares } from '${path.resolve('src/process/spare.ts')}';
    import { createSpawn } from '${path.resolve('src/process/spawn.ts')}';
    const spares = createSpares();
    spares.fill();
    ${rest}`;
  const node = (code: string) => ['--input-type=module', '-e', code];
  const children = (pid: number | undefined) =>
    readdirSync('/proc').filter((name) => /^\d+$/.test(name) && statOf(Number(name))?.ppid === pid);

  test('keep no process alive', () => {
    const done = 'setImmediate(() => console.log("done"));';
    expect(execFileSync(process.execPath, node(script(done)), { encoding: 'utf8', timeout: 20_000 })).toBe(
      'done\n',
    );
  });

  test('end with pawl, however it ends, and when they are closed', async () => {
    await using own = openRun();
    const waits = 'setTimeout(() => console.log("up"), 50); process.stdin.on("data", () => spares.close());';
    for (const end of ['SIGKILL', 'closed'] as const) {
      const more = { file: process.execPath, args: node(script(waits)), input: 'pipe' } as const;
      const parent = own.start('', more);
      await firstLines(parent, 1);
      const waiting = children(parent.pid);
      expect(waiting).toHaveLength(1);
      if (end === 'closed') await parent.send('end\n');
      else parent.signal(end);
      await until('they are gone', () => waiting.every((pid) => !isAlive(Number(pid))));
      parent.signal('SIGKILL');
    }
  });

  test.runIf(findDeathPrefix().length > 0)('SIGKILL of pawl takes along what one became', async () => {
    await using own = openRun();
    const sleeps = `setImmediate(() => {
      const program = createSpawn({ spares })({ file: 'sleep', args: ['300'], cwd: '/', env: process.env, input: 'closed' });
      setTimeout(() => console.log(program.pid), 100);
    });`;
    const parent = own.start('', { file: process.execPath, args: node(script(sleeps)) });
    const [child] = await firstLines(parent, 1);
    expect(readFileSync(`/proc/${child}/cmdline`, 'utf8')).toContain('sleep\u0000300');
    parent.signal('SIGKILL');
    await until('the program is gone', () => !isAlive(Number(child)));
  });

  test('one that was ended meanwhile is not taken', async () => {
    const spares = createSpares();
    const program: Become = { file: '/bin/true', args: [], cwd: '/', env, input: 'closed' };
    const earlier = new Set(children(process.pid));
    spares.fill();
    await setImmediate();
    await setImmediate();
    const [pid] = children(process.pid).filter((child) => !earlier.has(child));
    process.kill(Number(pid), 'SIGKILL');
    await until('it is gone', () => !isAlive(Number(pid)));
    await delay(20);
    expect(spares.take(program)).toBeUndefined();
    spares.close();
  });
});

describe('becomeScript', () => {
  const program: Become = { file: '/bin/true', args: ['it’s', "it's"], cwd: '/a b', env, input: 'closed' };

  test('says it in one piece, of which a part is nothing', () => {
    const text = becomeScript(program) ?? '';
    expect(text).toBe(
      "{ cd '/a b' && unset PATH PWD OLDPWD && A='1' PATH='/usr/bin:/bin' exec '/bin/true' 'it’s' 'it'\\''s' </dev/null 3<&-; exit 126\n}\n",
    );
    for (let at = 1; at < text.length - 1; at += 7) {
      expect(() => execFileSync('/bin/sh', ['-s'], { input: text.slice(0, at), stdio: 'pipe' })).toThrow();
    }
  });

  test.each<[string, Partial<Become>]>([
    ['a NUL', { args: ['a\0b'] }],
    ['a name that is none', { env: { 'A-B': '' } }],
    ['too long a text', { env: { A: 'ü'.repeat(33_000) } }],
  ])('cannot say %s', (_, more) => expect(becomeScript({ ...program, ...more })).toBeUndefined());
});

/** Texts as UTF-8 has them, which knows no half of a pair. */
function utf8(texts: readonly string[]): string[] {
  return texts.map((text) => Buffer.from(text).toString());
}
