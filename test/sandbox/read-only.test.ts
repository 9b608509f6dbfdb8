// A program that sees a tree read-only, for real: how it is signalled, and how its end is told.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sweep } from '../../src/process/host-sweep.ts';
import { spawn } from '../../src/process/spawn.ts';
import { readOnlySpawn } from '../../src/sandbox/read-only.ts';
import { has } from '../helpers/needs.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

describe.runIf(has('a read-only view of a folder (bwrap)'))('a program in it', () => {
  function start(top: string, script: string) {
    const root = path.join(top, 'tree');
    const cwd = path.join(top, 'own');
    for (const folder of [root, cwd]) mkdirSync(folder);
    const bwrap = execFileSync('/bin/sh', ['-c', 'command -v bwrap']).toString().trim();
    const tree = { root, gitDir: root, commonDir: root };
    const env = { PATH: '/usr/bin:/bin', PAWL_SESSION: `read-only-${process.pid}-${path.basename(top)}` };
    const request = { file: 'bash', args: ['-c', script], cwd, env, input: 'closed' } as const;
    const program = readOnlySpawn({ spawn, sweep }, bwrap, tree)(request);
    onTestFinished(() => program.signal('SIGKILL'));
    return program;
  }

  test('ends in its own way at TERM', async () => {
    using temp = makeTempFolder();
    const script = `trap 'sleep 0.3; touch ../tree/x || echo bye; exit 3' TERM; echo up; while :; do sleep 0.05; done`;
    const program = start(temp.path, script);
    let said = '';
    for await (const chunk of program.stdout) {
      if (said === '') program.signal('SIGTERM');
      said += Buffer.from(chunk).toString();
    }
    expect([said, await program.ended]).toEqual(['up\nbye\n', { code: 3, signal: null }]);
  });

  test.each([
    ['kill -9 $$', { code: null, signal: 'SIGKILL' }],
    ['kill -15 $$', { code: null, signal: 'SIGTERM' }],
    ['exit 7', { code: 7, signal: null }],
    ['exit 255', { code: 255, signal: null }],
  ])('%s is told as what it is', async (script, wanted) => {
    using temp = makeTempFolder();
    const program = start(temp.path, script);
    expect([await text(program.stdout), await program.ended]).toEqual(['', wanted]);
  });

  test('is gone at KILL', async () => {
    using temp = makeTempFolder();
    const program = start(temp.path, `trap '' TERM; echo up; while :; do sleep 0.05; done`);
    for await (const _ of program.stdout) program.signal('SIGKILL');
    expect(await program.ended).toEqual({ code: null, signal: 'SIGKILL' });
  });
});
