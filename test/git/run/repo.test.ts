import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { observeEffects } from '../../../src/effect.ts';
import { openRepo } from '../../../src/git/run/repo.ts';
import { essenceOf, gitEnvironment } from '../../../src/git/run/run-git.ts';
import { has } from '../../helpers/needs.ts';
import { depsOf, openTemp } from '../open.ts';

afterEach(() => observeEffects(() => {}));

test('finds the root from a folder in it, also behind a symlink', async () => {
  await using made = await openTemp({ files: { 'a/b/c.ts': 'x' } });
  const link = path.join(made.home, 'link');
  symlinkSync(path.join(made.temp.path, 'a/b'), link);
  const repo = await openRepo(link, depsOf(made.home));
  expect(repo).toMatchObject({
    root: made.temp.path,
    gitDir: path.join(made.temp.path, '.git'),
    commonDir: path.join(made.temp.path, '.git'),
    hooksDir: path.join(made.temp.path, '.git/hooks'),
  });
});

test('a linked worktree has a git folder of its own and shares one', async () => {
  await using made = await openTemp();
  const tree = path.join(made.home, 'tree');
  await made.temp.git('worktree', 'add', '-q', tree);
  const repo = await openRepo(tree, depsOf(made.home));
  expect(repo).toMatchObject({
    root: tree,
    gitDir: path.join(made.temp.path, '.git/worktrees/tree'),
    commonDir: path.join(made.temp.path, '.git'),
  });
  expect(await repo.git(['status', '--porcelain'])).toBe('');
});

test('is not led elsewhere by the environment of a hook it runs in', async () => {
  await using made = await openTemp();
  const repo = await made.reopen({ GIT_DIR: '/nowhere', GIT_INDEX_FILE: '/nowhere', GIT_WORK_TREE: '/' });
  expect(repo.root).toBe(made.temp.path);
  expect(await repo.git(['ls-files'])).toBe('README.md\n');
});

test('each place without a working tree has its own remedy', async () => {
  await using made = await openTemp();
  const bare = path.join(made.home, 'bare');
  await made.temp.git('init', '-q', '--bare', bare);
  const open = (folder: string) => openRepo(folder, depsOf(made.home));
  for (const [folder, words, remedy] of [
    [made.home, 'not in a git repository', 'git init'],
    [bare, 'bare repository', 'git worktree add'],
    [made.repo.gitDir, 'bare repository', 'git worktree add'],
  ] as const)
    await expect(open(folder)).rejects.toMatchObject({
      code: 'preflight',
      message: expect.stringContaining(words),
      hint: expect.stringContaining(remedy),
    });
  mkdirSync(path.join(made.repo.commonDir, 'reftable'));
  await expect(open(made.temp.path)).rejects.toMatchObject({
    code: 'preflight',
    hint: expect.stringContaining('git refs migrate'),
  });
});

test.runIf(has('root'))('a repository of another user’s', async () => {
  await using made = await openTemp();
  chownSync(made.temp.path, 65534, 65534);
  await expect(openRepo(made.temp.path, depsOf(made.home))).rejects.toMatchObject({
    code: 'preflight',
    hint: expect.stringContaining('safe.directory'),
  });
});

test('no git at all', async () => {
  await using made = await openTemp();
  const deps = depsOf(made.home, { PATH: '/nowhere' });
  await expect(openRepo(made.temp.path, deps)).rejects.toMatchObject({ code: 'environment' });
});

test.each([
  ['does not know where paths begin', 'rev-parse', '--path-format=absolute', 0],
  ['does not know an option', 'rev-list', 'usage: git rev-list [OPTION] <commit-id>', 129],
])('%s: pawl says which it needs', async (_, command, says, exit) => {
  await using made = await openTemp();
  const bin = path.join(made.home, 'bin');
  const fake = `#!/bin/sh\ncase " $* " in *" ${command} "*) echo '${says}' | tee /dev/stderr; exit ${exit};; esac\nPATH=\${PATH#*:}\nexec git "$@"\n`;
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'git'), fake, { mode: 0o755 });
  const deps = depsOf(made.home);
  const env = { ...deps.env, PATH: `${bin}:${process.env['PATH']}` };
  const used = openRepo(made.temp.path, { ...deps, env }).then((repo) => repo.git(['rev-list', 'HEAD']));
  await expect(used).rejects.toMatchObject({ hint: expect.stringMatching(/git 2\.\d\d/) });
});

test('a bad end is a failure with git’s own words', async () => {
  await using made = await openTemp();
  await expect(made.repo.git(['rev-parse', 'nowhere', '--'])).rejects.toMatchObject({
    code: 'git',
    message: expect.stringMatching(/^git rev-parse failed: .*nowhere/),
  });
  expect(await made.repo.git(['rev-parse', '-q', '--verify', 'nowhere'], { okCodes: [0, 1] })).toBe('');
});

test('one that hangs is ended by its clock', async () => {
  await using made = await openTemp();
  const bin = path.join(made.home, 'bin');
  mkdirSync(bin);
  const deps = depsOf(made.home);
  const repo = await openRepo(made.temp.path, { ...deps, gitMs: 300 });
  writeFileSync(path.join(bin, 'git-hang'), '#!/bin/sh\nexec sleep 300\n');
  chmodSync(path.join(bin, 'git-hang'), 0o755);
  const hang = repo.git(['hang'], { env: { PATH: `${bin}:${deps.env.PATH}` } });
  await expect(hang).rejects.toMatchObject({
    code: 'git',
    message: expect.stringContaining('took longer'),
  });
});

test('writes pass the door of effects with their label, reads do not', async () => {
  await using made = await openTemp();
  const labels: string[] = [];
  observeEffects(({ kind, label }) => void labels.push(`${kind} ${label}`));
  await made.repo.git(['status']);
  await made.repo.write('a tag', ['tag', 'x']);
  expect(labels).toEqual(['git a tag']);
});

test('another git’s lock is waited for', async () => {
  await using made = await openTemp();
  const lock = path.join(made.repo.gitDir, 'index.lock');
  writeFileSync(lock, '');
  let tries = 0;
  observeEffects(() => {
    tries += 1;
    if (tries === 3) rmSync(lock);
  });
  await made.repo.write('index', ['read-tree', 'HEAD']);
  expect(tries).toBeGreaterThan(2);
});

test('input of any bytes and output cut at a bound', async () => {
  await using made = await openTemp();
  const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => at % 256);
  const oid = (await made.repo.write('blob', ['hash-object', '-w', '--stdin'], { input: bytes })).trim();
  expect(Buffer.from(bytes).equals(await made.repo.bytes(['cat-file', 'blob', oid]))).toBe(true);
  expect((await made.repo.bytes(['cat-file', 'blob', oid], { maxBytes: 10 })).length).toBeLessThan(100_000);
});

test('an attribute that git dies of is named', async () => {
  await using made = await openTemp({ files: { 'a.ts': 'a' } });
  await made.temp.write('.gitattributes', '*.ts working-tree-encoding\n');
  await made.temp.write('a.ts', 'b');
  await expect(made.repo.git(['status', '--porcelain'])).rejects.toMatchObject({
    code: 'git',
    hint: expect.stringContaining('.gitattributes'),
  });
});

test('reading never writes the index, so that a person’s git is not in the way', async () => {
  await using made = await openTemp({ files: { 'a.ts': 'a' } });
  await made.temp.write('a.ts', 'a');
  writeFileSync(path.join(made.repo.gitDir, 'index.lock'), '');
  expect(await made.repo.git(['status', '--porcelain'])).toBe('');
});

test('the environment keeps the user’s, its character set and nobody to ask', () => {
  const env = gitEnvironment({
    HOME: '/h',
    LC_ALL: 'de_DE.UTF-8',
    GIT_DIR: '/x',
    GIT_SSH_COMMAND: 'ssh -x',
    GIT_PAGER: 'less',
  });
  expect(env).toMatchObject({
    HOME: '/h',
    LC_CTYPE: 'de_DE.UTF-8',
    LC_MESSAGES: 'C',
    GIT_SSH_COMMAND: 'ssh -x',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
    GIT_EDITOR: 'true',
  });
  expect(env).not.toHaveProperty('LC_ALL');
  expect(env).not.toHaveProperty('GIT_DIR');
});

test.each([
  ['warning: x\nfatal: bad thing\n', 'bad thing'],
  ['hint only\n', 'hint only'],
  ['', 'no message'],
])('the essence of %j', (stderr, expected) => {
  expect(essenceOf(stderr)).toBe(expected);
});
