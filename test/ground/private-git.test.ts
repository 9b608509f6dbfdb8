// A private git folder: history to read, everything to write, and nothing of it is the repository's.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openRepo } from '../../src/git/run/repo.ts';
import { makePrivateGit, privateConfig } from '../../src/ground/private-git.ts';
import { depsOf, openTemp } from '../git/open.ts';

test('who works by it sees the history, and changes nothing of the repository’s', async () => {
  await using made = await openTemp({ files: { 'a.txt': 'a\n' } });
  const { repo } = made;
  const own = path.join(repo.gitDir, 'pawl', 'own');
  await repo.write('config', ['config', 'alias.x', '!true']);
  await repo.write('tag', ['tag', 'v1']);
  await repo.write('own ref', ['update-ref', 'refs/pawl/r/rescue', 'HEAD']);
  const objects = path.join(repo.commonDir, 'objects');
  expect(await makePrivateGit(repo, own, { objects, git: '/elsewhere' })).toEqual({
    folder: own,
    borrowed: [{ from: objects, to: objects }],
  });
  const git = gitOf(own, repo.root);
  const refs = await repo.git(['for-each-ref']);
  expect(git('rev-parse', 'HEAD', 'v1')).toBe((await repo.git(['rev-parse', 'HEAD', 'v1'])).trim());
  expect(git('status', '--porcelain')).toBe('');
  expect(git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
  expect(git('for-each-ref', 'refs/pawl')).toBe('');
  expect(git('config', '--local', '--list')).not.toContain('alias');
  git('commit', '--quiet', '--allow-empty', '-m', 'mine');
  git('update-ref', '-d', 'refs/tags/v1');
  expect(git('log', '--format=%s')).toBe('mine\nstart');
  expect(await repo.git(['for-each-ref'])).toBe(refs);
});

test('that of a linked working tree is named by a file', async () => {
  await using made = await openTemp({ files: { 'a.txt': 'a\n' } });
  const [tree, own] = ['tree', 'own'].map((name) => path.join(made.home, name)) as [string, string];
  await made.temp.git('worktree', 'add', '-q', '-b', 'side', tree);
  const repo = await openRepo(tree, depsOf(made.home));
  const objects = path.join(repo.commonDir, 'objects');
  expect((await makePrivateGit(repo, own, { objects, git: own })).linkFile).toBe(`${own}.link`);
  expect(gitOf(own, tree)('symbolic-ref', 'HEAD')).toBe('refs/heads/side');
});

test('who works by it can ask what has changed beside a submodule, whose git folder is not there', async () => {
  await using made = await openTemp({ files: { 'a.txt': 'a\n' } });
  const { repo, temp } = made;
  const own = path.join(made.home, 'own');
  const oid = await temp.git('rev-parse', 'HEAD');
  await temp.write('lib/x/.git', 'gitdir: ../../.git/modules/x\n');
  await temp.git('update-index', '--add', '--cacheinfo', `160000,${oid.trim()},lib/x`);
  await temp.git('commit', '-qm', 'submodule');
  await temp.write('a.txt', 'b\n');
  await makePrivateGit(repo, own, { objects: path.join(repo.commonDir, 'objects'), git: own });
  const git = gitOf(own, repo.root);
  expect(git('status', '--porcelain')).toBe('M a.txt');
  expect(git('diff', '--name-only', 'HEAD')).toBe('a.txt');
  expect(git('diff', '--name-only', 'HEAD~')).toBe('a.txt\nlib/x');
});

function gitOf(folder: string, root: string) {
  return (...args: string[]) =>
    execFileSync('git', [`--git-dir=${folder}`, `--work-tree=${root}`, ...args], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    }).trim();
}

test.each<[string, string]>([
  ['core.autocrlf\ninput', '[core]\n\tautocrlf = "input"\n'],
  ['core.symlinks', '[core]\n\tsymlinks = "true"\n'],
  ['core.eol\n', '[core]\n\teol = ""\n'],
  ['user.name\nAda "A" \\ B', '[user]\n\tname = "Ada \\"A\\" \\\\ B"\n'],
  ['user.name\none\0user.name\ntwo', '[user]\n\tname = "two"\n'],
  ['extensions.objectformat\nsha256', '[extensions]\n\tobjectformat = "sha256"\n'],
])('of the config %j stays', (listed, wanted) => {
  expect(privateConfig(listed)).toContain(wanted);
});

test('nothing of a config stays that runs or redirects anything', () => {
  const fresh = '[core]\n\trepositoryformatversion = "0"\n[core]\n\tbare = "false"\n[gc]\n\tauto = "0"\n';
  const blind = '[diff]\n\tignoresubmodules = "dirty"\n';
  const keys = 'core.fsmonitor core.hookspath core.worktree filter.lfs.clean remote.origin.url core.bare';
  expect(privateConfig(keys.replaceAll(' ', '\nx\0'))).toBe(fresh + blind);
});
