// A ground: it shows the commit, shares history, and nothing done in it reaches the repository.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openRepo } from '../../src/git/run/repo.ts';
import { makeGround } from '../../src/ground/make.ts';
import { depsOf, type Opened, openTemp } from '../git/open.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const files = { 'src/a.ts': 'a\n', 'run.sh': '#!/bin/sh\n' };

/** Every file of the repository with its bytes, the git folder included. */
function everything(root: string): ReadonlyMap<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [file, readFileSync(file, 'base64')]),
  );
}

async function open(made: Opened) {
  const parent = makeTempFolder();
  const folder = path.join(parent.path, 'of a run');
  const head = await made.oid();
  const checkout = await makeGround(made.repo, {
    folder,
    branch: 'work',
    commit: head,
    refs: { 'refs/heads/base': head },
  });
  return {
    ...checkout,
    folder,
    head,
    [Symbol.dispose]: () => parent[Symbol.dispose](),
  };
}

test('leaves the repository as it is, byte for byte, whatever is done in it', async () => {
  await using made = await openTemp({ files });
  const before = everything(made.temp.path);
  using found = await open(made);
  writeFileSync(path.join(found.folder, 'src/a.ts'), 'changed\n');
  const own = await openRepo(found.folder, depsOf(made.home));
  const author = ['-c', 'user.name=X', '-c', 'user.email=x@example.invalid'];
  await own.write('commit', [...author, 'commit', '-qam', 'mine']);
  await own.write('branch', ['branch', '-f', 'base', 'work']);
  await own.write('tag', ['tag', 'v1']);
  await own.write('stash', [...author, 'stash', '-q', '--include-untracked']);
  await own.write('config', ['config', 'core.hooksPath', '/tmp']);
  expect(everything(made.temp.path)).toEqual(before);
});

test('is never made over what is there, and is gone when it is dropped', async () => {
  await using made = await openTemp({ files });
  using found = await open(made);
  const { folder, head } = found;
  await expect(makeGround(made.repo, { folder, branch: 'work', commit: head })).rejects.toThrow(folder);
  await found.drop();
  expect(existsSync(folder)).toBe(false);
});

test('keeps what is installed when it is used again, also below a folder named like a pattern', async () => {
  await using made = await openTemp({ files: { '.gitignore': 'node_modules\n', 'app/[id]/a.ts': 'a\n' } });
  await made.temp.write('app/[id]/node_modules/x.js', 'x\n');
  using found = await open(made);
  await found.reset(found.head);
  expect(existsSync(path.join(found.folder, 'app/[id]/node_modules/x.js'))).toBe(true);
});

test('that cannot be made leaves no folder', async () => {
  await using made = await openTemp();
  const folder = path.join(made.home, 'c');
  const head = `${'0'.repeat(39)}1`;
  await expect(makeGround(made.repo, { folder, branch: 'w', commit: head })).rejects.toMatchObject({
    code: 'git',
  });
  expect(existsSync(folder)).toBe(false);
});

test('whose copies are stopped in their midst leaves no folder, and throws why', async () => {
  await using made = await openTemp({ files: { ...files, '.gitignore': 'node_modules\n' } });
  for (let at = 0; at < 100; at += 1) await made.temp.write(`node_modules/p${at}/index.js`, `${at}\n`);
  const { signal } = new AbortController();
  let looks = 0;
  signal.throwIfAborted = () => {
    looks += 1;
    if (looks === 50) throw new Error('stopped');
  };
  const folder = path.join(made.home, 'c');
  const commit = await made.oid();
  await expect(makeGround(made.repo, { folder, branch: 'w', commit, signal })).rejects.toThrow('stopped');
  expect(existsSync(folder)).toBe(false);
});

test('runs no hook, no file watcher and no template of the user', async () => {
  await using made = await openTemp({ files });
  const mark = path.join(made.home, 'ran');
  const script = `#!/bin/sh\ntouch ${mark}\n`;
  const template = path.join(made.home, 'template', 'hooks');
  mkdirSync(template, { recursive: true });
  for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction']) {
    writeFileSync(path.join(template, hook), script, { mode: 0o755 });
  }
  const repo = await made.reopen({ GIT_TEMPLATE_DIR: path.dirname(template) });
  const checkout = await makeGround(repo, {
    folder: path.join(made.home, 'c'),
    branch: 'w',
    commit: await made.oid(),
  });
  expect(existsSync(mark)).toBe(false);
  expect(readdirSync(path.join(checkout.repo.gitDir, 'hooks'))).toEqual([]);
});

test('has a submodule’s git folder in its own, and obeys none that a session put into the tree', async () => {
  await using made = await openTemp({ files });
  const { temp, home } = made;
  const git = 'git -c user.name=X -c user.email=x@example.invalid -c protocol.file.allow=always';
  const acts = [
    `git init -q -b main "$HOME/lib" && cd "$HOME/lib" && echo 1 > v && git add v && ${git} commit -qm lib`,
    `${git} submodule -q add "$HOME/lib" lib && ${git} commit -qm two`,
    'rm lib/.git && cp -r .git/modules/lib lib/.git && git config -f lib/.git/config --unset core.worktree',
    `git -C lib config filter.x.smudge "touch '$HOME/ran'; cat" && echo '* filter=x' > lib/.git/info/attributes`,
  ];
  const env = { PATH: process.env['PATH'], HOME: home };
  for (const act of acts) execFileSync('sh', ['-c', act], { cwd: temp.path, env });
  using found = await open(made);
  await found.reset(found.head);
  expect(existsSync(path.join(home, 'ran'))).toBe(false);
  expect(readFileSync(path.join(found.folder, 'lib/v'), 'utf8')).toBe('1\n');
  expect(readFileSync(path.join(found.folder, 'lib/.git'), 'utf8')).toBe('gitdir: ../.git/modules/lib\n');
});
