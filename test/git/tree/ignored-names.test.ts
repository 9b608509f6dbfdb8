// Which ignored files are missed once they are gone: each that a person may have put there, and a folder as one.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { acceptIgnored, goneIgnored, recordIgnored } from '../../../src/git/tree/ignored-names.ts';
import { lookAtTree } from '../../../src/git/tree/look.ts';
import { openTemp } from '../open.ts';

const ignored = [
  ...['.env', 'data/one.db', 'data/deep/größe.db', '.tool/cache', 'node_modules/a/index.js', 'dist/a.js'],
  ...Array.from({ length: 201 }, (_, at) => `many/${at}`),
];

test.each<[gone: readonly string[], told: readonly string[]]>([
  [['.env'], ['.env']],
  [['data/one.db'], ['data/one.db']],
  [['data/deep'], ['data/deep/größe.db']],
  [['data'], ['data/']],
  [['many/7'], []],
  [['many'], ['many/']],
  [['.tool/cache'], []],
  [['.tool', 'node_modules', 'dist'], ['.tool/']],
])('%j gone: %j', async (gone, told) => {
  const rules = '.env\ndata/\nmany/\n.tool/\nnode_modules/\ndist/\n';
  await using made = await openTemp({ files: { '.gitignore': rules } });
  for (const file of ignored) await made.temp.write(file, 'x');
  mkdirSync(path.dirname(made.index), { recursive: true });
  recordIgnored(made.repo, made.index, await lookAtTree(made.repo, made.index));
  expect(goneIgnored(made.repo, made.index)).toEqual([]);
  for (const name of gone) rmSync(path.join(made.repo.root, name), { recursive: true });
  expect(goneIgnored(made.repo, made.index)).toEqual(told);
  acceptIgnored(made.repo, made.index);
  expect(goneIgnored(made.repo, made.index)).toEqual([]);
});
