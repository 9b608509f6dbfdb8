// Pipes where git would open a file are taken away, whatever their folder is called; others are somebody’s own.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { takeSnapshot } from '../../../src/git/protect/snapshot.ts';
import { restoreRepository } from '../../../src/git/restore/restore-repository.ts';
import { removePipes } from '../../../src/git/tree/pipes.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';
import { openTemp } from '../open.ts';

const pipe = (...files: readonly (string | Buffer)[]) => {
  for (const file of files) execFileSync('sh', ['-c', `mkfifo "$(printf '${file}')"`]);
};

test('in any folder, in repositories below it, and behind links there', async () => {
  using temp = makeTempFolder();
  const at = (name: string) => path.join(temp.path, name);
  for (const folder of ['.git', 'a/b', 'sub/.git/refs', 'mod']) mkdirSync(at(folder), { recursive: true });
  execFileSync('sh', ['-c', `mkdir "$(printf '${at('bad')}\\377')"`]);
  const taken = ['.gitignore', 'a/b/.gitattributes', 'mod/.git', 'sub/.git/HEAD', 'sub/.git/refs/x'];
  const kept = ['.git/own', 'a/queue', 'a/b/.gitkeep'];
  pipe(...[...taken, ...kept].map(at), `${at('bad')}\\377/.gitignore`);
  symlinkSync('../../a/queue', at('sub/.git/config'));
  symlinkSync('nowhere', at('sub/.git/index'));
  symlinkSync('a/queue', at('.mailmap'));
  writeFileSync(at('a/.gitignore'), 'x\n');
  const removed = [...taken, 'sub/.git/config', 'bad\uFFFD/.gitignore'];
  expect((await removePipes(temp.path)).toSorted()).toEqual(removed.toSorted());
  expect(kept.map(at).filter((file) => !existsSync(file))).toEqual([]);
  expect(readdirSync(at('sub/.git'))).toEqual(['index', 'refs']);
  expect(await removePipes(temp.path)).toEqual([]);
});

test('before git is asked, where who worked there may mean harm', async () => {
  await using made = await openTemp({ files: { '.gitignore': 'x\n' } });
  const before = await takeSnapshot(made.repo);
  await made.temp.git('rm', '-q', '--cached', '.gitignore');
  execFileSync('sh', ['-c', 'rm .gitignore; mkfifo .gitignore'], { cwd: made.temp.path });
  const { violations } = await restoreRepository(made.repo, before, {
    run: 'r',
    branch: 'main',
    isStrange: true,
  });
  expect(violations).toContainEqual({ act: 'planted-pipe', detail: '.gitignore', response: 'put-back' });
  expect(await made.temp.git('status', '--porcelain')).toContain('.gitignore');
});
