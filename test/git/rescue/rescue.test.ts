import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Rescue, type RescueOptions, saveRescue } from '../../../src/git/rescue/rescue.ts';
import { hasStaged } from '../../../src/git/rescue/rescue-commit.ts';
import { dropRun, listRescues, restoreRescue, showRescue } from '../../../src/git/rescue/rescue-list.ts';
import { formatPoint, parsePoint } from '../../../src/git/rescue/rescue-point.ts';
import { restoreTree } from '../../../src/git/rescue/restore-tree.ts';
import { type Opened, openTemp } from '../open.ts';

const files = { 'src/a.ts': 'a\n', 'src/b.ts': 'b\n', '.gitignore': '.env*\n*.log\n/deps/\n' };

const optionsOf = (made: Opened): Omit<RescueOptions, 'reason'> => ({
  run: 'r',
  index: `${made.index}.rescue`,
  include: ['.env*'],
  maxFileMb: 1,
});
const save = (made: Opened, reason = 'test'): Promise<Rescue> =>
  saveRescue(made.repo, { ...optionsOf(made), reason });
const at = (made: Opened, name: string): string => path.join(made.temp.path, name);

describe('saveRescue', () => {
  test('what was staged meanwhile is seen, however often it was asked before', async () => {
    await using made = await openTemp({ files });
    const isStaged = async () => hasStaged(made.repo, await made.oid('HEAD'));
    expect(await isStaged()).toBe(false);
    expect(await isStaged()).toBe(false);
    await made.temp.write('src/a.ts', 'staged\n');
    await made.temp.git('add', 'src/a.ts');
    expect(await isStaged()).toBe(true);
    await made.temp.git('commit', '-qm', 'it');
    expect(await isStaged()).toBe(false);
    await made.temp.git('reset', '-q', '--soft', 'HEAD^');
    expect(await isStaged()).toBe(true);
  });

  test('holds changed, removed, untracked and chosen ignored files; says what it does not hold', async () => {
    await using made = await openTemp({ files });
    await made.temp.write('src/a.ts', 'changed\n');
    rmSync(at(made, 'src/b.ts'));
    await made.temp.write('new/ü\n"x".ts', 'new\n');
    await made.temp.write('.env.local', 'SECRET\n');
    await made.temp.write('x.log', 'log');
    await made.temp.write('deps/.env', 'not ours');
    await made.temp.write('big.bin', 'x'.repeat(1024 * 1024 + 1));
    await made.temp.git('-c', 'init.defaultBranch=x', 'init', '-q', 'nested');
    symlinkSync('/etc/passwd', at(made, 'link'));
    const before = await made.temp.git('status', '--porcelain');
    const rescue = await save(made, 'before task 1');
    expect(rescue.ref).toBe('refs/pawl/r/rescue');
    expect(rescue.oid).toBe(await made.oid(rescue.ref));
    const held = (await made.temp.git('ls-tree', '-r', '-z', '--name-only', rescue.oid))
      .split('\0')
      .filter(Boolean);
    expect(held.sort()).toEqual(
      ['.env.local', '.gitignore', 'README.md', 'link', 'new/ü\n"x".ts', 'src/a.ts'].sort(),
    );
    expect(await made.temp.git('show', `${rescue.oid}:src/a.ts`)).toBe('changed');
    expect(rescue.notHeld.map(({ file }) => file).sort()).toEqual(['big.bin', 'nested/']);
    expect(await made.temp.git('show', '-s', '--format=%s', rescue.oid)).toBe('before task 1');
    expect(await made.temp.git('show', '-s', '--format=%B', rescue.oid)).not.toMatch(/^Pawl-/m);
    expect(await made.temp.git('status', '--porcelain')).toBe(before);
    expect(await made.temp.git('diff', '--cached', '--name-only')).toBe('');
  });

  test('nothing changed since: the same point; a moved HEAD is another', async () => {
    await using made = await openTemp({ files });
    await made.temp.write('x.ts', 'x');
    const first = await save(made);
    expect(await save(made, 'another reason')).toEqual(first);
    await made.temp.git('commit', '-q', '--allow-empty', '-m', 'moved');
    const second = await save(made);
    expect(second.oid).not.toBe(first.oid);
    expect(await made.oid(`${second.oid}^1`)).toBe(first.oid);
    expect(await made.oid(`${second.oid}^2`)).toBe(await made.oid());
  });

  test('what was staged is a parent of its own', async () => {
    await using made = await openTemp({ files });
    await made.temp.write('src/a.ts', 'staged\n');
    await made.temp.git('add', 'src/a.ts');
    await made.temp.write('src/a.ts', 'work\n');
    const { oid } = await save(made);
    expect(await made.temp.git('show', `${oid}^3:src/a.ts`)).toBe('staged');
    expect(await made.temp.git('show', `${oid}:src/a.ts`)).toBe('work');
  });

  test('conflicts in the index do not stop it', async () => {
    await using made = await openTemp({ files });
    await made.temp.git('switch', '-q', '-c', 'side');
    await made.temp.write('src/a.ts', 'side\n');
    await made.temp.git('commit', '-qam', 'side');
    await made.temp.git('switch', '-q', 'main');
    await made.temp.write('src/a.ts', 'main\n');
    await made.temp.git('commit', '-qam', 'main');
    await expect(made.temp.git('merge', 'side')).rejects.toThrow();
    const { oid } = await save(made);
    expect(await made.temp.git('show', `${oid}:src/a.ts`)).toContain('<<<<<<<');
    expect(await made.temp.git('show', '-s', '--format=%B', oid)).toContain('index: has conflicts');
  });

  test('a repository without identity, without a commit on HEAD, and with a hook that must not run', async () => {
    await using made = await openTemp({ files });
    await made.temp.git('config', '--unset', 'user.name');
    await made.temp.git('config', '--unset', 'user.email');
    await made.temp.git('switch', '-q', '--orphan', 'fresh');
    await made.temp.write('only.ts', 'x\n');
    const canary = path.join(made.home, 'ran');
    writeFileSync(path.join(made.repo.hooksDir, 'reference-transaction'), `#!/bin/sh\ntouch ${canary}\n`, {
      mode: 0o755,
    });
    const { oid } = await save(made);
    expect(await made.temp.git('show', `${oid}:only.ts`)).toBe('x');
    expect(existsSync(canary)).toBe(false);
  });

  test('a file that grew too big leaves the next point and is listed', async () => {
    await using made = await openTemp({ files });
    await made.temp.write('x.bin', 'small');
    expect((await save(made)).notHeld).toEqual([]);
    await made.temp.write('x.bin', 'x'.repeat(2 * 1024 * 1024));
    const rescue = await save(made);
    expect(rescue.notHeld).toEqual([{ file: 'x.bin', why: '2.0 MB, too big to copy' }]);
    await expect(made.temp.git('cat-file', '-e', `${rescue.oid}:x.bin`)).rejects.toThrow();
  });

  test('a tracked file over the limit that was gone at one point is held when it is back', async () => {
    await using made = await openTemp({ files: { 'x.bin': 'x'.repeat(2 * 1024 * 1024) } });
    rmSync(at(made, 'x.bin'));
    await save(made, 'gone');
    const changed = 'y'.repeat(2 * 1024 * 1024);
    await made.temp.write('x.bin', changed);
    const back = await save(made, 'back');
    expect(back.notHeld).toEqual([]);
    expect(await made.repo.git(['show', `${back.oid}:x.bin`])).toBe(changed);
  });
});

test('changed files of a submodule are named as not held', async () => {
  await using made = await openTemp({ files });
  const inner = path.join(made.home, 'inner');
  const git = (...args: string[]) => made.temp.git('-c', 'user.name=a', '-c', 'user.email=b', ...args);
  await git('init', '-q', '--', inner);
  await git('-C', inner, 'commit', '-q', '--allow-empty', '-m', 'inner');
  await git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
  await git('commit', '-qm', 'submodule');
  expect((await save(made)).notHeld).toEqual([]);
  await made.temp.write('sub/new.ts', 'new\n');
  const { notHeld } = await save(made);
  expect(notHeld).toEqual([{ file: 'sub', why: 'changed files of a submodule' }]);
  await git('-C', at(made, 'sub'), 'commit', '-q', '--allow-empty', '-m', 'more');
  expect((await save(made)).notHeld.map(({ file }) => file)).toEqual(['sub']);
});

describe('restoreTree', () => {
  const restore = async (made: Opened, rescue: string, keep?: readonly string[]) =>
    restoreTree(made.repo, {
      tree: await made.oid('HEAD^{tree}'),
      index: made.index,
      rescue,
      ...(keep ? { keep: new Set(keep) } : {}),
    });

  test('rewrites tracked files, removes new ones and emptied folders, keeps the user’s and ignored ones', async () => {
    await using made = await openTemp({ files });
    await made.temp.write('src/a.ts', 'changed\n');
    rmSync(at(made, 'src/b.ts'));
    await made.temp.write('deep/er/new.ts', 'new\n');
    await made.temp.write('mine.txt', 'mine\n');
    await made.temp.write('x.log', 'log');
    const { oid } = await save(made);
    const { left } = await restore(made, oid, ['mine.txt']);
    expect(left).toEqual(['mine.txt']);
    expect(await made.temp.git('status', '--porcelain')).toBe('?? mine.txt');
    expect(existsSync(at(made, 'deep'))).toBe(false);
    expect(await made.temp.read('x.log')).toBe('log');
  });

  test('a file that git was told not to look at comes back as it was on this machine', async () => {
    await using made = await openTemp({ files });
    await made.temp.git('update-index', '--skip-worktree', 'src/a.ts');
    await made.temp.git('update-index', '--assume-unchanged', 'src/b.ts');
    await made.temp.write('src/a.ts', 'as I have it\n');
    await made.temp.write('src/b.ts', 'as well\n');
    const start = await save(made, 'start');
    await made.temp.write('src/a.ts', 'written over\n');
    rmSync(at(made, 'src/b.ts'));
    const before = await save(made, 'before it is restored');
    expect(before.oid).not.toBe(start.oid);
    const { rescue, exact } = { rescue: before.oid, exact: start.oid };
    await restoreTree(made.repo, { tree: await made.oid(), index: made.index, rescue, exact });
    expect(await made.temp.read('src/a.ts')).toBe('as I have it\n');
    expect(await made.temp.read('src/b.ts')).toBe('as well\n');
    const back = { rescue: start.oid, exact: before.oid };
    await restoreTree(made.repo, { tree: await made.oid(), index: made.index, ...back });
    expect(await made.temp.read('src/a.ts')).toBe('written over\n');
  });

  test('what the rescue does not hold is not touched: nothing is', async () => {
    await using made = await openTemp({ files });
    await made.temp.write('src/a.ts', 'changed\n');
    const { oid } = await save(made);
    await made.temp.write('src/a.ts', 'changed again\n');
    await made.temp.write('late.ts', 'late\n');
    await expect(restore(made, oid, [])).rejects.toMatchObject({
      code: 'git',
      message: expect.stringMatching(/src\/a\.ts.*late\.ts|late\.ts.*src\/a\.ts/),
    });
    expect(await made.temp.read('src/a.ts')).toBe('changed again\n');
    expect(await made.temp.read('late.ts')).toBe('late\n');
  });

  test('a file too big for the rescue is not removed', async () => {
    await using made = await openTemp({ files });
    await made.temp.write('big.bin', 'x'.repeat(2 * 1024 * 1024));
    const { oid } = await save(made);
    await expect(restore(made, oid, [])).rejects.toMatchObject({
      message: expect.stringContaining('big.bin'),
    });
    expect(existsSync(at(made, 'big.bin'))).toBe(true);
  });

  test('a folder where a file was and a link where a folder was', async () => {
    await using made = await openTemp({ files });
    rmSync(at(made, 'README.md'));
    await made.temp.write('README.md/x', 'x');
    rmSync(at(made, 'src'), { recursive: true });
    writeFileSync(path.join(made.home, 'a.ts'), 'precious');
    symlinkSync(made.home, at(made, 'src'));
    const { oid } = await save(made);
    await restore(made, oid, []);
    expect(await made.temp.git('status', '--porcelain')).toBe('');
    expect(readFileSync(path.join(made.home, 'a.ts'), 'utf8')).toBe('precious');
  });

  test('what is the user’s in the way of a file is a failure, and stays', async () => {
    await using made = await openTemp({ files });
    rmSync(at(made, 'README.md'));
    await made.temp.write('README.md/mine', 'mine');
    const { oid } = await save(made);
    await expect(restore(made, oid, ['README.md/mine'])).rejects.toMatchObject({
      message: expect.stringContaining('in the way'),
    });
    expect(await made.temp.read('README.md/mine')).toBe('mine');
  });

  test('names of every kind', async () => {
    await using made = await openTemp({ files: { ...files, 'a\nb': '1', ':x': '1', '-f': '1' } });
    for (const name of ['a\nb', ':x', '-f', 'new\n', '"q"']) await made.temp.write(name, '2');
    writeFileSync(Buffer.concat([Buffer.from(at(made, 'bad')), Buffer.of(0xff)]), '2');
    const { oid } = await save(made);
    await restore(made, oid, []);
    expect(await made.temp.git('status', '--porcelain')).toBe('');
  });
});

describe('points', () => {
  test('are listed, shown and restored; what stood there is a point of its own', async () => {
    await using made = await openTemp({ files });
    await made.temp.write('src/a.ts', 'one\n');
    await made.temp.write('.env', 'KEY=1\n');
    await made.temp.write('big.bin', 'x'.repeat(2 * 1024 * 1024));
    const first = await save(made, 'one');
    await made.temp.write('src/a.ts', 'two\n');
    await made.temp.write('extra.ts', 'extra\n');
    rmSync(at(made, '.env'));
    await save(made, 'two');
    const points = await listRescues(made.repo);
    expect(points.map(({ run, point, reason, branch }) => `${run} ${point} ${reason} ${branch}`)).toEqual([
      'r 1 one main',
      'r 2 two main',
    ]);
    expect(points[0]).toMatchObject({ oid: first.oid, head: await made.oid() });
    const shown = await showRescue(made.repo, { run: 'r', point: 1 });
    expect(shown.files.map(({ file }) => file)).toEqual(['.env', 'src/a.ts']);

    await made.temp.write('src/a.ts', 'three\n');
    const result = await restoreRescue(made.repo, { ...optionsOf(made), point: 1 });
    expect(result.restored).toEqual(['.env', 'src/a.ts']);
    expect(result.notHeld.map(({ file }) => file)).toEqual(['big.bin']);
    expect(await made.temp.read('src/a.ts')).toBe('one\n');
    expect(await made.temp.read('.env')).toBe('KEY=1\n');
    expect(await made.temp.read('extra.ts')).toBe('extra\n');
    expect(await made.temp.git('show', `${result.rescue}:src/a.ts`)).toBe('three');
    expect(await made.temp.git('diff', '--cached', '--name-only')).toBe('');
  });

  test('some files of a point, by its id', async () => {
    await using made = await openTemp({ files });
    await made.temp.write('src/a.ts', 'one\n');
    await made.temp.write('src/b.ts', 'one\n');
    const { oid } = await save(made);
    await made.temp.git('checkout', '-q', '.');
    const result = await restoreRescue(made.repo, {
      ...optionsOf(made),
      point: oid.slice(0, 10),
      files: ['src/b.ts'],
    });
    expect(result.restored).toEqual(['src/b.ts']);
    expect(await made.temp.read('src/a.ts')).toBe('a\n');
  });

  test('one that does not exist', async () => {
    await using made = await openTemp({ files });
    await expect(showRescue(made.repo, { run: 'r', point: 1 })).rejects.toMatchObject({ code: 'usage' });
    await save(made);
    await expect(showRescue(made.repo, { run: 'r', point: 2 })).rejects.toMatchObject({
      message: expect.stringContaining('1 to 1'),
    });
  });

  test('a run is dropped with all its refs, another stays', async () => {
    await using made = await openTemp({ files });
    await save(made);
    await saveRescue(made.repo, { ...optionsOf(made), run: 'q', reason: 'q' });
    expect(await dropRun(made.repo, 'r')).toEqual(['refs/pawl/r/rescue']);
    expect(await made.temp.git('for-each-ref', '--format=%(refname)', 'refs/pawl')).toBe(
      'refs/pawl/q/rescue',
    );
  });

  test('their text', () => {
    const text = {
      reason: 'why: this',
      branch: 'b',
      head: '',
      index: 'as HEAD',
      exact: [{ file: 'ü\n', mode: 0o600 }],
      notHeld: [{ file: 'a\nb: "x"', why: 'w' }],
    };
    expect(parsePoint(formatPoint(text))).toEqual(text);
    expect(parsePoint('rescue points of r\n')).toBeUndefined();
    expect(parsePoint(formatPoint({ ...text, reason: 'two\nlines\n\nbranch: x' }))?.branch).toBe('b');
  });
});
