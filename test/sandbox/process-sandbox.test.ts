// Programs in sandboxes of bubblewrap, for real: what they see, how they end, and that nothing of them stays.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweep } from '../../src/process/host-sweep.ts';
import { type SpawnRequest, spawn } from '../../src/process/spawn.ts';
import type { Mark } from '../../src/process/sweep.ts';
import { findSystemFolders } from '../../src/sandbox/bubblewrap.ts';
import { inside } from '../../src/sandbox/docker-args.ts';
import { ProcessSandbox } from '../../src/sandbox/process-sandbox.ts';
import { builtFile } from '../helpers/built-pawl.ts';
import { has } from '../helpers/needs.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';
import { findFreePort } from '../helpers/wires.ts';

describe.runIf(has('bubblewrap (bwrap)'))('a program in it', () => {
  let top: ReturnType<typeof makeTempFolder>;
  let root: string;
  let sandbox: ProcessSandbox;
  let port: number;
  let count = 0;

  beforeAll(async () => {
    top = makeTempFolder();
    root = path.join(top.path, 'repo');
    mkdirSync(root);
    mkdirSync(path.join(top.path, 'bin'));
    writeFileSync(path.join(top.path, 'bin/own'), '#!/bin/sh\necho "own $1"\n', { mode: 0o755 });
    writeFileSync(path.join(top.path, 'secret'), 'secret');
    port = await findFreePort();
    sandbox = new ProcessSandbox({
      host: { spawn, sweep },
      bwrap: execFileSync('/bin/sh', ['-c', 'command -v bwrap']).toString().trim(),
      trees: () => [root],
      surround: async (workdir) => ({
        mounts: [
          {
            from: path.join(path.dirname(builtFile('main')), 'tunnel.mjs'),
            to: inside.tunnel,
            readonly: true,
          },
          { from: workdir, to: workdir, readonly: false },
        ],
        dispose: () => {},
      }),
      system: findSystemFolders(),
      node: process.execPath,
      searchPath: `${path.join(top.path, 'bin')}:/usr/bin:/bin`,
      env: { HOME: root },
      filter: path.join(top.path, 'filter'),
      ports: [port],
      onConnection: (connection) => connection.end('from outside'),
      handIn: () => {},
    });
    await sandbox.open();
  });
  afterAll(async () => {
    await sandbox?.[Symbol.asyncDispose]();
    top?.[Symbol.dispose]();
  });

  function start(file: string, args: readonly string[], more: Partial<SpawnRequest> = {}) {
    const session = `test-${process.pid}-${++count}`;
    const env = { PAWL_SESSION: session, SSH_AUTH_SOCK: '/x' };
    const program = sandbox.spawn({ file, args, cwd: root, env, input: 'closed', ...more });
    return { program, mark: `PAWL_SESSION=${session}` as Mark };
  }

  async function run(script: string): Promise<string> {
    const { program } = start('bash', ['-c', script]);
    const said = await text(program.stdout);
    await program.ended;
    return said.trim();
  }

  test.each([
    [
      'for the host of a virtual machine',
      'socket(S, 40, 1, 0)',
      'no: Address family not supported by protocol',
    ],
    ['by io_uring', 'syscall(425, 1, 0) >= 0', 'no: Function not implemented'],
    ['for this machine', 'socket(S, 1, 1, 0) && socket(S, 2, 1, 0)', 'made'],
  ])('sockets %s', async (_, call, says) => {
    expect(await run(`perl -e 'print ${call} ? "made" : "no: $!"'`)).toBe(says);
  });

  test('sees the tree and the system, and nothing else', async () => {
    const script = `
      cat ${top.path}/secret 2> /dev/null; ls -A ${top.path}; ls / | tr '\\n' ' '; echo
      touch made && touch /usr/made 2> /dev/null || echo read-only
      test -z "$SSH_AUTH_SOCK" && echo no-agent; grep CapEff /proc/self/status; ls /proc | grep -c '^[0-9]'`;
    const [seen, folders, ...rest] = (await run(script)).split('\n');
    expect(seen).toBe('repo');
    for (const gone of ['home', 'root', 'srv', 'mnt']) expect(folders?.split(' ')).not.toContain(gone);
    expect(rest.slice(0, 2)).toEqual(['read-only', 'no-agent']);
    expect(rest[2]).toMatch(/CapEff:\s+0{16}/);
    expect(Number(rest[3])).toBeLessThan(10);
    expect(await run('ls')).toBe('made');
  });

  test('has no network but the way out', async () => {
    const ask = (host: string, to: number) =>
      `require('net').connect(${to}, '${host}').on('data', (all) => console.log(String(all))).on('error', (e) => console.log(e.code))`;
    expect(await run(`node -e "${ask('127.0.0.1', port)}"`)).toBe('from outside');
    expect(await run(`node -e "${ask('192.0.2.1', 80)}"`)).toBe('ENETUNREACH');
    expect(await run('ls /sys/class/net 2> /dev/null; cat /proc/net/dev | grep -c :')).toBe('1');
  });

  test('is handed no descriptor but its stdio', async () => {
    expect(await run('test -e /proc/$$/fd/3 || test -e /proc/$$/fd/9 || echo none')).toBe('none');
  });

  test('talks by its own stdio and ends with its own code', async () => {
    const { program } = start('bash', ['-c', 'read word; echo "heard $word"; echo bad >&2; exit 7'], {
      input: 'pipe',
    });
    await program.send('this\n');
    expect(await Promise.all([text(program.stdout), text(program.stderr), program.ended])).toEqual([
      'heard this\n',
      'bad\n',
      { code: 7, signal: null },
    ]);
  });

  test('may lie where the inside sees nothing else', async () => {
    const { program } = start('own', ['word']);
    expect(await text(program.stdout)).toBe('own word\n');
    const other = start(path.join(top.path, 'bin/own'), ['place']);
    expect(await text(other.program.stdout)).toBe('own place\n');
  });

  test('that is not there is told as anywhere', async () => {
    const { program } = start('no-such-program', []);
    expect(await program.ended).toMatchObject({ code: null, startError: { code: 'ENOENT' } });
  });

  test('ends in its own way at TERM, and takes all that it left along', async () => {
    const script = `trap 'echo bye; exit 3' TERM; env -i setsid sleep 1105 & echo up; while :; do sleep 0.05; done`;
    const { program, mark } = start('bash', ['-c', script]);
    const said = text(program.stdout);
    const commands = async () => (await sandbox.sweep.find(mark)).map(({ command }) => command).join('\n');
    // What dropped the mark is seen all the same.
    while (!/^sleep 1105/m.test(await commands())) await new Promise((resolve) => setTimeout(resolve, 20));
    expect((await sandbox.sweep.find(mark)).filter(({ isRoot }) => isRoot)).toHaveLength(1);
    program.signal('SIGTERM');
    expect((await program.ended).code).toBe(3);
    expect(await said).toBe('up\nbye\n');
    const listed = execFileSync('ps', ['-eo', 'args']).toString();
    expect(listed).not.toContain('sleep 1105');
  });

  test('is gone at once at KILL, and by a sweep', async () => {
    for (const how of ['kill', 'sweep']) {
      const { program, mark } = start('bash', ['-c', "trap '' TERM; sleep 1106; sleep 1106"]);
      while (!(await sandbox.sweep.find(mark)).some(({ command }) => command.startsWith('sleep 1106')))
        await new Promise((resolve) => setTimeout(resolve, 20));
      if (how === 'kill') program.signal('SIGKILL');
      else await sandbox.sweep.end(mark, { graceMs: 0 });
      await program.ended;
      while (execFileSync('ps', ['-eo', 'args']).toString().includes('sleep 1106'))
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
});
