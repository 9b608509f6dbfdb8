import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { changedFiles, changesOfCommits, diffText } from '../../../src/git/tree/changes.ts';
import { type Opened, openTemp, treeAgainst } from '../open.ts';

const write = (made: Opened, file: string | Buffer, text: string | Buffer): void => {
  const at = Buffer.concat([Buffer.from(`${made.repo.root}/`), Buffer.from(file)]);
  mkdirSync(path.dirname(at.toString()), { recursive: true });
  writeFileSync(at, text);
};

const all = { maxBytes: 1_000_000 };

test('what a tree differs in, as files and as a patch', async () => {
  await using made = await openTemp({
    files: { 'a.txt': 'a\n'.repeat(30), 'b.txt': 'b\n', 'gone.txt': 'g\n', 'type.txt': 't\n' },
  });
  const start = await made.oid('HEAD^{tree}');
  renameSync(path.join(made.repo.root, 'a.txt'), path.join(made.repo.root, 'new name.txt'));
  renameSync(path.join(made.repo.root, 'gone.txt'), path.join(made.repo.root, 'gone'));
  chmodSync(path.join(made.repo.root, 'b.txt'), 0o755);
  write(made, 'tab\there "quoted"\n.txt', 'x\n');
  write(made, 'größe/日本.txt', 'ü\n\0\n');
  write(made, Buffer.from([0x66, 0xff, 0x2e, 0x74]), 'no newline');
  write(made, 'diff --git a/x b/x', 'diff --git a/x b/x\n');
  write(made, 'empty', '');
  rmSync(path.join(made.repo.root, 'type.txt'));
  symlinkSync('b.txt', path.join(made.repo.root, 'type.txt'));
  const { tree, files } = await treeAgainst(made, start);
  const patch = await diffText(made.repo, start, tree, all);
  expect(
    files.map((one) => `${one.status} ${one.file} ${one.from ?? ''} +${one.insertions} -${one.deletions}`),
  ).toEqual([
    'modified b.txt  +0 -0',
    'added diff --git a/x b/x  +1 -0',
    'added empty  +0 -0',
    'added f\ufffd.t  +1 -0',
    'renamed gone gone.txt +0 -0',
    'added größe/日本.txt  +0 -0',
    'renamed new name.txt a.txt +0 -0',
    'added tab\there "quoted"\n.txt  +1 -0',
    'type-changed type.txt  +1 -1',
  ]);
  expect(patch).toContain('rename to new name.txt');
});

test('what commits changed, in one go; one that is gone is left out', async () => {
  await using made = await openTemp({ files: { 'a.txt': 'a\n'.repeat(30) } });
  const { temp, repo } = made;
  await temp.git('mv', 'a.txt', 'new\nname');
  await temp.git('commit', '-qm', 'move');
  const moved = await made.oid('HEAD');
  await temp.git('commit', '-qm', 'nothing', '--allow-empty');
  const empty = await made.oid('HEAD');
  // A file may be named like a commit.
  await temp.write(moved, 'x\n');
  await temp.commit('add');
  const last = await made.oid('HEAD');
  const found = await changesOfCommits(repo, [last, '1'.repeat(40), empty, moved]);
  expect([...found.keys()]).toEqual([last, empty, moved]);
  for (const [oid, changes] of found) expect(changes).toEqual(await changedFiles(repo, `${oid}^`, oid));
  expect(found.get(last)).toHaveLength(1);
});

test('attributes of the work hide nothing from who asks for text', async () => {
  await using made = await openTemp({ files: { 'a.txt': 'old\n' } });
  const start = await made.oid('HEAD^{tree}');
  write(made, '.gitattributes', '* -diff\n');
  write(made, 'a.txt', 'new\n');
  const { tree } = await treeAgainst(made, start);
  expect(await diffText(made.repo, start, tree, all)).not.toContain('+new');
  expect(await diffText(made.repo, start, tree, { ...all, asText: true })).toContain('+new');
});

test('one file can be left out, whatever its name', async () => {
  await using made = await openTemp({ files: { 'docs/a*.md': 'old\n', 'docs/ab.md': 'old\n' } });
  const start = await made.oid('HEAD^{tree}');
  for (const file of ['docs/a*.md', 'docs/ab.md']) write(made, file, 'new\n');
  const { tree } = await treeAgainst(made, start);
  const patch = await diffText(made.repo, start, tree, { ...all, without: 'docs/a*.md' });
  expect(patch.match(/^diff .*/gm)).toEqual(['diff --git a/docs/ab.md b/docs/ab.md']);
});
