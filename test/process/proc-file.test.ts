import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readProcFile } from '../../src/process/process-table.ts';

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

test.runIf(isLinux)('where no more files may be open it is said, since nobody would be seen', async () => {
  const script = `import { openSync } from 'node:fs';
    import { readProcFile } from ${JSON.stringify(module)};
    try { for (;;) openSync('/dev/null'); } catch {}
    try { readProcFile('/proc/self/stat'); } catch ({ code, message }) { process.stdout.write(code + ': ' + message); }`;
  const command = 'ulimit -n 60; exec "$0" --input-type=module -e "$1"';
  const { stdout } = await run('bash', ['-c', command, process.execPath, script]);
  expect(stdout).toBe('environment: the list of processes cannot be read: too many files are open');
});
