import { execFileSync } from 'node:child_process';
import { statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { saveRescue } from '../../../src/git/rescue/rescue.ts';
import { restoreRescue } from '../../../src/git/rescue/rescue-list.ts';
import { restoreTree } from '../../../src/git/rescue/restore-tree.ts';
import { diffText } from '../../../src/git/tree/changes.ts';
import type { TreeRules } from '../../../src/git/tree/choose-files.ts';
import { listDirt, listUntracked, type WrittenTree } from '../../../src/git/tree/tree.ts';
import { type Opened, openTemp, sh, treeAgainst } from '../open.ts';

const files = {
  'src/a.ts': 'a\n',
  'src/b.ts': 'b\n',
  'plan.md': '- [ ] x\n',
  '.gitignore': '*.log\n/out/\n',
};

const write = async (made: Opened, over?: Partial<TreeRules>): Promise<WrittenTree> =>
  treeAgainst(made, await made.oid(), over);

const names = (tree: WrittenTree): string[] => tree.files.map(({ file, status }) => `${status} ${file}`);
const refusals = ({ refused }: WrittenTree): string[] => refused.map(({ file, why }) => `${why} ${file}`);

/** What is done, what tree T then differs in from HEAD, what is refused, and commands that succeed, with T as `$1`. */
type Step = Readonly<{
  did: string;
  is: readonly string[];
  over?: Partial<TreeRules>;
  refused?: readonly string[];
  holds?: string;
}>;

const modified = ['modified src/a.ts'];
const users = { userUntracked: new Set(['mine.txt']), leftOut: new Set(['made.txt']) };

/** A repository whose config runs a canary whenever git looks at its files; a checked-out submodule. */
const words = `filters() { git -C $1 config filter.evil.clean "sh -c 'touch $HOME/ran; cat'"
git -C $1 config core.fsmonitor "touch $HOME/ran; false"; }
plant() { mkdir -p $1; git -C $1 init -q; echo inner > $1/inner.ts
git -C $1 commit -q --allow-empty -m x; echo '* filter=evil' > $1/.gitattributes; filters $1; }
module() { git init -q $HOME/inner; echo inner > $HOME/inner/inner.ts; git -C $HOME/inner add -A
git -C $HOME/inner commit -qm inner
git -c protocol.file.allow=always submodule --quiet add $HOME/inner sub; git commit -qm submodule; }
key() { printf 'AKIA%s' QZ7XW2N4KB5TV3MD; }
large() { head -c $2 /dev/zero | tr '\\0' x > $1; }
`;

const rows: Readonly<Record<string, readonly Step[]>> = {
  'nothing changed': [{ did: ':', is: [] }],
  'changed, removed, new and executable files are in, ignored ones are not, the index stays': [
    {
      did: 'echo more >> src/a.ts; mkdir src/new out; echo c > src/new/c.ts; echo x > x.log; echo x > out/x; rm src/b.ts; chmod 755 plan.md',
      is: ['modified plan.md', 'modified src/a.ts', 'deleted src/b.ts', 'added src/new/c.ts'],
      holds: 'test -z "$(git diff --cached --name-only)"',
    },
  ],
  'writing again follows the work tree, also back to the start': [
    { did: 'echo x > src/a.ts; echo x > new.ts', is: ['added new.ts', ...modified] },
    { did: ':', is: ['added new.ts', ...modified] },
    { did: 'echo a > src/a.ts; rm new.ts', is: [] },
  ],
  'what was staged or hidden in the index makes no difference': [
    {
      did: 'echo staged > src/a.ts; git add -A; echo work > src/a.ts; git update-index --assume-unchanged src/a.ts',
      is: modified,
      holds: 'test "$(git show $1:src/a.ts)" = work',
    },
  ],
  'symlinks are links, also out of the repository; a link for a folder takes its files out': [
    {
      did: "ln -s /etc/passwd link; rm -r src; ln -s $HOME src; echo 'not ours' > $HOME/a.ts",
      is: ['added link', 'added src', 'deleted src/a.ts', 'deleted src/b.ts'],
      holds: 'git ls-tree $1 | grep -c ^120000 | grep -qx 2',
    },
  ],
  'a file where a folder was, and a folder where a file was': [
    {
      did: 'rm -r src plan.md; echo file > src; mkdir plan.md; echo x > plan.md/x',
      is: ['deleted plan.md', 'added plan.md/x', 'added src', 'deleted src/a.ts', 'deleted src/b.ts'],
    },
  ],
  'a file that becomes ignored after it was in leaves again': [
    { did: 'echo x > gen.ts', is: ['added gen.ts'] },
    { did: 'echo gen.ts > .gitignore', is: ['modified .gitignore'] },
    { did: ':', is: ['modified .gitignore'] },
  ],
  'a rename is told as one': [{ did: 'git mv src/a.ts new.ts', is: ['renamed new.ts'] }],
  'the user’s untracked files and what checks made are never in': [
    { did: 'for name in mine made work; do echo x > $name.txt; done', over: users, is: ['added work.txt'] },
    {
      did: ':',
      over: { ...users, include: ['mine.*', 'made.txt'] },
      is: ['added made.txt', 'added mine.txt', 'added work.txt'],
    },
    { did: ':', over: users, is: ['added work.txt'] },
    { did: 'git add mine.txt; git commit -qm taken', over: users, is: ['added work.txt'] },
  ],
  'big and secret new files are refused, tracked and allowed ones are not': [
    {
      did: 'large big.bin 10485761; large edge.bin 10485760; echo x > id_rsa; key > b.ts; key > src/a.ts',
      is: ['added edge.bin', ...modified],
      refused: ['secret-content b.ts', 'too-big big.bin', 'secret-name id_rsa'],
    },
    {
      did: 'rm edge.bin',
      over: { include: ['id_*', 'big.bin', 'b.ts'] },
      is: ['added b.ts', 'added big.bin', 'added id_rsa', ...modified],
    },
  ],
  'a committed file that looks secret is in, also after a tree without it': [
    { did: 'key > id_rsa; git add -A; git commit -qm key; rm id_rsa', is: ['deleted id_rsa'] },
    { did: 'echo of today > id_rsa', is: ['modified id_rsa'] },
  ],
  'a tracked file that grew too big is refused; one that was big may be worked on, a filter’s is not measured':
    [
      {
        did: 'echo x > grown.bin; large big.bin 11534336; echo x > ü.lfs; git add -A; git commit -qm big; large grown.bin 10485761; large big.bin 12582912; large ü.lfs 11534336',
        is: ['modified big.bin'],
        refused: ['too-big grown.bin', 'too-big ü.lfs'],
      },
      {
        did: "git config filter.short.clean 'head -c 5'; printf '*.lfs filter=short\\n*.bin filter=missing\\n' > .gitattributes",
        is: ['added .gitattributes', 'modified big.bin', 'modified ü.lfs'],
        refused: ['too-big grown.bin'],
      },
    ],
  'what was installed or compiled is refused by its folder, until it is ignored or allowed': [
    {
      did: `mkdir -p action/.gradle new/.gradle node_modules/a app/__pycache__ env/lib; echo x > action/.gradle/x
git add -A; git commit -qm usual; for file in new/.gradle/y node_modules/a/i.js app/__pycache__/m.pyc env/lib/x.py env/pyvenv.cfg node_modules.ts; do echo x > $file; done`,
      is: ['added new/.gradle/y', 'added node_modules.ts'],
      refused: ['installed app/__pycache__/', 'installed env/', 'installed node_modules/'],
    },
    {
      did: "printf '__pycache__/\\nenv/\\n' >> .gitignore; git commit -qam ignored; rm -r new",
      over: { include: ['node_modules/**'] },
      is: ['added node_modules.ts', 'added node_modules/a/i.js'],
    },
    { did: ':', is: ['added node_modules.ts'], refused: ['installed node_modules/'] },
  ],
  'a new file that was fine and then took a secret in is taken out again': [
    { did: 'echo fine > new.ts', is: ['added new.ts'] },
    { did: 'key > new.ts', is: [], refused: ['secret-content new.ts'] },
  ],
  'a link is judged by where it points, its target is not read': [
    {
      did: 'key > $HOME/x; ln -s $HOME/x link; ln -s "$(key)" named',
      is: ['added link'],
      refused: ['secret-content named'],
    },
  ],
  'a new repository inside is refused, and nothing of it runs': [
    { did: 'plant sub', is: [], refused: ['nested-repository sub/'], holds: 'fails test -e $HOME/ran' },
    { did: ':', over: { include: ['sub/'] }, is: [] },
    { did: ':', over: { userUntracked: new Set(['sub/']) }, is: [] },
  ],
  'a tracked folder made a repository: its files stay in T, and it is refused': [
    {
      did: 'plant src; echo changed > src/a.ts',
      is: modified,
      refused: ['nested-repository src/'],
      holds: 'fails test -e $HOME/ran',
    },
  ],
  'a submodule as it was is fine': [{ did: 'module', is: [] }],
  ...Object.fromEntries(
    ['echo changed > sub/inner.ts', 'echo new > sub/new.ts', 'git -C sub commit -q --allow-empty -m x'].map(
      (did) => [
        `a submodule is refused without running anything of it: ${did}`,
        [
          {
            did: `module; ${did}; echo '* filter=evil' > .git/modules/sub/info/attributes; filters sub`,
            is: [],
            refused: ['dirty-submodule sub'],
            holds: 'fails test -e $HOME/ran',
          },
          { did: ':', over: { include: ['sub'] }, is: [] },
        ],
      ],
    ),
  ),
  'what a sparse checkout left out stays in': [
    { did: 'git sparse-checkout set --no-cone src; fails test -e plan.md; echo x > src/a.ts', is: modified },
  ],
  'a lock left beside pawl’s own index by a dead git is no obstacle': [
    { did: ':', is: [] },
    { did: ': > .git/pawl/runs/r/index.lock; echo x > src/a.ts', is: modified },
  ],
  'no file watcher and no replaced object of anyone’s takes part': [
    {
      did: `git config --global core.fsmonitor "touch $HOME/ran; false"; echo x > src/a.ts
git replace -f HEAD $(git commit-tree -m other $(git mktree < /dev/null)); rm -f $HOME/ran`,
      is: modified,
      holds: 'fails test -e $HOME/ran',
    },
  ],
};

test.each(Object.entries(rows))('%s', async (_, steps) => {
  await using made = await openTemp({ files });
  for (const { did, over, is, refused = [], holds = ':' } of steps) {
    sh(made, words + did);
    const tree = await write(made, over);
    expect(names(tree)).toEqual(is);
    expect(refusals(tree)).toEqual(refused);
    sh(made, holds, tree.tree);
  }
});

test('a file of the same size and time is read where the user’s git trusts neither inode nor change time', async () => {
  await using made = await openTemp({ files });
  await made.temp.git('config', 'core.trustctime', 'false');
  await made.temp.git('config', 'core.checkStat', 'minimal');
  const file = path.join(made.temp.path, 'src/a.ts');
  const longAgo = new Date('2020-01-01');
  utimesSync(file, longAgo, longAgo);
  await write(made);
  const changedAt = (): number => Math.floor(statSync(file).ctimeMs / 1000);
  // Git compares whole seconds.
  for (const before = changedAt(); changedAt() === before; ) {
    await made.temp.write('src/a.ts', 'b\n');
    utimesSync(file, longAgo, longAgo);
  }
  expect(names(await write(made))).toEqual(['modified src/a.ts']);
});

test('names with newlines, quotes, dashes, spaces, unicode and bytes that are no UTF-8', async () => {
  await using made = await openTemp({ files });
  const odd = ['-rf', 'a\nb', 'a"b\\c', ' lead', 'ünï/çø.ts', ':(glob)*', '*', 'tab\tx', '{a,b}'];
  for (const name of odd) await made.temp.write(name, name);
  writeFileSync(Buffer.concat([Buffer.from(`${made.temp.path}/bad`), Buffer.of(0xff)]), 'bytes');
  const tree = await write(made);
  expect(tree.files.map(({ file }) => file).sort()).toEqual([...odd, 'bad\ufffd'].sort());
  const raw = await made.temp.git('ls-tree', '-r', tree.tree);
  expect(raw).toContain('"bad\\377"');
  expect((await write(made)).tree).toBe(tree.tree);
});

test('a pipe in the place of a file is refused, and what git has stays; one below what was a folder is gone', async () => {
  await using made = await openTemp({ files: { ...files, 'pipe/x': 'x\n' } });
  const shell = 'rm -r src/a.ts pipe plan.md; mkfifo src/a.ts pipe; mkdir plan.md';
  execFileSync('sh', ['-c', shell], { cwd: made.temp.path });
  const tree = await write(made);
  expect(refusals(tree)).toEqual(['special-file src/a.ts']);
  expect(names(tree)).toEqual(['deleted pipe/x', 'deleted plan.md']);
  const saved = await saveRescue(made.repo, {
    run: 'r',
    reason: 'x',
    index: `${made.index}.rescue`,
  });
  expect(saved.notHeld).toEqual([{ file: 'src/a.ts', why: 'a pipe, socket or device' }]);
});

test('what git does not take in for its encoding is refused with git’s words, nothing is in; a rescue holds it', async () => {
  await using made = await openTemp({ files: { ...files, 'ü.txt': 'x\n' } });
  const attributes = (text: string) => made.temp.write('.gitattributes', text);
  await attributes('*.txt working-tree-encoding=UTF-77\nw.ts working-tree-encoding=UTF-16\n');
  for (const name of ['ü.txt', 'new.txt', 'w.ts', 'src/a.ts', 'fine.ts'])
    await made.temp.write(name, 'mine\n');
  const tree = await write(made);
  expect(tree.refused).toMatchObject([
    { file: 'ü.txt', why: 'git-refuses', detail: expect.stringMatching(/'ü.txt' from UTF-77/) },
  ]);
  expect(names(tree)).toEqual([]);

  const rescue = { run: 'r', index: `${made.index}.rescue` };
  const saved = await saveRescue(made.repo, { ...rescue, reason: 'x' });
  expect(saved.notHeld).toEqual([]);
  const start = await made.oid();
  await restoreTree(made.repo, { tree: start, index: made.index, rescue: saved.oid, keep: new Set() });
  expect(await made.temp.git('status', '--porcelain')).toBe('');
  await restoreRescue(made.repo, { ...rescue, point: saved.oid });
  for (const name of ['ü.txt', 'new.txt', 'w.ts']) expect(await made.temp.read(name)).toBe('mine\n');

  await attributes('*.txt text\n');
  expect((await write(made)).refused).toEqual([]);
});

test('a patch without external programs, cut at a bound and never inside a character', async () => {
  await using made = await openTemp({ files: { ...files, '.gitattributes': '*.ts diff=evil\n' } });
  await made.temp.git('config', 'diff.evil.command', 'false');
  await made.temp.git('config', 'diff.evil.textconv', 'false');
  await made.temp.git('config', 'diff.external', 'false');
  await made.temp.write('src/a.ts', `${'é'.repeat(5000)}\n`);
  const { tree } = await write(made);
  const whole = await diffText(made.repo, 'HEAD', tree, { maxBytes: 1_000_000 });
  expect(whole).toContain('--- a/src/a.ts');
  expect(whole).toContain(`+${'é'.repeat(5000)}`);
  const start = whole.indexOf('+é');
  for (const maxBytes of [start + 11, start + 12]) {
    const cut = await diffText(made.repo, 'HEAD', tree, { maxBytes });
    expect(cut).not.toContain('\ufffd');
    expect(cut).toContain('is cut');
    expect(cut.length).toBeLessThan(whole.length);
  }
});

test('dirt and untracked files', async () => {
  await using made = await openTemp({ files });
  await made.temp.write('src/a.ts', 'x');
  await made.temp.write('new/ü', 'x');
  await made.temp.write('b.log', 'x');
  await made.temp.write('staged', 'x');
  await made.temp.git('add', 'staged');
  expect(await listDirt(made.repo)).toEqual(['src/a.ts', 'staged']);
  expect(await listUntracked(made.repo)).toEqual(['new/ü']);
});

test('a change in the very second of the index, to the same size, is seen although the index was copied later', async () => {
  await using made = await openTemp({ files });
  const file = path.join(made.temp.path, 'src/a.ts');
  // The index knows the file as of this second; the change comes within it, the copy of the index long after.
  const second = Math.floor(Date.now() / 1000) - 10;
  utimesSync(file, second, second + 0.2);
  await made.temp.git('update-index', '--refresh', '-q');
  utimesSync(path.join(made.repo.gitDir, 'index'), second, second + 0.4);
  await made.temp.write('src/a.ts', 'z\n');
  utimesSync(file, second, second + 0.6);
  expect(names(await write(made))).toEqual(['modified src/a.ts']);
});
