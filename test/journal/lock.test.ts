// One pawl per working tree: a live holder is named, a dead one replaced, and of two that replace it one wins.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { observeEffects } from '../../src/effect.ts';
import { Failure } from '../../src/failure.ts';
import type { Holder } from '../../src/journal/holder.ts';
import { acquireLock, findHolder } from '../../src/journal/lock.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const now = new Date('2026-11-21T22:30:00.000Z');

afterEach(() => observeEffects(() => {}));

/** The lock file as this process would write it, changed. */
function plant(gitDir: string, change: Partial<Holder> | string): void {
  const mine = acquireLock(gitDir, 'other', now);
  const { holder } = mine;
  mine[Symbol.dispose]();
  const text = typeof change === 'string' ? change : JSON.stringify({ ...holder, ...change });
  writeFileSync(path.join(gitDir, 'pawl', 'lock'), text);
}

function lockError(gitDir: string): Failure {
  try {
    acquireLock(gitDir, 'r1', now)[Symbol.dispose]();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('the lock was taken');
}

it('is held until it is released, and nothing is left behind', () => {
  using folder = makeTempFolder();
  {
    using lock = acquireLock(folder.path, 'r1', now);
    expect(lock.holder).toMatchObject({ pid: process.pid, run: 'r1', since: now.toISOString() });
    expect(findHolder(folder.path)).toEqual(lock.holder);
    expect(lockError(folder.path).message).toContain(`pawl (process ${process.pid})`);
    expect(lockError(folder.path).exit).toBe(2);
  }
  expect(findHolder(folder.path)).toBeUndefined();
  expect(readdirSync(path.join(folder.path, 'pawl'))).toEqual([]);
});

describe('a dead holder is replaced', () => {
  it.each<[string, Partial<Holder> | string]>([
    ['its process is gone', { pid: 2 ** 22 + 7 }],
    ['its pid is another process now', { startTime: '1' }],
    ['the machine was started again', { bootId: 'another-boot' }],
    ['its file is torn', '{"pid":12'],
    ['its file is empty', ''],
  ])('%s', (_name, change) => {
    using folder = makeTempFolder();
    plant(folder.path, change);
    expect(findHolder(folder.path)).toBeUndefined();
    using lock = acquireLock(folder.path, 'r2', now);
    expect(findHolder(folder.path)).toEqual(lock.holder);
    expect(readdirSync(path.join(folder.path, 'pawl'))).toEqual(['lock']);
  });

  it.skipIf(process.platform !== 'linux')('it is a zombie', async () => {
    using folder = makeTempFolder();
    // The shell starts a child that ends, and becomes a program that never asks how.
    const parent = spawn('sh', ['-c', 'sleep 0.2 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [output] = await once(parent.stdout, 'data');
      const pid = Number(String(output));
      const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8');
      const isZombie = () => stat().includes(') Z ');
      while (!isZombie()) await new Promise((resolve) => setTimeout(resolve, 10));
      plant(folder.path, {
        pid,
        startTime:
          stat()
            .slice(stat().lastIndexOf(')') + 2)
            .split(' ')[19] ?? '',
      });
      expect(findHolder(folder.path)).toBeUndefined();
    } finally {
      parent.kill('SIGKILL');
    }
  });
});

describe('a live holder is named', () => {
  it('on this machine with the command that ends it', () => {
    using folder = makeTempFolder();
    plant(folder.path, {});
    expect(lockError(folder.path).hint).toContain('pawl stop');
    expect(lockError(folder.path).hint).toContain(path.join(folder.path, 'pawl', 'lock'));
  });

  it('on another machine, where nobody can tell, with the file to remove', () => {
    using folder = makeTempFolder();
    plant(folder.path, { host: `${os.hostname()}-2`, pid: 2 ** 22 + 7 });
    expect(lockError(folder.path).hint).toContain(path.join(folder.path, 'pawl', 'lock'));
  });
});

it('one that is taken between the look and the removal is not removed', () => {
  using folder = makeTempFolder();
  plant(folder.path, { startTime: '1' });
  // Another pawl replaces the dead holder just before this one begins to.
  let other: Disposable | undefined;
  observeEffects(({ label }) => {
    if (!label.startsWith('create lock.') || other) return;
    observeEffects(() => {});
    other = acquireLock(folder.path, 'faster', now);
  });
  expect(lockError(folder.path).message).toContain('run faster');
  expect(findHolder(folder.path)?.run).toBe('faster');
});

it('what a process left that died while it replaced a dead holder is no obstacle', () => {
  using folder = makeTempFolder();
  plant(folder.path, { startTime: '1' });
  const lock = path.join(folder.path, 'pawl', 'lock');
  let isKilled = false;
  expect(() => {
    observeEffects(({ label }) => {
      isKilled ||= label === 'remove lock';
      if (isKilled) throw new Error('killed');
    });
    acquireLock(folder.path, 'killed', now);
  }).toThrow('killed');
  observeEffects(() => {});
  const [guard = ''] = readdirSync(path.dirname(lock)).filter((name) => name !== 'lock');
  writeFileSync(path.join(path.dirname(lock), guard), readFileSync(lock));
  using taken = acquireLock(folder.path, 'r2', now);
  expect(findHolder(folder.path)).toEqual(taken.holder);
  expect(readdirSync(path.dirname(lock))).toEqual(['lock']);
});

it('of two that find the same dead holder, and a dead one that was replacing it, only one wins', () => {
  using folder = makeTempFolder();
  plant(folder.path, { startTime: '1' });
  writeFileSync(path.join(folder.path, 'pawl', 'lock.taking'), '{}');
  const won: string[] = [];
  const acts = new Set<string>();
  // Whatever the first is about to do, the second does all of its own before that.
  observeEffects(({ label }) => {
    if (acts.has(label)) return;
    acts.add(label);
    try {
      acquireLock(folder.path, `before ${label}`, now);
      won.push(`before ${label}`);
    } catch {}
  });
  try {
    acquireLock(folder.path, 'first', now);
    won.push('first');
  } catch {}
  expect(won).toHaveLength(1);
  expect(findHolder(folder.path)?.run).toBe(won[0]);
});

it.skipIf(process.getuid?.() !== 0)('a lock that this user may not read is somebody’s', () => {
  using folder = makeTempFolder();
  chmodSync(folder.path, 0o777);
  using _lock = acquireLock(folder.path, 'r1', now);
  chmodSync(path.join(folder.path, 'pawl'), 0o777);
  const asOther = <T>(act: () => T): T => {
    process.seteuid?.(65_534);
    try {
      return act();
    } finally {
      process.seteuid?.(0);
    }
  };
  expect(() => asOther(() => acquireLock(folder.path, 'r2', now))).toThrow(
    expect.objectContaining({
      code: 'locked',
      hint: expect.stringContaining(path.join(folder.path, 'pawl', 'lock')),
    }),
  );
  expect(() => asOther(() => findHolder(folder.path))).toThrow(expect.objectContaining({ code: 'locked' }));
  expect(findHolder(folder.path)?.run).toBe('r1');
});
