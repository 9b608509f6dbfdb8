// Untracked files that a second working tree gets: found by globs, and copied behind no link.
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { copyBelow, findUntracked } from '../../../src/git/place/untracked.ts';
import { openTemp } from '../open.ts';

const files = { '.gitignore': '.env\n', 'src/a.ts': 'a\n' };

test('untracked files are found by globs, ignored ones too, and no others', async () => {
  await using made = await openTemp({ files });
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
  await using made = await openTemp({ files });
  const [outside, tree] = ['outside', 'tree'].map((name) => path.join(made.home, name)) as [string, string];
  mkdirSync(tree);
  await made.temp.write('local/a.json', 'a\n');
  symlinkSync(outside, path.join(tree, 'local'));
  expect(() => copyBelow(made.temp.path, tree, 'local/a.json')).toThrow('is not a folder');
  symlinkSync(path.join(made.temp.path, 'src'), path.join(made.temp.path, 'linked'));
  expect(() => copyBelow(made.temp.path, tree, 'linked/a.ts')).toThrow('behind a link');
  expect(copyBelow(made.temp.path, tree, 'src/a.ts')).toBe(true);
  expect(copyBelow(made.temp.path, tree, 'src/a.ts')).toBe(false);
  expect(copyBelow(made.temp.path, tree, 'missing')).toBe(false);
  expect(existsSync(outside)).toBe(false);
});
