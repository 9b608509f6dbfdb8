import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { saveRescue } from '../../../src/git/rescue/rescue.ts';
import { restoreRescue } from '../../../src/git/rescue/rescue-list.ts';
import { restoreTree } from '../../../src/git/rescue/restore-tree.ts';
import { diffText } from '../../../src/git/tree/changes.ts';
import type { RefusedFile, TreeRules } from '../../../src/git/tree/choose-files.ts';
import { listDirt, listUntracked, type WrittenTree, writeTree } from '../../../src/git/tree/tree.ts';
import { nothingSecret, type Opened, openTemp, rules } from '../open.ts';

const files = {
  'src/a.ts': 'a\n',
  'src/b.ts': 'b\n',
  'plan.md': '- [ ] x\n',
  '.gitignore': '*.log\n/out/\n',
};

type Told = Omit<WrittenTree, 'look'>;

async function write(made: Opened, over: Partial<TreeRules> = {}): Promise<Told> {
  const { look: _, ...told } = await writeTree(made.repo, made.index, {
    against: await made.oid(),
    rules: rules(over),
    secret: nothingSecret,
  });
  return told;
}

const names = (tree: Told): string[] => tree.files.map(({ file, status }) => `${status} ${file}`);
const refusals = (found: readonly RefusedFile[]): string[] => found.map(({ file, why }) => `${why} ${file}`);

/** Content of a tree as git lists it. */
async function listed(made: Opened, tree: string): Promise<string[]> {
  return (await made.temp.git('ls-tree', '-r', '-z', '--name-only', tree))
    .split('\0')
    .filter((name) => name !== '');
}

describe('what belongs in tree T', () => {
  test('an untouched tree is HEAD’s', async () => {
    await using made = await openTemp({ files });
    const tree = await write(made);
    expect(tree).toEqual({ tree: await made.oid('HEAD^{tree}'), refused: [], files: [] });
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

  test('changed, removed, new and executable files are, ignored ones are not, the index stays', async () => {
    await using made = await openTemp({ files });
    await made.temp.write('src/a.ts', 'a\nmore\n');
    await made.temp.write('src/new/c.ts', 'c\nc\n');
    await made.temp.write('x.log', 'log');
    await made.temp.write('out/x', 'out');
    rmSync(path.join(made.temp.path, 'src/b.ts'));
    chmodSync(path.join(made.temp.path, 'plan.md'), 0o755);
    const tree = await write(made);
    expect(tree.refused).toEqual([]);
    expect(tree.files).toMatchObject([
      { file: 'plan.md', status: 'modified', insertions: 0, deletions: 0 },
      { file: 'src/a.ts', status: 'modified', insertions: 1, deletions: 0 },
      { file: 'src/b.ts', status: 'deleted', insertions: 0, deletions: 1 },
      { file: 'src/new/c.ts', status: 'added', insertions: 2, deletions: 0 },
    ]);
    expect(await made.temp.git('diff', '--cached', '--name-only')).toBe('');
  });

  test('writing again follows the work tree, also back to the start', async () => {
    await using made = await openTemp({ files });
    const start = await write(made);
    await made.temp.write('src/a.ts', 'x\n');
    await made.temp.write('new.ts', 'x\n');
    const changed = await write(made);
    expect(names(changed)).toEqual(['added new.ts', 'modified src/a.ts']);
    expect(await write(made)).toEqual(changed);
    await made.temp.write('src/a.ts', 'a\n');
    rmSync(path.join(made.temp.path, 'new.ts'));
    expect(await write(made)).toEqual(start);
  });

  test('what was staged, committed to HEAD or hidden in the index makes no difference', async () => {
    await using made = await openTemp({ files });
    await made.temp.write('src/a.ts', 'staged\n');
    await made.temp.git('add', '-A');
    await made.temp.write('src/a.ts', 'work\n');
    await made.temp.git('update-index', '--assume-unchanged', 'src/a.ts');
    const tree = await write(made);
    expect(await made.temp.git('show', `${tree.tree}:src/a.ts`)).toBe('work');
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
    expect(await write(made)).toEqual(tree);
  });

  test('symlinks are links, also out of the repository; a link for a folder takes its files out', async () => {
    await using made = await openTemp({ files });
    symlinkSync('/etc/passwd', path.join(made.temp.path, 'link'));
    rmSync(path.join(made.temp.path, 'src'), { recursive: true });
    symlinkSync(made.home, path.join(made.temp.path, 'src'));
    writeFileSync(path.join(made.home, 'a.ts'), 'not ours');
    const tree = await write(made);
    const entries = await made.temp.git('ls-tree', '-r', tree.tree);
    expect(entries).toMatch(/^120000 .*\tlink$/m);
    expect(entries).toMatch(/^120000 .*\tsrc$/m);
    expect(entries).not.toContain('src/a.ts');
  });

  test('a file where a folder was, and a folder where a file was', async () => {
    await using made = await openTemp({ files });
    rmSync(path.join(made.temp.path, 'src'), { recursive: true });
    await made.temp.write('src', 'file\n');
    rmSync(path.join(made.temp.path, 'plan.md'));
    await made.temp.write('plan.md/x', 'x\n');
    expect(await listed(made, (await write(made)).tree)).toEqual([
      '.gitignore',
      'README.md',
      'plan.md/x',
      'src',
    ]);
  });

  test('a file that becomes ignored after it was in leaves again', async () => {
    await using made = await openTemp({ files });
    await made.temp.write('gen.ts', 'x');
    expect(names(await write(made))).toEqual(['added gen.ts']);
    await made.temp.write('.gitignore', 'gen.ts\n');
    expect(names(await write(made))).toEqual(['modified .gitignore']);
    expect(names(await write(made))).toEqual(['modified .gitignore']);
  });

  test('a rename is told as one', async () => {
    await using made = await openTemp({ files: { 'old.ts': 'one\ntwo\nthree\nfour\n' } });
    await made.temp.git('mv', 'old.ts', 'new.ts');
    expect((await write(made)).files).toMatchObject([
      { file: 'new.ts', status: 'renamed', from: 'old.ts', insertions: 0, deletions: 0 },
    ]);
  });
});

describe('what is left out or refused', () => {
  test('the user’s untracked files and what checks made are never in', async () => {
    await using made = await openTemp({ files });
    for (const name of ['mine.txt', 'made.txt', 'work.txt']) await made.temp.write(name, name);
    const over = { userUntracked: new Set(['mine.txt']), leftOut: new Set(['made.txt']) };
    expect(names(await write(made, over))).toEqual(['added work.txt']);
    expect(names(await write(made, { ...over, include: ['mine.*', 'made.txt'] }))).toEqual([
      'added made.txt',
      'added mine.txt',
      'added work.txt',
    ]);
    expect(names(await write(made, over))).toEqual(['added work.txt']);
  });

  test('a user’s file that a commit has taken in meanwhile is not removed by the next', async () => {
    await using made = await openTemp({ files });
    await made.temp.write('mine.txt', 'mine');
    const over = { userUntracked: new Set(['mine.txt']) };
    expect(names(await write(made, over))).toEqual([]);
    await made.temp.git('add', 'mine.txt');
    await made.temp.git('commit', '-qm', 'taken in');
    expect(names(await write(made, over))).toEqual([]);
  });

  test('big and secret new files are refused, tracked and allowed ones are not', async () => {
    await using made = await openTemp({ files });
    const secret = (file: string, head: Uint8Array) =>
      file.endsWith('.pem') || Buffer.from(head).includes('KEY')
        ? ({ why: 'secret-content', detail: 'a key' } as const)
        : undefined;
    const at = async (over: Partial<TreeRules> = {}) =>
      writeTree(made.repo, made.index, {
        against: await made.oid(),
        rules: rules({ maxFileMb: 1, ...over }),
        secret,
      });
    await made.temp.write('big.bin', 'x'.repeat(1024 * 1024 + 1));
    await made.temp.write('edge.bin', 'x'.repeat(1024 * 1024));
    await made.temp.write('a.pem', 'x');
    await made.temp.write('b.ts', 'KEY');
    await made.temp.write('src/a.ts', 'KEY of a tracked file');
    const tree = await at();
    expect(refusals(tree.refused)).toEqual([
      'secret-content a.pem',
      'secret-content b.ts',
      'too-big big.bin',
    ]);
    expect(names(tree)).toEqual(['added edge.bin', 'modified src/a.ts']);
    const allowed = await at({ allow: ['*.pem', 'big.bin', 'b.ts'] });
    expect(allowed.refused).toEqual([]);
    expect(allowed.files).toHaveLength(5);
  });

  test('a committed file that looks secret is in, also after a tree without it', async () => {
    await using made = await openTemp({ files: { ...files, 'a.pem': 'KEY\n' } });
    const secret = () => ({ why: 'secret-content', detail: 'a key' }) as const;
    const at = async () => writeTree(made.repo, made.index, { against: 'HEAD', rules: rules(), secret });
    rmSync(path.join(made.temp.path, 'a.pem'));
    expect(names(await at())).toEqual(['deleted a.pem']);
    await made.temp.write('a.pem', 'KEY of today\n');
    const back = await at();
    expect([refusals(back.refused), names(back)]).toEqual([[], ['modified a.pem']]);
  });

  test('a tracked file that grew too big is refused; one that was big may be worked on, and a filter’s is not measured', async () => {
    const mb = 1024 * 1024;
    const big = { 'grown.bin': 'x', 'big.bin': 'x'.repeat(2 * mb) };
    await using made = await openTemp({ files: { ...files, ...big, 'ü.lfs': 'x' } });
    const at = (over: Partial<TreeRules> = {}) => write(made, { maxFileMb: 1, ...over });
    const sizes = { 'grown.bin': mb + 1, 'big.bin': 4 * mb, 'ü.lfs': 2 * mb };
    for (const [name, size] of Object.entries(sizes)) await made.temp.write(name, 'y'.repeat(size));
    const tree = await at();
    expect(tree.refused.map(({ file, detail }) => `${file} ${detail.split(';')[0]}`)).toEqual([
      'grown.bin has 1.0 MB, more than 1 MB',
      'ü.lfs has 2.0 MB, more than 1 MB',
    ]);
    expect(names(tree)).toEqual(['modified big.bin']);
    expect((await at({ allow: ['*.bin', '*.lfs'] })).refused).toEqual([]);
    await made.temp.git('config', 'filter.short.clean', 'head -c 5');
    await made.temp.write('.gitattributes', '*.lfs filter=short\n*.bin filter=missing\n');
    expect(refusals((await at()).refused)).toEqual(['too-big grown.bin']);
  });

  test('a pipe in the place of a file is refused, and what git has stays; one below what was a folder is gone', async () => {
    await using made = await openTemp({ files: { ...files, 'pipe/x': 'x\n' } });
    const shell = 'rm -r src/a.ts pipe plan.md; mkfifo src/a.ts pipe; mkdir plan.md';
    execFileSync('sh', ['-c', shell], { cwd: made.temp.path });
    const tree = await write(made);
    expect(refusals(tree.refused)).toEqual(['special-file src/a.ts']);
    expect(names(tree)).toEqual(['deleted pipe/x', 'deleted plan.md']);
    const saved = await saveRescue(made.repo, {
      run: 'r',
      reason: 'x',
      index: `${made.index}.rescue`,
      include: [],
      maxFileMb: 1,
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

    const rescue = { run: 'r', index: `${made.index}.rescue`, include: [], maxFileMb: 1 };
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

  test('what was installed or compiled is refused by its folder, until it is ignored or allowed', async () => {
    await using made = await openTemp({ files: { ...files, 'action/.gradle/x': 'usual here' } });
    const there = ['node_modules/a/i.js', 'node_modules/b/i.js', 'app/__pycache__/m.pyc', 'env/lib/x.py'];
    for (const file of there) await made.temp.write(file, 'x');
    await made.temp.write('env/pyvenv.cfg', 'home = /usr/bin');
    await made.temp.write('new/.gradle/y', 'usual here');
    await made.temp.write('node_modules.ts', 'work');
    const tree = await write(made);
    expect(refusals(tree.refused)).toEqual([
      'installed app/__pycache__/',
      'installed env/',
      'installed node_modules/',
    ]);
    expect(names(tree)).toEqual(['added new/.gradle/y', 'added node_modules.ts']);
    await made.temp.write('.gitignore', `${files['.gitignore']}__pycache__/\nenv/\n`);
    const next = await write(made, { allow: ['node_modules/**'] });
    expect(next.refused).toEqual([]);
    expect(names(next)).toContain('added node_modules/b/i.js');
    expect(refusals((await write(made)).refused)).toEqual(['installed node_modules/']);
    expect(names(await write(made))).not.toContain('added node_modules/b/i.js');
  });

  test('a new file that was fine and then took a secret in is taken out again', async () => {
    await using made = await openTemp({ files });
    await made.temp.write('new.ts', 'fine');
    expect(names(await write(made))).toEqual(['added new.ts']);
    await made.temp.write('new.ts', 'KEY!');
    const tree = await writeTree(made.repo, made.index, {
      against: await made.oid(),
      rules: rules(),
      secret: (file) => (file === 'new.ts' ? { why: 'secret-content', detail: 'a key' } : undefined),
    });
    expect(refusals(tree.refused)).toEqual(['secret-content new.ts']);
    expect(tree.files).toEqual([]);
  });

  test('a link is judged by where it points, its target is not read', async () => {
    await using made = await openTemp({ files });
    symlinkSync('/etc/passwd', path.join(made.temp.path, 'link'));
    const heads: string[] = [];
    await writeTree(made.repo, made.index, {
      against: await made.oid(),
      rules: rules(),
      secret: (_, head) => void heads.push(Buffer.from(head).toString()),
    });
    expect(heads).toEqual(['/etc/passwd']);
  });
});

describe('repositories inside the repository', () => {
  /** A repository whose own config runs a canary whenever git looks at its files. */
  async function plant(made: Opened, folder: string): Promise<string> {
    const canary = path.join(made.home, 'ran');
    const inside = (...args: string[]) => made.temp.git('-C', folder, ...args);
    mkdirSync(path.join(made.temp.path, folder), { recursive: true });
    await inside('init', '-q');
    await made.temp.write(`${folder}/inner.ts`, 'inner\n');
    await inside('-c', 'user.name=a', '-c', 'user.email=b', 'commit', '-q', '--allow-empty', '-m', 'x');
    await made.temp.write(`${folder}/.gitattributes`, '* filter=evil\n');
    await inside('config', 'filter.evil.clean', `sh -c 'touch ${canary}; cat'`);
    await inside('config', 'core.fsmonitor', `touch ${canary}; false`);
    return canary;
  }

  test('a new one is refused, and nothing of it runs', async () => {
    await using made = await openTemp({ files });
    const canary = await plant(made, 'sub');
    const tree = await write(made);
    expect(refusals(tree.refused)).toEqual(['nested-repository sub/']);
    expect(tree.refused[0]?.detail).toContain('sub/.git');
    expect(tree.files).toEqual([]);
    expect(existsSync(canary)).toBe(false);
    expect((await write(made, { allow: ['sub/'] })).refused).toEqual([]);
    expect((await write(made, { userUntracked: new Set(['sub/']) })).refused).toEqual([]);
  });

  test('a tracked folder made a repository: its files stay in T, and it is refused', async () => {
    await using made = await openTemp({ files });
    const canary = await plant(made, 'src');
    await made.temp.write('src/a.ts', 'changed\n');
    const tree = await write(made);
    expect(refusals(tree.refused)).toEqual(['nested-repository src/']);
    expect(names(tree)).toEqual(['modified src/a.ts']);
    expect(await listed(made, tree.tree)).toContain('src/b.ts');
    expect(existsSync(canary)).toBe(false);
  });

  /** A repository with a checked-out submodule `sub`. */
  async function withSubmodule(): Promise<Opened> {
    const made = await openTemp({ files });
    const inner = path.join(made.home, 'inner');
    mkdirSync(inner);
    const at = (...args: string[]) =>
      made.temp.git('-C', inner, '-c', 'user.name=a', '-c', 'user.email=b', ...args);
    await at('init', '-q');
    writeFileSync(path.join(inner, 'inner.ts'), 'inner\n');
    await at('add', '-A');
    await at('commit', '-qm', 'inner');
    await made.temp.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
    await made.temp.git('commit', '-qm', 'submodule');
    return made;
  }

  test('a submodule as it was is fine', async () => {
    await using made = await withSubmodule();
    expect(await write(made)).toEqual({ tree: await made.oid('HEAD^{tree}'), refused: [], files: [] });
  });

  test.each([
    ['a changed file', (made: Opened) => made.temp.write('sub/inner.ts', 'changed\n')],
    ['a new file', (made: Opened) => made.temp.write('sub/new.ts', 'new\n')],
    [
      'another commit',
      (made: Opened) =>
        made.temp.git(
          '-C',
          'sub',
          '-c',
          'user.name=a',
          '-c',
          'user.email=b',
          'commit',
          '-q',
          '--allow-empty',
          '-m',
          'x',
        ),
    ],
  ])('a submodule with %s is refused without running anything of it', async (_, change) => {
    await using made = await withSubmodule();
    const canary = path.join(made.home, 'ran');
    await change(made);
    await made.temp.write('.git/modules/sub/info/attributes', '* filter=evil\n');
    await made.temp.git('-C', 'sub', 'config', 'filter.evil.clean', `sh -c 'touch ${canary}; cat'`);
    await made.temp.git('-C', 'sub', 'config', 'core.fsmonitor', `touch ${canary}; false`);
    const tree = await write(made);
    expect(refusals(tree.refused)).toEqual(['dirty-submodule sub']);
    expect(tree.tree).toBe(await made.oid('HEAD^{tree}'));
    expect(existsSync(canary)).toBe(false);
    expect((await write(made, { allow: ['sub'] })).refused).toEqual([]);
  });
});

test('a sparse checkout: what is not checked out stays in T', async () => {
  await using made = await openTemp({ files: { ...files, 'far/away.ts': 'x\n' } });
  await made.temp.git('sparse-checkout', 'set', 'src');
  expect(await made.temp.exists('far/away.ts')).toBe(false);
  await made.temp.write('src/a.ts', 'changed\n');
  expect(names(await write(made))).toEqual(['modified src/a.ts']);
});

test('a lock left beside pawl’s own index by a dead git is no obstacle', async () => {
  await using made = await openTemp({ files });
  await write(made);
  writeFileSync(`${made.index}.lock`, '');
  await made.temp.write('src/a.ts', 'x');
  expect(names(await write(made))).toEqual(['modified src/a.ts']);
});

test('no file watcher and no replaced object of anyone’s takes part', async () => {
  await using made = await openTemp({ files });
  const canary = path.join(made.home, 'ran');
  writeFileSync(path.join(made.home, '.gitconfig'), `[core]\n\tfsmonitor = "touch ${canary}; false"\n`);
  await made.temp.write('src/a.ts', 'x\n');
  const start = await made.oid();
  const other = await made.temp.git('commit-tree', '-m', 'other', await made.oid('HEAD^{tree}'));
  await made.temp.git('replace', '-f', start, other);
  expect(names(await write(made))).toEqual(['modified src/a.ts']);
  expect((await made.repo.git(['log', '--format=%s', 'HEAD'])).trim()).toBe('start');
  expect(existsSync(canary)).toBe(false);
});

describe('diffs', () => {
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
