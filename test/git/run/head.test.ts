import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readHeadCommit } from '../../../src/git/protect/snapshot.ts';
import { changeRefs, readRefs } from '../../../src/git/run/head.ts';
import { openRepo, type Repo } from '../../../src/git/run/repo.ts';
import { depsOf, openTemp } from '../open.ts';

/** As another process would read them. */
async function asked({ root }: Repo, home: string) {
  return readRefs(await openRepo(root, depsOf(home)));
}

test('refs are those that git has, whoever has changed them since, and git is asked only then', async () => {
  await using made = await openTemp({ files: { 'a.ts': 'a\n' } });
  const { temp, home } = made;
  let gits = 0;
  const { spawn, ...deps } = depsOf(home);
  const count: typeof spawn = (program) => {
    gits += 1;
    return spawn(program);
  };
  const repo = await openRepo(temp.path, { ...deps, spawn: count });
  const start = await made.oid();
  const look = async () => {
    gits = 0;
    const refs = await readRefs(repo);
    expect(refs).toEqual(await asked(repo, home));
    return gits;
  };
  expect(await look()).toBe(1);
  expect(await look()).toBe(0);
  const own = 'refs/pawl/r/rescue';
  const byOthers: readonly (() => unknown)[] = [
    () => temp.git('branch', 'b'),
    () => temp.git('pack-refs', '--all'),
    () => temp.git('tag', '-d', 'none').catch(() => temp.git('tag', 't')),
    () => temp.git('symbolic-ref', 'refs/heads/other', 'refs/heads/b'),
    () => temp.git('commit', '-q', '--allow-empty', '-m', 'more'),
    () => temp.git('update-ref', '-d', 'refs/heads/other'),
    () => writeFileSync(path.join(repo.commonDir, 'refs/heads/by-hand'), `${start}\n`),
  ];
  for (const change of byOthers) {
    await change();
    expect(await look()).toBe(1);
    expect(await look()).toBe(0);
    expect(await readHeadCommit(repo)).toBe(await made.oid());
  }
  const now = await made.oid();
  await changeRefs(repo, 'own', [{ ref: own, now: start, old: undefined }]);
  await changeRefs(repo, 'own', [{ ref: own, now, old: start }]);
  expect(await look()).toBe(0);
  // With a change of somebody else's in between, it is no longer known.
  await temp.git('update-ref', 'refs/heads/b', now);
  await changeRefs(repo, 'own', [{ ref: own, now: undefined, old: now }]);
  expect(await look()).toBe(1);
  // What is no plain file is never relied on.
  symlinkSync('by-hand', path.join(repo.commonDir, 'refs/heads/link'));
  expect(await look()).toBe(1);
  expect(await look()).toBe(1);
});
