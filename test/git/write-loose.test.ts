import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { commitPointAt } from '../../src/git/rescue-commit.ts';
import { writeLooseCommit, writeLooseRef } from '../../src/git/write-loose.ts';
import { type Opened, openTemp } from './open.ts';

const ref = 'refs/pawl/r/rescue';
const by = 'pawl <pawl@localhost>';

/** git as pawl's own commits are made, at one instant of the local clock. */
function gitIn(folder: string, at: Date) {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
  const who = { NAME: 'pawl', EMAIL: 'pawl@localhost', DATE: local };
  const env = Object.entries(who).flatMap(([name, value]) => [
    [`GIT_AUTHOR_${name}`, value],
    [`GIT_COMMITTER_${name}`, value],
  ]);
  return (args: readonly string[], input = '') =>
    execFileSync('git', ['-C', folder, ...args], {
      ...{ input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] },
      env: { ...process.env, ...Object.fromEntries(env) },
    }).trim();
}

async function commitOf(made: Opened, message = 'before task 1: über\n\nbranch: plan') {
  const parents = [await made.oid()];
  return { tree: await made.oid('HEAD^{tree}'), parents, message, by, at: new Date(1_760_000_000_500) };
}

describe('a commit', () => {
  test.each(['sha1', 'sha256'])('is byte for byte what git makes of it (%s)', async (format) => {
    await using made = await openTemp();
    const folder = path.join(made.temp.path, 'other');
    await made.temp.git('init', '-q', `--object-format=${format}`, folder);
    const at = new Date(1_760_000_000_500);
    const git = gitIn(folder, at);
    const tree = git(['write-tree']);
    const parents = [git(['commit-tree', tree], 'start')];
    const commit = { tree, parents, message: 'before task 1: über\n\nbranch: plan', by, at };
    const oid = writeLooseCommit({ commonDir: path.join(folder, '.git') }, commit) ?? '';
    const file = path.join(folder, '.git/objects', oid.slice(0, 2), oid.slice(2));
    expect(statSync(file).mode & 0o777).toBe(0o444);
    expect(readdirSync(path.dirname(file))).toEqual([oid.slice(2)]);
    expect(git(['fsck', '--strict', '--no-dangling'])).toBe('');
    rmSync(file);
    expect(git(['commit-tree', tree, '-p', parents[0] ?? ''], commit.message)).toBe(oid);
  });

  test.each([
    ['a NUL in its words', (_: string) => {}, 'a\0b'],
    ['folders that a group shares', (objects: string) => chmodSync(objects, 0o2775), 'a'],
  ])('%s: git is to make it', async (_, prepare, message) => {
    await using made = await openTemp();
    prepare(path.join(made.repo.commonDir, 'objects'));
    expect(writeLooseCommit(made.repo, await commitOf(made, message))).toBeUndefined();
  });
});

describe('a ref', () => {
  test('is made, and moved from what it holds', async () => {
    await using made = await openTemp();
    const first = await made.oid();
    expect(writeLooseRef(made.repo, ref, { now: first, old: undefined })).toBe(true);
    expect(await made.oid(ref)).toBe(first);
    await made.temp.git('commit', '-q', '--allow-empty', '-m', 'next');
    expect(writeLooseRef(made.repo, ref, { now: await made.oid(), old: first })).toBe(true);
    expect(await made.oid(ref)).toBe(await made.oid());
    expect(existsSync(path.join(made.repo.commonDir, `${ref}.lock`))).toBe(false);
  });

  test.each([
    ['holds something else', async (made: Opened) => made.temp.git('update-ref', ref, 'HEAD^{tree}')],
    [
      'is packed',
      async (made: Opened) => {
        await made.temp.git('update-ref', ref, 'HEAD');
        await made.temp.git('pack-refs', '--all');
      },
    ],
    ['is locked', async (made: Opened) => made.temp.write(`.git/${ref}.lock`, '')],
    ['lies where a ref is', async (made: Opened) => made.temp.git('update-ref', 'refs/pawl/r', 'HEAD')],
  ])('that %s is left to git', async (_, prepare) => {
    await using made = await openTemp();
    await prepare(made);
    const before = await made.temp.git('for-each-ref');
    expect(writeLooseRef(made.repo, ref, { now: await made.oid(), old: undefined })).toBe(false);
    expect(await made.temp.git('for-each-ref')).toBe(before);
  });
});

test('a chain goes on where only git can write its ref, and over the lock of a killed pawl', async () => {
  await using made = await openTemp();
  const [tree, head] = [await made.oid('HEAD^{tree}'), await made.oid()];
  const point = (message: string, old: string | undefined) =>
    commitPointAt(made.repo, tree, { parents: [old ?? head], message, ref, old });
  const first = await point('one', undefined);
  await made.temp.git('pack-refs', '--all');
  const second = await point('two', first);
  expect(await made.oid(`${ref}^`)).toBe(first);
  expect(await made.oid(ref)).toBe(second);
  await made.temp.write(`.git/${ref}.lock`, `${second}\n`);
  await made.temp.write('.git/index.lock', '');
  const third = await point('three', second);
  expect(await made.oid(ref)).toBe(third);
  // Whoever left that one, it is none of a rescue's.
  expect(await made.temp.exists('.git/index.lock')).toBe(true);
  expect(await made.temp.git('log', '--format=%s', '-3', third)).toBe('three\ntwo\none');
});
