import { chmodSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { changedFiles } from '../../../src/git/tree/changes.ts';
import { withFile } from '../../../src/git/tree/vary.ts';
import { type Opened, openTemp, treeAgainst } from '../open.ts';

const files = { 'src/a.ts': 'a\n', 'docs/plan.md': '- [ ] x\n' };
const plan = 'docs/plan.md';

/** Replaces the plan. */
const replace = (made: Opened, text: string) => withFile(made.repo, made.index, plan, Buffer.from(text));

test('replaces one file’s content, and the next writing reads the work tree again', async () => {
  await using made = await openTemp({ files });
  await made.temp.write('src/a.ts', 'x\n');
  const before = await treeAgainst(made, 'HEAD');
  const tree = await replace(made, '- [x] ü\n');
  expect(await made.temp.git('show', `${tree}:${plan}`)).toBe('- [x] ü');
  expect((await changedFiles(made.repo, before.tree, tree)).map(({ file }) => file)).toEqual([plan]);
  expect(await made.temp.git('fsck', '--strict', '--no-dangling', tree)).toBe('');
  expect((await treeAgainst(made, 'HEAD')).tree).toBe(before.tree);
});

test('keeps the mode of a program', async () => {
  await using made = await openTemp({ files });
  chmodSync(`${made.temp.path}/${plan}`, 0o755);
  await treeAgainst(made, 'HEAD');
  expect(await made.temp.git('ls-tree', await replace(made, '- [x] x\n'), plan)).toMatch(/^100755 /);
});

test('stores what a commit of that file would: line ends and filters are left to git', async () => {
  await using made = await openTemp({ files: { ...files, '.gitattributes': '*.md text eol=crlf\n' } });
  await made.temp.write(plan, '- [ ] x\r\n');
  await treeAgainst(made, 'HEAD');
  const tree = await replace(made, '- [x] x\r\n');
  expect(await made.temp.git('cat-file', 'blob', `${tree}:${plan}`)).toBe('- [x] x');
});

test('takes the content as told where the work tree has another one, or none', async () => {
  await using made = await openTemp({ files });
  await treeAgainst(made, 'HEAD');
  await made.temp.write(plan, '- [ ] y\n');
  expect(await made.temp.git('show', `${await replace(made, '- [x] x\n')}:${plan}`)).toBe('- [x] x');
  rmSync(`${made.temp.path}/${plan}`);
  expect(await made.temp.git('show', `${await replace(made, '- [x] z\n')}:${plan}`)).toBe('- [x] z');
});
