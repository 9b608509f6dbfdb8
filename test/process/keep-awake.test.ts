// What keeps the machine awake: which program, for how long, and what is left of it when pawl is killed.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { awakeCommand, keepAwake } from '../../src/process/keep-awake.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const body = 'echo "$$ $*" >"$0.log"; shift $(($# - 1)); "$@"; echo over >>"$0.log"';

/** A folder with a program of that name, which says in `log` when it starts and when it ends. */
function fake(name: string) {
  const folder = makeTempFolder();
  const file = path.join(folder.path, name);
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  const log = () => (existsSync(`${file}.log`) ? readFileSync(`${file}.log`, 'utf8') : '');
  return { ...folder, path: folder.path, file, log };
}

const env = { PATH: process.env['PATH'] ?? '' };
const soon = { timeout: 20_000, interval: 20 };

describe('the program', () => {
  test.each([
    ['linux', 'systemd-inhibit', '--what=idle:sleep'],
    ['darwin', 'caffeinate', '-i'],
  ])('of %s is %s', (platform, name, first) => {
    using folder = fake(name);
    expect(awakeCommand(platform, folder.path)?.slice(0, 2)).toEqual([folder.file, first]);
    expect(awakeCommand(platform, folder.path)?.at(-1)).toBe('cat');
  });

  test.each([
    ['linux', '/nowhere'],
    ['freebsd', process.env['PATH']],
  ])('is absent: %s with %s', (platform, searchPath) => {
    expect(awakeCommand(platform, searchPath)).toBeUndefined();
  });
});

describe('the machine is kept awake', () => {
  test('until it is let go', async () => {
    using folder = fake('systemd-inhibit');
    const awake = keepAwake(awakeCommand('linux', folder.path), env);
    await vi.waitFor(() => expect(folder.log()).toMatch(/^\d+ --what=idle:sleep --who=pawl .* cat\n$/), soon);
    awake[Symbol.dispose]();
    await vi.waitFor(() => expect(folder.log()).toMatch(/over\n$/), soon);
  });

  test('until pawl is killed', async () => {
    using folder = fake('systemd-inhibit');
    const module = path.resolve(import.meta.dirname, '../../src/process/keep-awake.ts');
    const code = `import { keepAwake } from ${JSON.stringify(module)}; keepAwake([process.argv[1], 'cat'], process.env); setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', code, folder.file], { env });
    await vi.waitFor(() => expect(folder.log()).not.toBe(''), soon);
    expect(folder.log()).not.toContain('over');
    await killed(holder);
    await vi.waitFor(() => expect(folder.log()).toMatch(/over\n$/), soon);
  });
});

async function killed(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
