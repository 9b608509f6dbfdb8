import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { replayRescue } from '../../../src/git/rescue/replay-rescue.ts';
import { saveRescue } from '../../../src/git/rescue/rescue.ts';
import { restoreTree } from '../../../src/git/rescue/restore-tree.ts';
import { openTemp } from '../open.ts';

const files = {
  'a.txt': 'a\n',
  'both.txt': 'both\n',
  'gone.txt': 'gone\n',
  'lost.txt': 'lost\n',
  'plan.md': 'plan\n',
  '.gitignore': '.env\n',
};

it('brings back what a point changed, where HEAD did not change it as well', async () => {
  await using made = await openTemp({ files });
  const { temp, repo, index } = made;
  const options = { run: 'r', index: `${index}.rescue` };
  const keep = new Set(['mine.txt']);
  await temp.write('a.txt', 'work\n');
  await temp.write('both.txt', 'work\n');
  await temp.write('lost.txt', 'work\n');
  await temp.write('plan.md', 'work\n');
  await temp.write('näw/new.txt', 'work\n');
  await temp.write('twice.txt', 'work\n');
  await temp.write('mine.txt', 'mine then\n');
  await temp.write('.env', 'then\n');
  await temp.git('rm', '-q', 'gone.txt');
  const { oid: point } = await saveRescue(repo, { ...options, reason: 'parked' });
  await restoreTree(repo, { tree: 'HEAD', index, rescue: point, keep });
  await temp.git('reset', '-q');
  expect(await temp.git('status', '--porcelain')).toBe('?? mine.txt');

  await temp.write('both.txt', 'theirs\n');
  await temp.write('other.txt', 'theirs\n');
  await temp.write('plan.md', 'theirs\n');
  await temp.write('twice.txt', 'theirs\n');
  await temp.git('rm', '-q', 'lost.txt');
  await temp.git('add', 'both.txt', 'other.txt', 'plan.md', 'twice.txt');
  await temp.git('commit', '-qm', 'meanwhile');
  await temp.write('mine.txt', 'mine now\n');
  await temp.write('.env', 'now\n');
  const stay = new Set(['plan.md']);
  const left = await replayRescue(repo, { ...options, point, work: index, keep, stay });

  expect([...left].sort()).toEqual(['both.txt', 'lost.txt', 'twice.txt']);
  expect((await temp.git('status', '--porcelain', '-z', '-uall')).split('\0').filter(Boolean).sort()).toEqual(
    [' D gone.txt', ' M a.txt', '?? mine.txt', '?? näw/new.txt'].sort(),
  );
  expect(await temp.read('a.txt')).toBe('work\n');
  expect(await temp.read('both.txt')).toBe('theirs\n');
  expect(await temp.read('mine.txt')).toBe('mine now\n');
  expect(await temp.read('.env')).toBe('now\n');
  expect(existsSync(path.join(temp.path, 'lost.txt'))).toBe(false);
});

it('names what something else is in the way of', async () => {
  await using made = await openTemp({ files });
  const { temp, repo, index } = made;
  const options = { run: 'r', index: `${index}.rescue` };
  await temp.write('new/work.txt', 'work\n');
  const { oid: point } = await saveRescue(repo, { ...options, reason: 'parked' });
  await restoreTree(repo, { tree: 'HEAD', index, rescue: point, keep: new Set() });
  await temp.write('new', 'mine\n');

  const left = await replayRescue(repo, { ...options, point, work: index, keep: new Set(['new']) });
  expect(left).toEqual(['new/work.txt']);
  expect(await temp.read('new')).toBe('mine\n');
});
