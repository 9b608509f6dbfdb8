import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { parsePs, parseStat, readProcFile, readState, readTable } from '../../src/process/process-table.ts';

const tail = '34816 20000 4194304 100 0 0 0 1 2 0 0 20 0 1 0 987654 10000 50 18446744073709551615 1 1 0';

test.each([
  [
    'plain',
    `42 (bash) S 1 42 40 ${tail}`,
    { pid: 42, ppid: 1, session: 40, startTime: '987654', comm: 'bash' },
  ],
  [
    'blanks and parentheses in the name',
    `42 (a) R (b c) S 7 42 40 ${tail}`,
    { pid: 42, ppid: 7, comm: 'a) R (b c' },
  ],
  ['a name that looks like a zombie', `42 (x) Z 1 () R 7 42 40 ${tail}`, { ppid: 7 }],
  ['a name as kernel threads have', `9 (kworker/0:1) I 2 0 0 ${tail}`, { ppid: 2, session: 0 }],
  ['stopped', `42 (bash) T 1 42 40 ${tail}`, { pid: 42, isBusy: false }],
  ['running', `42 (bash) R 1 42 40 ${tail}`, { isBusy: true }],
])('a line of stat: %s', (_, text, expected) => {
  expect(parseStat(text)).toMatchObject(expected);
});

test.each([
  ['a zombie', `42 (bash) Z 1 42 40 ${tail}`],
  ['a dead one', `42 (bash) X 1 42 40 ${tail}`],
  ['a kernel thread', '9 (kworker/0:1) R 2 0 0 0 -1 69238880 0 0 0 0 0 0 0 0 20 0 1 0 22 0'],
  ['nothing', ''],
  ['cut off', '42 (bash) S 1 42 40 34816'],
  ['no name', '42 bash S 1'],
])('no live process: %s', (_, text) => {
  expect(parseStat(text)).toBeUndefined();
});

// In the shape of ps(1) of macOS 14 with LC_ALL=C, put together by hand.
const ps = `    1     0     1 Ss   Mon Nov 16 08:01:02 2026     /sbin/launchd
  501     1   501 S    Sat Nov 21 22:31:18 2026     /usr/bin/node agent.js --flag PATH=/usr/bin PAWL_SESSION=a/1 LANG=C
  502   501   501 S+   Sat Nov  7 02:31:19 2026     bash -c sleep 9 PAWL_SESSION=a/10
  503   501   501 Z    Sat Nov 21 22:31:19 2026     (node)
garbage
`;

test('a table of ps', () => {
  const rows = parsePs(ps);
  expect(rows.map(({ pid, ppid, session, startTime }) => [pid, ppid, session, startTime])).toEqual([
    [1, 0, 1, 'Mon Nov 16 08:01:02 2026'],
    [501, 1, 501, 'Sat Nov 21 22:31:18 2026'],
    [502, 501, 501, 'Sat Nov 7 02:31:19 2026'],
  ]);
  expect(rows.map((row) => row.hasEntry('PAWL_SESSION=a/1', true))).toEqual([false, true, false]);
  expect(rows.map((row) => row.hasEntry('PAWL_SESSION=a/', false))).toEqual([false, true, true]);
  expect(rows.map((row) => row.command())).toEqual([
    '/sbin/launchd',
    '/usr/bin/node agent.js --flag',
    'bash -c sleep 9',
  ]);
});

const isLinux = process.platform === 'linux';
const run = promisify(execFile);
const module = path.resolve(import.meta.dirname, '../../src/process/process-table.ts');

test.runIf(isLinux)('a file is read whole and closed; one that is not there is empty', () => {
  const open = () => readdirSync('/proc/self/fd').length;
  const before = open();
  expect(readProcFile(`/proc/${process.pid}/stat`).toString()).toMatch(/^\d+ \(/);
  expect(readProcFile('/proc/0/stat')).toHaveLength(0);
  expect(open()).toBe(before);
});

test.runIf(isLinux)('who is older is left out where asked, at each look; who comes later is not', () => {
  const look = (youngAs?: number) => [...readTable({ youngAs })].map(({ pid }) => pid);
  expect(look()).toContain(process.ppid);
  expect(look(process.pid)).not.toContain(process.ppid);
  const child = execFile('sleep', ['300']);
  const later = look(process.pid);
  child.kill();
  expect(later).toContain(child.pid);
  expect(later).not.toContain(process.ppid);
  expect(look()).toContain(process.ppid);
});

test.runIf(isLinux)(
  'one whose first thread has ended is seen once another of its threads calls exec',
  async () => {
    const script = `import ctypes, os, sys, threading
def go():
  sys.stdin.read()
  os.execv('/bin/sleep', ['sleep', '300'])
threading.Thread(target=go).start()
ctypes.CDLL(None).pthread_exit(None)`;
    const child = execFile('python3', ['-c', script]);
    const { pid = 0 } = child;
    const isSeen = () => [...readTable({ youngAs: process.pid })].some((row) => row.pid === pid);
    try {
      await vi.waitFor(() => expect(readState(pid)).toBe('Z'), { timeout: 20_000 });
      expect(isSeen()).toBe(false);
      child.stdin?.end();
      await vi.waitFor(() => expect(isSeen()).toBe(true), { timeout: 20_000 });
    } finally {
      child.kill('SIGKILL');
    }
  },
);

test.runIf(isLinux)('where no more files may be open it is said, since nobody would be seen', async () => {
  const script = `import { openSync } from 'node:fs';
    import { readProcFile } from ${JSON.stringify(module)};
    try { for (;;) openSync('/dev/null'); } catch {}
    try { readProcFile('/proc/self/stat'); } catch ({ code, message }) { process.stdout.write(code + ': ' + message); }`;
  const command = 'ulimit -n 60; exec "$0" --input-type=module -e "$1"';
  const { stdout } = await run('bash', ['-c', command, process.execPath, script]);
  expect(stdout).toBe('environment: the list of processes cannot be read: too many files are open');
});
