import { spawn } from 'node:child_process';
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { removeLocks } from '../../../src/git/run/lock-files.ts';
import { type Opened, openTemp } from '../open.ts';

/** A git that holds the index while its editor is open, as a person's `git commit -a` does. */
async function startCommit(made: Opened) {
  await made.temp.write('README.md', 'changed\n');
  const closed = path.join(made.repo.gitDir, 'closed');
  const editor = `until [ -e '${closed}' ]; do sleep 0.02; done #`;
  const child = spawn('git', ['-c', `core.editor=${editor}`, 'commit', '-a'], {
    cwd: made.repo.root,
    stdio: 'ignore',
    detached: true,
  });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const lock = path.join(made.repo.gitDir, 'index.lock');
  await vi.waitFor(() => expect(existsSync(lock)).toBe(true), { timeout: 10_000, interval: 10 });
  return {
    lock,
    pid: child.pid,
    /** It and its editor are gone from one moment to the next. */
    kill: () => {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
      return ended;
    },
    /** The person closes the editor without a message, which ends it. */
    close: () => {
      writeFileSync(closed, '');
      return ended;
    },
  };
}

test('what dead gits left goes, also of pawl’s refs', async () => {
  await using made = await openTemp();
  for (const name of ['index.lock', 'refs/pawl/r/rescue.lock', 'refs/heads/other.lock'])
    await made.temp.write(`.git/${name}`, '');
  const names = await removeLocks(made.repo, { branch: 'main' });
  expect(names).toEqual(['index.lock', 'refs/pawl/r/rescue.lock']);
  expect(existsSync(path.join(made.repo.gitDir, 'refs/heads/other.lock'))).toBe(true);
  expect(await removeLocks(made.repo, { branch: 'main' })).toEqual([]);
});

test('a lock from before the run is none of its', async () => {
  await using made = await openTemp();
  await made.temp.write('.git/index.lock', '');
  const lock = path.join(made.repo.gitDir, 'index.lock');
  utimesSync(lock, 1_000, 1_000);
  expect(await removeLocks(made.repo, { branch: 'main', since: new Date(2_000_000) })).toEqual([]);
  expect(existsSync(lock)).toBe(true);
  // The clock of files is behind by a tick.
  utimesSync(lock, 1_999.99, 1_999.99);
  expect(await removeLocks(made.repo, { branch: 'main', since: new Date(2_000_000) })).toEqual([
    'index.lock',
  ]);
});

test('where there is none, nothing is waited for', async () => {
  await using made = await openTemp();
  const wait = vi.spyOn(globalThis, 'setTimeout');
  try {
    expect(await removeLocks(made.repo, { branch: 'main' })).toEqual([]);
    expect(wait).not.toHaveBeenCalled();
  } finally {
    wait.mockRestore();
  }
});

test('a living git keeps its lock and is named; one that was killed does not', async () => {
  await using made = await openTemp();
  const { lock, pid, kill } = await startCommit(made);
  const options = { branch: 'main', patienceMs: 300 };
  await expect(removeLocks(made.repo, options)).rejects.toMatchObject({
    code: 'git',
    message: expect.stringMatching(new RegExp(`index\\.lock is held by another git \\(process ${pid}: git`)),
  });
  expect(existsSync(lock)).toBe(true);
  await kill();
  expect(await removeLocks(made.repo, options)).toEqual(['index.lock']);
});

test('one that comes to its end is waited for', async () => {
  await using made = await openTemp();
  const { close } = await startCommit(made);
  const ended = removeLocks(made.repo, { branch: 'main' });
  await close();
  expect(await ended).toEqual([]);
});
