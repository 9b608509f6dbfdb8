// A lane's git: made with what a repository has, merged as trees, fetched home, and followed by the run's own tree.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { followBranch } from '../../../src/git/lane/follow.ts';
import { bringGround, keepGround, sharedRef, takeFromHome } from '../../../src/git/lane/ground-home.ts';
import { mergeTrees } from '../../../src/git/lane/merge-trees.ts';
import { removeLane, saveLane, setAside } from '../../../src/git/lane/save-lane.ts';
import { saveRescue } from '../../../src/git/rescue/rescue.ts';
import { listRescues } from '../../../src/git/rescue/rescue-list.ts';
import { moveBranch } from '../../../src/git/run/head.ts';
import { makeGround } from '../../../src/ground/make.ts';
import { openTemp, sh } from '../open.ts';

test('what was only copied into a ground is not told as saved', async () => {
  await using opened = await openTemp({ files: { 'a.txt': 'a\n' } });
  const { temp: made, repo } = opened;
  const [settings, changed] = ['.pawl/config.yaml', 'notes.txt'];
  await made.write(settings, 'jobs: 2\n');
  await made.write(changed, 'before\n');
  const commit = await made.git('rev-parse', 'HEAD');
  const root = path.join(opened.home, 'x');
  const ground = await makeGround(repo, { folder: root, branch: 'run', commit, files: [settings, changed] });
  await writeFile(path.join(root, changed), 'after\n');
  await writeFile(path.join(root, 'new.txt'), 'new\n');
  const saved = await saveLane(repo, ground.repo, { run: 'r', from: repo.root });
  expect(saved?.files).toEqual(['new.txt', changed]);
});

test('of a ground that is removed each stash entry is kept', async () => {
  await using opened = await openTemp({ files: { 'a.txt': 'a\n' } });
  const { temp: made, repo } = opened;
  const root = path.join(opened.home, 'x');
  const ground = await makeGround(repo, { folder: root, branch: 'run', commit: await opened.oid() });
  for (const text of ['first', 'second']) {
    await writeFile(path.join(root, 'a.txt'), text);
    await made.git('-C', root, 'stash', '-q');
  }
  const stashes = await made.git('-C', root, 'log', '-g', '--format=%H', 'refs/stash');
  await saveLane(repo, ground.repo, { run: 'r', from: repo.root });
  await rm(root, { recursive: true });
  await made.git('gc', '-q', '--prune=now');
  for (const oid of stashes.split('\n')) expect(await made.git('cat-file', '-t', oid)).toBe('commit');
});

test('a submodule in a ground goes where a person has committed it', async () => {
  await using opened = await openTemp();
  const { temp: made, repo: home, oid } = opened;
  const lib = '"$HOME/lib"';
  sh(
    opened,
    `git init -q ${lib}; for each in 1 2; do git -C ${lib} commit -qm $each --allow-empty; done
git -c protocol.file.allow=always submodule --quiet add ${lib} lib; git commit -qm lib; git switch -qc run`,
  );
  const root = path.join(opened.home, 'x');
  const commit = await oid();
  const refs = { [sharedRef('run')]: commit };
  const { repo: ground } = await makeGround(home, { folder: root, branch: 'run', commit, refs });
  sh(opened, 'git -C lib checkout -q HEAD^; git commit -qam moved');
  await takeFromHome({ ground, home, run: 'r', branch: 'run' });
  expect(await made.git('-C', path.join(root, 'lib'), 'rev-parse', 'HEAD')).toBe(await oid('run:lib'));
});

test('an ignored file of a ground that would hide what a person has committed is named, and nothing is taken over', async () => {
  await using opened = await openTemp({ files: { '.gitignore': 'out.txt\n' } });
  const { temp: made, repo: home, oid } = opened;
  await made.git('switch', '-q', '-c', 'run');
  const [root, commit] = [path.join(opened.home, 'x'), await oid()];
  const refs = { [sharedRef('run')]: commit };
  const { repo: ground } = await makeGround(home, { folder: root, branch: 'run', commit, refs });
  await writeFile(path.join(root, 'out.txt'), 'made\n');
  sh(opened, 'echo mine > out.txt; git add -f out.txt; git commit -qm mine');
  const take = () => takeFromHome({ ground, home, run: 'r', branch: 'run' });
  await expect(take()).rejects.toThrow(`out.txt in ${root} is in the way`);
  expect(await made.git('-C', root, 'rev-parse', 'HEAD')).toBe(commit);
  await rm(path.join(root, 'out.txt'));
  await take();
  expect(await made.git('-C', root, 'status', '--porcelain')).toBe('');
  expect(await made.git('-C', root, 'rev-parse', 'HEAD')).toBe(await oid());
});

test('what a person commits outside a sparse checkout hides nothing', async () => {
  await using opened = await openTemp({ files: { 'src/a': 'a\n', 'docs/a': 'a\n' } });
  const { temp: made, repo: home, oid } = opened;
  await made.git('switch', '-q', '-c', 'run');
  await made.git('sparse-checkout', 'set', 'src');
  const [root, commit] = [path.join(opened.home, 'x'), await oid()];
  const refs = { [sharedRef('run')]: commit };
  const { repo: ground } = await makeGround(home, { folder: root, branch: 'run', commit, refs });
  sh(
    opened,
    'git sparse-checkout disable; echo b > docs/a; git commit -qam mine; git sparse-checkout set src',
  );
  await takeFromHome({ ground, home, run: 'r', branch: 'run' });
  expect(await made.git('-C', root, 'rev-parse', 'HEAD')).toBe(await oid());
  expect(await made.git('-C', root, 'status', '--porcelain')).toBe('');
});

test('a lane has branches, settings and hooks of the repository, and pushes nothing; its work comes home', async () => {
  await using opened = await openTemp({ files: { 'a.txt': 'a\n' } });
  const { temp: made, repo } = opened;
  await made.git('config', 'remote.origin.url', '/nowhere');
  await made.git('config', 'my.sub section.key', 'a "b" \\c');
  await made.git('branch', 'other');
  await made.write('.git/hooks/pre-commit', '#!/bin/sh\n');
  const head = await made.git('rev-parse', 'HEAD');
  const { repo: lane } = await makeGround(repo, {
    folder: path.join(opened.home, 'x-1'),
    branch: 'run',
    commit: head,
  });
  expect(await lane.git(['config', 'my.sub section.key'])).toBe('a "b" \\c\n');
  await expect(lane.git(['push', 'origin', 'run'])).rejects.toThrow('pawl-pushes-nothing-from-here');
  expect((await lane.git(['for-each-ref', '--format=%(refname:short)'])).trim().split('\n')).toEqual([
    'main',
    'other',
    'run',
  ]);
  expect(await lane.git(['status', '--porcelain'])).toBe('');
  await lane.write('x', ['update-ref', 'refs/pawl/r1/rescue', head]);
  const commit = (await lane.git(['commit-tree', `${head}^{tree}`, '-p', head, '-m', 'x'])).trim();
  await lane.write('x', ['update-ref', 'refs/heads/run', commit]);
  await keepGround({ ground: lane, home: repo, run: 'r1', lane: 2, branch: 'run' });
  await rm(opened.home, { recursive: true });
  expect(await made.git('rev-parse', 'refs/pawl/r1/lanes/2/head')).toBe(commit);
  expect(await made.git('rev-parse', 'refs/pawl/r1/lanes/2/rescue')).toBe(head);
  expect(await made.git('fsck')).not.toContain('broken');
});

test.each([
  ['a lane', 'lanes/2/', { lane: 2 }],
  ['a ground', '', {}],
])('what %s lost of its own refs stays in the repository', async (_, folder, more) => {
  await using opened = await openTemp({ files: { 'a.txt': 'a\n' } });
  const { temp: made, repo } = opened;
  const commit = await made.git('rev-parse', 'HEAD');
  const root = path.join(opened.home, 'x-1');
  const { repo: own } = await makeGround(repo, { folder: root, branch: 'run', commit });
  const point = async (reason: string) =>
    (await saveRescue(own, { run: 'r1', reason, index: path.join(own.gitDir, 'x.index') })).oid;
  const lost = async (text: string) => {
    const oid = (await own.write('x', ['hash-object', '-w', '--stdin'], { input: text })).trim();
    await own.write('x', ['update-ref', 'refs/pawl/r1/lost/001', oid]);
    return oid;
  };
  const before = [await point('first'), await lost('one')];
  const bring = () => keepGround({ ground: own, home: repo, run: 'r1', branch: 'run', ...more });
  await bring();
  await own.write('x', ['update-ref', 'refs/pawl/r1/tree', `${commit}^{tree}`]);
  // Where a session moved one of them.
  await own.write('x', ['update-ref', `refs/pawl/r1/earlier/${commit}`, commit]);
  for (const ref of ['rescue', 'lost/001']) await own.write('x', ['update-ref', '-d', `refs/pawl/r1/${ref}`]);
  await writeFile(path.join(root, 'a.txt'), 'changed\n');
  const after = [await point('second'), await lost('two')];
  for (let time = 0; time < 2; time += 1) await bring();
  await rm(root, { recursive: true });
  await made.git('reflog', 'expire', '--expire=now', '--all');
  await made.git('gc', '-q', '--prune=now');
  for (const oid of [...before, ...after])
    expect(await made.git('cat-file', '-t', oid)).toMatch(/commit|blob/);
  expect((await listRescues(repo)).map(({ reason }) => reason)).toEqual(['first', 'second']);
  const refs = await made.git('for-each-ref', '--format=%(refname)', `refs/pawl/r1/${folder}`);
  const earlier = [`earlier/${before[0]}`, `earlier/${commit}`].sort();
  expect(refs.split('\n').map((ref) => ref.slice(`refs/pawl/r1/${folder}`.length))).toEqual([
    ...earlier,
    `earlier/lost/001/${before[1]}`,
    'head',
    'lost/001',
    'rescue',
    'tree',
  ]);
  await made.git('update-ref', `refs/pawl/r1/${folder}earlier/${after[0]}`, after[0] ?? '');
  expect(await listRescues(repo)).toHaveLength(2);
});

test('a branch that was deleted at home is missed before anything is committed in its ground', async () => {
  await using opened = await openTemp({ files: { 'a.txt': 'a\n' } });
  const { temp: made, repo: home } = opened;
  const commit = await made.git('rev-parse', 'HEAD');
  const root = path.join(opened.home, 'x-1');
  const refs = { [sharedRef('run')]: commit };
  const { repo: ground } = await makeGround(home, { folder: root, branch: 'run', commit, refs });
  const bring = () => bringGround({ ground, home, run: 'r1', branch: 'run' }, () => undefined);
  await expect(bring()).rejects.toMatchObject({
    code: 'history',
    message: expect.stringMatching(/^run was deleted/),
  });
  await made.git('branch', 'run', commit);
  expect(await bring()).toBeUndefined();
});

test('a branch is moved from where it is expected, or not at all', async () => {
  await using opened = await openTemp({});
  const { temp: made, repo } = opened;
  const [first, second] = [
    await made.git('rev-parse', 'HEAD'),
    await made.git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'x'),
  ];
  expect(await moveBranch(repo, { branch: 'main', from: second, to: first })).toBe(true);
  expect(await moveBranch(repo, { branch: 'main', from: first, to: second })).toBe(true);
  expect(await moveBranch(repo, { branch: 'main', from: first, to: second })).toBe(true);
  expect(await moveBranch(repo, { branch: 'main', from: first, to: 'HEAD~1' }).catch(() => 'no')).not.toBe(
    true,
  );
  expect(await made.git('rev-parse', 'main')).toBe(second);
});

test('both sides of a merge are found by name, and nothing else changes', async () => {
  await using opened = await openTemp({ files: { word: 'a\n', 'a b': 'x\n', both: '1\n2\n3\n4\n5\n' } });
  const { temp: made, repo } = opened;
  const base = await made.git('rev-parse', 'HEAD');
  await made.write('word', 'head\n');
  await made.write('both', '0\n2\n3\n4\n5\n');
  await made.git('rm', '-q', 'a b');
  await made.git('commit', '-qam', 'head');
  const head = await made.git('rev-parse', 'HEAD');
  await made.git('reset', '-q', '--hard', base);
  await made.write('word', 'work\n');
  await made.write('both', '1\n2\n3\n4\n6\n');
  await made.write('a b', 'y\n');
  await made.write('new.txt', 'new\n');
  await made.git('add', '-A');
  const work = await made.git('write-tree');
  await made.git('reset', '-q', '--hard');
  const merge = await mergeTrees(repo, { base, head, work });
  expect(merge).toMatchObject({
    ...{ conflicts: ['a b', 'word'], clashes: [['a b'], ['word']] },
    told: [expect.stringMatching(/^CONFLICT \(modify\/delete\): a b deleted/)],
  });
  expect(await mergeTrees(repo, { base, head, work: base })).toMatchObject({
    conflicts: [],
    told: [],
    clashes: [],
  });
  const text = await made.git('show', `${merge.tree}:word`);
  expect(text).toContain('<<<<<<< pawl/landed\nhead');
  expect(text).toContain('work\n>>>>>>> pawl/your-work');
  expect(await made.git('show', `${merge.tree}:new.txt`)).toBe('new');
  expect(await made.git('status', '--porcelain')).toBe('');
});

test('a lane whose removal was cut off goes with the next', async () => {
  const run = await mkdtemp(path.join(tmpdir(), 'pawl-run-'));
  const folder = path.join(run, 'x-1');
  await mkdir(path.join(`${folder}.gone-`, '.git'), { recursive: true });
  removeLane(folder);
  expect(existsSync(run)).toBe(false);
});

test('a lane is set aside whole, each time under another name', async () => {
  await using opened = await openTemp();
  const folder = path.join(opened.home, 'x-1');
  expect(setAside(folder)).toBeUndefined();
  for (const end of ['.aside', '.aside-2']) {
    await mkdir(path.join(folder, end), { recursive: true });
    expect(setAside(folder)).toBe(`${folder}${end}`);
    expect(existsSync(path.join(`${folder}${end}`, end))).toBe(true);
  }
});

/** A person's tree whose branch has moved on by `landing`, after they did `act`. */
async function openLanded(files: Readonly<Record<string, string>>, landing: string, act: string) {
  const more = `${landing}; git add -A; git commit -qm landed; git tag landed; git reset -q --hard HEAD~1`;
  const opened = await openTemp({ files, more });
  const { temp: made, repo } = opened;
  const [from, to] = [await made.git('rev-parse', 'HEAD'), await made.git('rev-parse', 'landed')];
  execFileSync('sh', ['-c', act], { cwd: made.path });
  await made.git('update-ref', 'refs/heads/main', to);
  return { ...made, ...opened, follow: () => followBranch(repo, { from, to }) };
}

const letters = { a: 'a\n', b: 'b\n', c: 'c\n', d: 'd\n' };
const landed = 'echo landed > a; echo landed > b; git rm -q d; echo new > n';
const folder = { 'd/a': 'a\n', 'd/b': 'b\n', f: 'f\n' };

test.each([
  ['a clean tree follows', letters, landed, 'true', [], ''],
  ['a person edited what did not land', letters, landed, 'echo mine > c', [], ' M c'],
  ['a person edited what landed', letters, landed, 'echo mine > a', ['a'], ' M a'],
  ['a person has a file that landed', letters, landed, 'echo mine > n', ['n'], ' M n'],
  ['a person removed what landed', letters, landed, 'rm b', ['b'], ' D b'],
  ['a person edited what a landing removed', letters, landed, 'echo mine > d', ['d'], '?? d'],
  ['a person staged what landed', letters, landed, 'echo mine > a && git add a', ['a'], 'M  a'],
  ['a person made a folder of a file', letters, landed, 'mkdir n && echo x > n/x', ['n'], ' D n'],
  ['it was cut off, and goes on', letters, landed, 'echo landed > a && rm d', [], ''],
  ['a folder becomes a file', folder, 'git rm -qr d; echo x > d', 'true', [], ''],
  ['a file becomes a folder', folder, 'git rm -q f; mkdir f; echo x > f/x', 'true', [], ''],
  ['a folder becomes a link', folder, 'git rm -qr d; ln -s f d', 'true', [], ''],
  [
    'a folder with a person’s becomes a file',
    folder,
    'git rm -qr d; echo x > d',
    'echo mine > d/mine',
    ['d'],
    ' D d',
  ],
  ...['skip-worktree', 'assume-unchanged'].map(
    (flag) =>
      [
        `a person hides an edit by ${flag}`,
        folder,
        'echo landed > f',
        `git update-index --${flag} f; echo mine > f`,
        ['f'],
        '',
      ] as const,
  ),
] as const)('%s', async (_, files, landing, act, kept, status) => {
  await using made = await openLanded(files, landing, act);
  const expectStatus = async () =>
    expect((await made.git('status', '--porcelain')).split('\n').join(' ')).toBe(status);
  expect(await made.follow()).toEqual(kept);
  await expectStatus();
  // Once more changes nothing.
  await made.follow();
  await expectStatus();
  const flags = (await made.git('ls-files', '-v')).split('\n').filter((line) => !line.startsWith('H'));
  expect(flags.length).toBe(act.includes('update-index') ? 1 : 0);
});

test('what a person saves once git has looked at a file stays', async () => {
  // git asks a filter of a file from the future each time that it looks, and the other is saved at the second time.
  const filter = 'cat; test -e .git/once && echo mine > a; touch .git/once';
  const late = `git config filter.late.clean "${filter}"; touch -d 2037-01-01 b`;
  const files = { a: 'a\n', b: 'b\n', '.gitattributes': 'b filter=late\n' };
  await using made = await openLanded(files, 'echo landed > a; echo landed > b', late);
  expect(await made.follow()).toEqual(['a']);
  expect(await made.read('a')).toBe('mine\n');
});

test('lanes that bring the same refs home at once', async () => {
  await using opened = await openTemp({ files: { 'a.txt': 'a\n' } });
  const { temp: made, repo } = opened;
  const commit = await made.git('rev-parse', 'HEAD');
  const root = path.join(opened.home, 'x');
  const { repo: ground } = await makeGround(repo, { folder: root, branch: 'run', commit, files: [] });
  const of = { ground, home: repo, run: 'r', branch: 'run' };
  for (const name of ['one', 'two', 'three', 'four']) {
    const tree = (await ground.write('tree', ['commit-tree', `${commit}^{tree}`, '-m', name])).trim();
    await ground.write('ref', ['update-ref', 'refs/pawl/r/lanes/2/head', tree]);
    await Promise.all(Array.from({ length: 6 }, () => keepGround(of)));
    expect(await made.git('rev-parse', 'refs/pawl/r/lanes/2/head')).toBe(tree);
  }
});
