import { execFile, spawn } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { closeOthers, readKeptFile, readProcFile } from '../../src/process/proc-file.ts';
import { until } from './programs.ts';

afterEach(() => closeOthers(() => false));

const isLinux = process.platform === 'linux';

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
  const child = spawn('sleep', ['300'], { stdio: 'ignore' });
  const file = `/proc/${child.pid}/stat`;
  const state = () => /\) (\S)/.exec(readKeptFile(file).toString('latin1'))?.[1];
  expect('SR').toContain(state());
  child.kill('SIGSTOP');
  await until('it is stopped', () => state() === 'T');
  // Other looks of this process may have closed it meanwhile.
  state();
  expect(openFiles(file)).toBe(1);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  expect(readKeptFile(file)).toHaveLength(0);
  expect(openFiles(file)).toBe(0);
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
  const module = path.resolve(import.meta.dirname, '../../src/process/proc-file.ts');
  const script = `import { readKeptFile } from ${JSON.stringify(module)};
    const names = Array.from({ length: 100 }, (_, at) => '/proc' + '/.'.repeat(at) + '/self/stat');
    console.log(names.filter((name) => readKeptFile(name).length > 0).length);`;
  const command = 'ulimit -n 60; exec "$0" --input-type=module -e "$1"';
  const { stdout } = await promisify(execFile)('bash', ['-c', command, process.execPath, script]);
  expect(stdout.trim()).toBe('100');
});
