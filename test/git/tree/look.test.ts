import { rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readWorkplace } from '../../../src/git/place/workplace.ts';
import { writeIndexTree } from '../../../src/git/tree/index-file.ts';
import { lookAtTree, newFiles } from '../../../src/git/tree/look.ts';
import { readStatus } from '../../../src/git/tree/status.ts';
import { openTemp, sh, treeAgainst } from '../open.ts';

test.each([
  ['as HEAD', false],
  ['with something staged', true],
])('an index file made from a repository’s %s holds what HEAD holds', async (_, stages) => {
  await using made = await openTemp({ files: { 'a.ts': 'a\n', 'b.ts': 'b\n' } });
  await made.temp.git('update-index', '--assume-unchanged', 'b.ts');
  if (stages) {
    await made.temp.write('a.ts', 'staged\n');
    await made.temp.git('add', 'a.ts');
    await made.temp.write('a.ts', 'a\n');
  }
  await readWorkplace(made.repo);
  expect((await lookAtTree(made.repo, made.index)).entries).toEqual([]);
  expect(await writeIndexTree(made.repo, made.index)).toBe(await made.oid('HEAD^{tree}'));
  expect(await made.repo.git(['ls-files', '-v'], { index: made.index })).toBe(
    'H README.md\nH a.ts\nh b.ts\n',
  );
});

test.each([
  ['a branch', ['switch', '-q', '-c', 'fëature/ä']],
  ['no branch', ['switch', '-q', '--detach']],
  ['a branch without a commit', ['switch', '-q', '--orphan', 'new']],
])('a look tells where HEAD stands: %s', async (_, args) => {
  await using made = await openTemp({ files: { 'a.ts': 'a\n' } });
  await made.temp.git(...args);
  const branch = await made.temp.git('branch', '--show-current');
  const commit = await made.temp.git('rev-parse', '-q', '--verify', 'HEAD').catch(() => '');
  const { head } = await readStatus(made.repo);
  expect(head).toEqual({ branch: branch || undefined, commit: commit || undefined });
});

test('new files are the same before and after tree T took them in', async () => {
  await using made = await openTemp({ files: { 'a.ts': 'a\n', 'b.ts': 'b\n', '.gitignore': '*.log\n' } });
  await made.temp.write('new.ts', 'new\n');
  await made.temp.write('users.txt', 'mine\n');
  await made.temp.write('x.log', 'x\n');
  rmSync(path.join(made.temp.path, 'b.ts'));
  expect(newFiles(await lookAtTree(made.repo, made.index))).toEqual(['new.ts', 'users.txt']);
  await treeAgainst(made, 'HEAD', { userUntracked: new Set(['users.txt']) });
  await made.temp.write('b.ts', 'again\n');
  await made.temp.write('made.ts', 'made\n');
  expect([...newFiles(await lookAtTree(made.repo, made.index))].sort()).toEqual([
    'made.ts',
    'new.ts',
    'users.txt',
  ]);
  rmSync(path.join(made.temp.path, 'new.ts'));
  expect([...newFiles(await lookAtTree(made.repo, made.index))].sort()).toEqual(['made.ts', 'users.txt']);
});

const clone = (name: string) =>
  `git init -q ${name}; for each in 1 2; do git -C ${name} commit -qm $each --allow-empty; done; git add -f ${name} 2>/dev/null`;
const beside = `git switch -qc other; echo more >> docs/a; echo new > docs/b; git add .; git commit -qm other
git switch -q main; git sparse-checkout set src`;

test.each([
  ['another commit of a submodule', clone('lib'), 'git -C lib checkout -q HEAD^; git commit -qam moved'],
  ['a new submodule', 'true', `${clone('lib')}; git commit -qm added`],
  ['one submodule less', clone('lib'), 'git rm -qf --cached lib; git commit -qm removed; rm -rf lib'],
  ['what git forgot to leave out', beside, 'rm .git/index; git reset -q; git commit -qm x --allow-empty'],
  ['what a sparse checkout leaves out', beside, 'git merge -q other'],
  [
    'a mode that is not looked at',
    'git config core.fileMode false',
    'git update-index --chmod=+x src/a; git commit -qm x',
  ],
])('a tree has what a person commits beside its work: %s', async (_, makes, does) => {
  await using made = await openTemp({ files: { 'src/a': 'a\n', 'docs/a': 'a\n' } });
  sh(made, `${makes}; git commit -qm made --allow-empty`);
  await made.temp.write('src/work', 'work\n');
  await treeAgainst(made, 'HEAD');
  sh(made, does);
  const { files } = await treeAgainst(made, 'HEAD');
  expect(files.map(({ file }) => file)).toEqual(['src/work']);
});

test('a folder that is a link to such files by now is one at each look', async () => {
  await using made = await openTemp({ files: { 'src/a': 'a\n' } });
  sh(made, 'mv src real; ln -s real src');
  for (let look = 1; look <= 2; look += 1)
    expect((await treeAgainst(made, 'HEAD')).files.map(({ file }) => file)).toEqual(['real/a', 'src']);
});
