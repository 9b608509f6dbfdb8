// A second working tree: made, looked at, removed only when nothing is only in it.
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { copyBelow, findUntracked, makeFoldersBelow } from '../../../src/git/place/untracked.ts';
import {
  addWorktree,
  judgeWorktree,
  readWorktree,
  removeWorktree,
  type WorktreeFacts,
} from '../../../src/git/place/worktree.ts';
import { openRepo, type Repo } from '../../../src/git/run/repo.ts';
import { depsOf, type Opened, openTemp } from '../open.ts';

const nothing: WorktreeFacts = {
  operation: undefined,
  changed: [],
  untracked: [],
  copies: [],
  onBranch: true,
  submodules: [],
};

describe('judgeWorktree', () => {
  test.each([
    ['nothing', {}, undefined],
    ['copies alone', { copies: ['.env'] }, undefined],
    ['changes', { changed: ['a', 'b'] }, 'it has changes that are not committed: a, b'],
    ['many changes', { changed: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }, 'a, b, c, d, e and 2 more'],
    ['files', { untracked: ['x'] }, 'it has files that git does not know: x'],
    ['no branch', { onBranch: false }, 'its commits are on no branch'],
    ['submodules', { submodules: ['lib'] }, 'it holds repositories of submodules: lib'],
    ['a merge', { operation: 'merge' }, 'a merge is in progress in it'],
  ] as const)('%s', (_, over, why) => {
    const judged = judgeWorktree({ ...nothing, ...over });
    if (why === undefined) expect(judged).toBeUndefined();
    else expect(judged).toContain(why);
  });
});

describe('a real one', () => {
  let made: Opened;
  let top: string;
  let tree: Repo;

  beforeEach(async () => {
    made = await openTemp({ files: { '.gitignore': '.env\n', 'src/a.ts': 'a\n' } });
    top = realpathSync(mkdtempSync(path.join(tmpdir(), 'pawl-tree-')));
    const folder = path.join(top, '1', 'plan');
    await addWorktree(made.repo, { folder, branch: 'plan', create: true, base: await made.oid() });
    tree = await openRepo(folder, depsOf(made.home));
  });
  afterEach(async () => {
    rmSync(top, { recursive: true, force: true });
    await made[Symbol.asyncDispose]();
  });

  const look = () => readWorktree(tree, made.temp.path);
  const remove = async () => removeWorktree(made.repo, { folder: tree.root, ...(await look()) });

  test('a branch that was made meanwhile is said, not git’s failure', async () => {
    const folder = path.join(top, '2', 'plan');
    const late = addWorktree(made.repo, { folder, branch: 'plan', create: true, base: await made.oid() });
    await expect(late).rejects.toThrow('the branch plan was made a moment ago');
    expect(existsSync(folder)).toBe(false);
  });

  test('is a working tree on its branch, and goes with its copies and what is ignored', async () => {
    expect(tree.commonDir).toBe(made.repo.commonDir);
    await made.temp.write('notes.txt', 'mine\n');
    expect(copyBelow(made.temp.path, tree.root, 'notes.txt')).toBe(true);
    writeFileSync(path.join(tree.root, '.env'), 'made here\n');
    expect(await look()).toEqual({ ...nothing, copies: ['notes.txt'] });
    await remove();
    expect(existsSync(tree.root)).toBe(false);
    expect(await made.temp.read('notes.txt')).toBe('mine\n');
    expect(await made.temp.git('branch', '--list', 'plan')).toContain('plan');
  });

  test('shows a change, a new file, a changed copy and commits on no branch; git does not remove what has changed', async () => {
    await made.temp.write('notes.txt', 'mine\n');
    copyBelow(made.temp.path, tree.root, 'notes.txt');
    writeFileSync(path.join(tree.root, 'notes.txt'), 'changed\n');
    writeFileSync(path.join(tree.root, 'src/a.ts'), 'b\n');
    expect(await look()).toMatchObject({ changed: ['src/a.ts'], untracked: ['notes.txt'], copies: [] });
    await expect(remove()).rejects.toMatchObject({ code: 'git' });
    expect(existsSync(tree.root)).toBe(true);
    await tree.git(['switch', '-q', '--detach']);
    await tree.git(['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qam', 'lost']);
    expect(await look()).toMatchObject({ onBranch: false });
  });

  test('one whose folder was removed by hand can be made again on its branch', async () => {
    rmSync(tree.root, { recursive: true });
    // A person's own, on a disk that is not there just now, stays known.
    const persons = path.join(made.home, 'persons');
    await made.temp.git('worktree', 'add', '-q', '--detach', persons);
    rmSync(persons, { recursive: true });
    await addWorktree(made.repo, { folder: tree.root, branch: 'plan', create: false, base: '' });
    expect(await made.temp.git('worktree', 'list')).toContain(persons);
    expect(existsSync(path.join(tree.root, 'src/a.ts'))).toBe(true);
  });

  test('untracked files are found by globs, ignored ones too, and no others', async () => {
    for (const file of ['.env', 'app/.env', 'local/a.json', 'local/b.txt', 'x.key'])
      await made.temp.write(file, file);
    const find = (...globs: string[]) => findUntracked(made.repo, globs);
    expect(await find('.env')).toEqual(['.env', 'app/.env']);
    expect(await find('/.env', 'local/*.json')).toEqual(['.env', 'local/a.json']);
    expect(await find('local/')).toEqual(['local/a.json', 'local/b.txt']);
    expect(await find('src/a.ts', 'none')).toEqual([]);
    expect(await find()).toEqual([]);
  });

  test('nothing is read or written behind a link, and what stands there stays', async () => {
    const outside = path.join(top, 'outside');
    await made.temp.write('local/a.json', 'a\n');
    symlinkSync(outside, path.join(tree.root, 'local'));
    expect(() => copyBelow(made.temp.path, tree.root, 'local/a.json')).toThrow('is not a folder');
    expect(() => makeFoldersBelow(tree.root, 'local/deep')).toThrow('is not a folder');
    symlinkSync(path.join(made.temp.path, 'src'), path.join(made.temp.path, 'linked'));
    expect(() => copyBelow(made.temp.path, tree.root, 'linked/a.ts')).toThrow('behind a link');
    expect(copyBelow(made.temp.path, tree.root, 'src/a.ts')).toBe(false);
    expect(copyBelow(made.temp.path, tree.root, 'missing')).toBe(false);
    expect(existsSync(outside)).toBe(false);
  });
});
