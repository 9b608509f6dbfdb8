// How a run's branch comes home from its ground.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { surroundEffects } from '../../../src/effect.ts';
import { sharedRef } from '../../../src/git/lane/ground-home.ts';
import { makeGround } from '../../../src/ground/make.ts';
import { bringHome } from '../../../src/phase/ground/own-ground.ts';
import { openTemp, sh } from '../../git/open.ts';

test('a file that cannot be removed is told, and follows the next time', async () => {
  await using opened = await openTemp({ files: { gone: 'a\n', kept: 'a\n' } });
  const { temp: made, repo: home, oid } = opened;
  await made.git('switch', '-q', '-c', 'run');
  const [root, commit] = [path.join(opened.home, 'x'), await oid()];
  const refs = { [sharedRef('run')]: commit };
  const { repo: ground } = await makeGround(home, { folder: root, branch: 'run', commit, refs });
  sh({ ...opened, temp: { ...made, path: root } }, 'git rm -q gone; echo b > kept; git commit -qam landed');
  const told: string[] = [];
  const bring = () =>
    bringHome({ ground, home, run: 'r', branch: 'run' }, opened.home, {
      kept: (files) => told.push(...files),
      notFollowed: ({ message }) => told.push(message),
    });
  surroundEffects((point, act) => {
    if (point.label !== 'remove gone') return act();
    throw Object.assign(new Error('no'), { code: 'EACCES', syscall: 'unlink', path: 'gone' });
  });
  try {
    await bring();
  } finally {
    surroundEffects((_, act) => act());
  }
  expect(told).toEqual(['cannot write gone: permission is denied']);
  await bring();
  expect([existsSync(path.join(home.root, 'gone')), await made.read('kept')]).toEqual([false, 'b\n']);
  expect(await made.git('status', '--porcelain')).toBe('');
  expect(told).toHaveLength(1);
});
