import { execFile } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { closeOthers, readKeptFile, readProcFile } from '../../src/process/proc-file.ts';

afterEach(() => closeOthers(() => false));

const isLinux = process.platform === 'linux';
const run = promisify(execFile);
const module = path.resolve(import.meta.dirname, '../../src/process/proc-file.ts');

/** How many files of that name this process has open. */
function openFiles(name: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === name;
    } catch {
      return false;
    }
  }).length;
}

/** Different names of one file. */
const namesOf = (file: string, count: number) =>
  Array.from({ length: count }, (_, at) => file.replace('/proc', `/proc${'/.'.repeat(at)}`));

test.runIf(isLinux)('what is kept open is read as it is now, until its process is gone', async () => {
  // In a process of its own: looks that others of this one take close what they don't know.
  const script = `import { spawn } from 'node:child_process';
    import { readdirSync, readlinkSync } from 'node:fs';
    import { readKeptFile } from ${JSON.stringify(module)};
    const child = spawn('sleep', ['300'], { stdio: 'ignore' });
    const file = '/proc/' + child.pid + '/stat';
    const state = () => /\\) (\\S)/.exec(readKeptFile(file).toString('latin1'))?.[1];
    const linkOf = (fd) => { try { return readlinkSync('/proc/self/fd/' + fd); } catch {} };
    const open = () => readdirSync('/proc/self/fd').filter((fd) => linkOf(fd) === file).length;
    const seen = [state(), open()];
    child.kill('SIGSTOP');
    while (state() !== 'T') await new Promise((resolve) => setTimeout(resolve, 5));
    seen.push(state(), open());
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    console.log(JSON.stringify([...seen, readKeptFile(file).length, open()]));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { timeout: 60_000 });
  expect(JSON.parse(stdout)).toEqual([expect.stringMatching(/[SR]/), 1, 'T', 1, 0, 0]);
});

test.runIf(isLinux)('only what is wanted stays open, and no more than a bound', () => {
  const file = `/proc/${process.pid}/stat`;
  const names = namesOf(file, 600);
  for (const name of names) expect(readKeptFile(name).length).toBeGreaterThan(0);
  expect(openFiles(file)).toBe(512);
  closeOthers((name) => name === names[3]);
  expect(openFiles(file)).toBe(1);
  expect(readProcFile('/proc/0/stat')).toHaveLength(0);
});

test.runIf(isLinux)('where no more files may be open, the kept ones give way', async () => {
  const script = `import { readKeptFile } from ${JSON.stringify(module)};
    const names = Array.from({ length: 100 }, (_, at) => '/proc' + '/.'.repeat(at) + '/self/stat');
    console.log(names.filter((name) => readKeptFile(name).length > 0).length);`;
  const command = 'ulimit -n 60; exec "$0" --input-type=module -e "$1"';
  const { stdout } = await run('bash', ['-c', command, process.execPath, script]);
  expect(stdout.trim()).toBe('100');
});
