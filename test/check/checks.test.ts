// Real shells and real processes: what a check's end is called, where it runs, what it leaves, what is kept of it.
import { spawn as start } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CheckRun } from '../../src/check/check-run.ts';
import { type CheckDeps, runCheck } from '../../src/check/checks.ts';
import { findShell, type Shell } from '../../src/check/shell.ts';
import type { Check } from '../../src/plan/plan.ts';
import { sweep } from '../../src/process/host-sweep.ts';
import { spawn } from '../../src/process/spawn.ts';

let root: string;
let shell: Shell;
let count = 0;
const sh: Shell = { name: 'sh', file: '/bin/sh', args: ['-e', '-c'] };

beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'pawl-check-'));
  mkdirSync(path.join(root, 'sub'));
  writeFileSync(path.join(root, 'a-file'), '');
  writeFileSync(path.join(root, 'not-executable.sh'), 'echo hi\n', { mode: 0o644 });
  symlinkSync('/usr', path.join(root, 'outside'));
  symlinkSync('sub', path.join(root, 'inside'));
  shell = await findShell(process.env);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Options = Partial<CheckDeps> & { cwd?: string; log?: string };

async function run(command: string, { cwd = '.', log, ...more }: Options = {}): Promise<CheckRun> {
  count += 1;
  const deps: CheckDeps = {
    spawn,
    sweep,
    shell,
    env: { PATH: process.env['PATH'] ?? '', HOME: root },
    root,
    timeoutMs: 15_000,
    signal: new AbortController().signal,
    ...more,
  };
  return runCheck(deps, { ...checkOf(command), cwd }, log ?? path.join(root, `log-${count}`));
}

function checkOf(command: string): Check {
  const place = { line: 1, column: 1, offset: 0 };
  return { id: 'plan:1', scope: 'plan', command, atEnd: false, knownRed: false, cwd: '.', place };
}

it.each([
  ['true\n( cd sub && false )\ntrue', 'line 2 of this check ended with exit code 1: ( cd sub && false )\n'],
  [
    'true\n\nfor x in 1 2; do\n  test $x = 1\ndone',
    'line 4 of this check ended with exit code 1: test $x = 1\n',
  ],
  ['# first\nsh -c "exit 3"', 'line 2 of this check ended with exit code 3: sh -c "exit 3"\n'],
  ['set +e\nfalse\nexit 4', ''],
  ['false', ''],
])('a red check of several lines says which: %j', async (command, output) => {
  expect(await run(command)).toMatchObject({ result: 'red', output });
});

/** A zombie is dead: who has not yet reaped it is not the check's business. */
function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

describe('the result', () => {
  it.each<[string, string, CheckRun['result'], number | null]>([
    ['exit 0 is green', 'true', 'green', 0],
    ['a check that is `false` is red', 'false', 'red', 1],
    ['any other exit is red', 'exit 3', 'red', 3],
    ['a signal is red and has no exit code', 'kill -SEGV $$', 'red', null],
    ['a failing command inside a pipe is red', 'false | cat', 'red', 1],
    ['a failing line in the middle of a block is red', 'echo a\nfalse\necho b', 'red', 1],
    ['a failing condition is no failure', 'if false; then exit 9; fi', 'green', 0],
    ['a program that is not there could not run', 'no-such-program-here --x', 'could-not-run', 127],
    [
      'nor a missing one in the middle of a block',
      'echo a\nno-such-program-here\necho b',
      'could-not-run',
      127,
    ],
    ['nor a script without its bit', './not-executable.sh', 'could-not-run', 126],
    ['nor a folder', './sub', 'could-not-run', 126],
    ['nor what a nested shell misses', `sh -c 'no-such-program-here'`, 'could-not-run', 127],
    ['nor what env misses', 'env no-such-program-here', 'could-not-run', 127],
    ['a program that ends with 127 itself is red', `sh -c 'echo broken; exit 127'`, 'red', 127],
    ['a missing program that is excused does not matter', 'no-such-program-here || true', 'green', 0],
    ['text that is no shell is red', 'if then', 'red', 2],
  ])('%s', async (_, command, result, exitCode) => {
    expect(await run(command)).toMatchObject({ result, exitCode });
  });

  it('has a reason in words where the shell gave one', async () => {
    const { reason, output } = await run('no-such-program-here');
    expect(reason).toContain('no-such-program-here');
    expect(output).toContain('no-such-program-here');
  });

  it('has a fingerprint that returns with the failure, and none when green', async () => {
    const [one, two, other, green] = [
      await run('echo $$; exit 1'),
      await run('echo x; exit 1'),
      await run('echo y; exit 1'),
      await run('true'),
    ];
    expect(one.fingerprint).toMatch(/^[0-9a-f]{16}$/);
    expect((await run('echo x; exit 1')).fingerprint).toBe(two.fingerprint);
    expect(other.fingerprint).not.toBe(two.fingerprint);
    expect(green.fingerprint).toBeUndefined();
  });

  it('holds with plain sh too: errors stop a block, 127 could not run', async () => {
    expect(await run('false\ntrue', { shell: sh })).toMatchObject({ result: 'red', exitCode: 1 });
    expect(await run('no-such-program-here', { shell: sh })).toMatchObject({
      result: 'could-not-run',
      exitCode: 127,
    });
  });

  it('says so when the shell is not there', async () => {
    const found = await run('true', { shell: { name: 'bash', file: '/no/such/bash', args: ['-c'] } });
    expect(found).toMatchObject({ result: 'could-not-run', exitCode: null });
    expect(found.reason).toContain('shell could not be started');
  });

  it('says so when the command is too long for the system', async () => {
    const found = await run(`: ${'x'.repeat(300_000)}`);
    expect(found).toMatchObject({ result: 'could-not-run', exitCode: null });
  });
});

describe('the surroundings', () => {
  it('are closed input, CI=1, no terminal, and the mark', async () => {
    const { output, result } = await run(
      'cat; echo "ci=$CI mark=$PAWL_CHECK"; test -t 0 || test -t 1 || test -t 2 || echo no-tty; (: </dev/tty) 2>/dev/null || echo no-terminal',
      { log: path.join(root, 'log-mark') },
    );
    expect(result).toBe('green');
    expect(output).toBe(`ci=1 mark=${path.join(root, 'log-mark')}\nno-tty\nno-terminal\n`);
  });

  it('are the user’s environment and no other', async () => {
    const { output } = await run(
      'env | cut -d= -f1 | grep -vE "^(_|PWD|SHLVL|OLDPWD)$" | LC_ALL=C sort | tr "\\n" " "',
      {
        env: { PATH: process.env['PATH'] ?? '', MINE: '1' },
      },
    );
    expect(output).toBe('CI MINE PATH PAWL_CHECK ');
  });

  it.each<[string, string, string]>([
    ['the root', '.', ''],
    ['a folder', 'sub', '/sub'],
    ['a link to a folder inside', 'inside', '/sub'],
  ])('are %s', async (_, cwd, end) => {
    expect((await run('pwd -P', { cwd })).output.trim()).toBe(`${root}${end}`);
  });

  it.each<[string, string, RegExp]>([
    ['a missing folder', 'nowhere', /does not exist/],
    ['a file', 'a-file', /cannot be entered/],
    ['the folder above', '..', /out of the repository/],
    ['a link that leads out', 'outside', /out of the repository/],
    ['an absolute path elsewhere', '/usr', /out of the repository/],
    ['a path through a file', 'a-file/x', /cannot be entered/],
  ])('are never %s', async (_, cwd, words) => {
    const found = await run('touch ran', { cwd });
    expect(found).toMatchObject({ result: 'could-not-run', exitCode: null, leftovers: [] });
    expect(found.reason).toMatch(words);
    expect(readFileSync(found.log, 'utf8')).toMatch(words);
    expect(existsSync(path.join(root, 'ran'))).toBe(false);
  });
});

describe('what a check leaves', () => {
  it('is ended and named: a server with a session of its own, started in the background', async () => {
    const found = await run(
      `setsid nohup sh -c 'touch up; exec sleep 300' >/dev/null 2>&1 & while [ ! -e up ]; do sleep 0.02; done`,
    );
    expect(found.result).toBe('green');
    expect(found.leftovers.map(({ command }) => command).join()).toContain('sleep 300');
    for (const { pid } of found.leftovers) expect(isAlive(pid)).toBe(false);
  });

  it('holds no check up, though it keeps the output open', async () => {
    const found = await run('sleep 301 & echo done');
    expect(found).toMatchObject({ result: 'green', output: 'done\n' });
    expect(found.leftovers).toHaveLength(1);
  });

  it('is not another check’s', async () => {
    const other = start('sleep', ['302'], {
      env: { PAWL_CHECK: `test-${process.pid}/${count + 1}0` },
      detached: true,
    });
    try {
      await run('true');
      expect(isAlive(other.pid ?? 0)).toBe(true);
    } finally {
      other.kill('SIGKILL');
    }
  });
});

describe('the clock and the signal', () => {
  it('ends a check that takes too long, with a child that ignores TERM', async () => {
    const found = await run(
      `(trap '' TERM; echo $BASHPID > stubborn.pid; while :; do sleep 1; done) & wait`,
      { timeoutMs: 400 },
    );
    expect(found.result).toBe('timed-out');
    expect(found.reason).toMatch(/longer than/);
    expect(isAlive(Number(readFileSync(path.join(root, 'stubborn.pid'), 'utf8')))).toBe(false);
  });

  it('is timed out also when the check turns TERM into success', async () => {
    expect(await run(`trap 'exit 0' TERM; while :; do sleep 0.05; done`, { timeoutMs: 300 })).toMatchObject({
      result: 'timed-out',
    });
  });

  it('makes an interrupted check one that was interrupted, never green', async () => {
    const stop = new AbortController();
    const running = run(`trap 'exit 0' TERM; touch begun; while :; do sleep 0.05; done`, {
      signal: stop.signal,
    });
    while (!existsSync(path.join(root, 'begun'))) await new Promise((resolve) => setTimeout(resolve, 10));
    stop.abort();
    expect(await running).toMatchObject({
      result: 'interrupted',
      reason: 'It was interrupted before it ended.',
    });
  });

  it('starts nothing when the signal came before', async () => {
    const found = await run('touch never', { signal: AbortSignal.abort() });
    expect(found.result).toBe('interrupted');
    expect(existsSync(path.join(root, 'never'))).toBe(false);
  });
});

/** Memory that is still held once garbage is collected; other tests of the worker have left some. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('the output', () => {
  it('is whole in the log and bounded in the run, also when it is huge', { timeout: 120_000 }, async () => {
    const before = heldBytes();
    const found = await run(
      'echo first; head -c 52428800 /dev/zero | tr "\\0" "x" | fold -w 99; echo; echo last >&2; exit 1',
    );
    expect(found.result).toBe('red');
    expect(statSync(found.log).size).toBeGreaterThan(52_428_800);
    expect(found.output.length).toBeLessThan(26_000);
    expect(found.output).toMatch(/^first\n/);
    expect(found.output).toMatch(/… \(more than \d+ lines left out\) …/);
    expect(found.output).toMatch(/last\n$/);
    // Buffers that nothing holds are given back a while after their collection.
    await expect.poll(() => heldBytes() - before, { timeout: 20_000 }).toBeLessThan(10 * 1024 * 1024);
  });

  it('is the same text in log and run when it is small, both streams', async () => {
    const found = await run('echo out; sleep 0.1; echo ünï >&2');
    expect(found.output).toBe('out\nünï\n');
    expect(readFileSync(found.log, 'utf8')).toBe(found.output);
    expect(statSync(found.log).mode & 0o777).toBe(0o600);
  });

  it('throws a failure of the disk when the log cannot be written', async () => {
    const log = path.join(root, 'missing', 'log');
    for (const cwd of ['.', 'nowhere'])
      await expect(run('true', { cwd, log })).rejects.toMatchObject({
        code: 'disk',
        message: `cannot open ${log}: it does not exist`,
      });
  });
});
