import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readRefFiles } from '../../src/git/ref-files.ts';
import { type Opened, openTemp } from './open.ts';

type Act = (made: Opened) => Promise<unknown> | unknown;

const write = (made: Opened, file: string, text: string): void => {
  const at = path.join(made.repo.gitDir, file);
  mkdirSync(path.dirname(at), { recursive: true });
  writeFileSync(at, text);
};
const text = (made: Opened): string | undefined =>
  readRefFiles(made.repo)
    ?.map(({ ref, oid }) => `${ref} ${oid}`)
    .join('\n');
const told = async (made: Opened): Promise<string> => {
  const lines = await made.temp.git('for-each-ref', '--format=%(refname) %(objectname)');
  return lines
    .split('\n')
    .filter((line) => !line.startsWith('refs/remotes/'))
    .join('\n');
};

test.each<[string, Act]>([
  ['a branch, a tag with an object, a folder', (made) => made.temp.git('tag', '-am', 'v', 'v/1')],
  ['all packed', (made) => made.temp.git('pack-refs', '--all')],
  [
    'a packed one moved, another deleted, a third new',
    async (made) => {
      await made.temp.git('tag', 'gone');
      await made.temp.git('pack-refs', '--all');
      await made.temp.git('tag', '-d', 'gone');
      await made.temp.git('commit', '-q', '--allow-empty', '-m', 'two');
      await made.temp.git('branch', 'third');
    },
  ],
  ['remotes', (made) => made.temp.git('update-ref', 'refs/remotes/origin/main', 'HEAD')],
  ['pawl’s own and a stash', (made) => made.temp.git('update-ref', 'refs/pawl/r/rescue', 'HEAD')],
  ['a lock and a hidden file', (made) => write(made, 'refs/heads/.x', 'x')],
  ['a dead git’s lock', (made) => write(made, 'refs/heads/main.lock', '')],
  ['a name in another script', (made) => made.temp.git('branch', 'größe/日本')],
])('%s: as git tells', async (_, act) => {
  await using made = await openTemp();
  await act(made);
  expect(text(made)).toBe(await told(made));
});

test.each<[string, Act]>([
  ['a symbolic ref', (made) => made.temp.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main')],
  ['a link', (made) => symlinkSync('main', path.join(made.repo.gitDir, 'refs/heads/alias'))],
  ['no object id', (made) => write(made, 'refs/heads/broken', 'nothing\n')],
  ['nothing but zeros', (made) => write(made, 'refs/heads/broken', `${'0'.repeat(40)}\n`)],
  ['a name no ref may have', (made) => write(made, 'refs/heads/a b', `${'1'.repeat(40)}\n`)],
  ['a name that is no text', (made) => write(made, 'packed-refs', `${'1'.repeat(40)} refs/heads/\ufffd\n`)],
  ['a packed line of another kind', (made) => write(made, 'packed-refs', 'what is this\n')],
  ['another store', (made) => write(made, 'reftable/tables.list', '')],
])('%s: git is to be asked', async (_, act) => {
  await using made = await openTemp();
  await act(made);
  expect(text(made)).toBeUndefined();
});

test('of a linked work tree only what all share is read, and nothing where it has refs of its own', async () => {
  await using made = await openTemp();
  const other = path.join(made.home, 'linked');
  await made.temp.git('worktree', 'add', '-q', other);
  await made.temp.git('update-ref', 'refs/bisect/bad', 'HEAD');
  const gitDir = path.join(made.repo.gitDir, 'worktrees', path.basename(other));
  const linked = { ...made, repo: { ...made.repo, gitDir } };
  const shared = (await told(made)).split('\n').filter((line) => !line.startsWith('refs/bisect'));
  expect(text(linked)).toBe(shared.join('\n'));
  mkdirSync(path.join(gitDir, 'refs/bisect'), { recursive: true });
  expect(text(linked)).toBe(shared.join('\n'));
  writeFileSync(path.join(gitDir, 'refs/bisect/bad'), await made.oid('HEAD'));
  expect(text(linked)).toBeUndefined();
});
