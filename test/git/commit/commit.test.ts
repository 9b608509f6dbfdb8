import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CommitOptions, commitTree, findFailedHook, uncommit } from '../../../src/git/commit/commit.ts';
import { commitFile } from '../../../src/git/commit/commit-file.ts';
import { openRepo } from '../../../src/git/run/repo.ts';
import type { Mark } from '../../../src/process/sweep.ts';
import { depsOf, type Opened, openTemp, sh, treeAgainst } from '../open.ts';

const files = { 'src/a.ts': 'a\n', 'src/b.ts': 'b\n', 'plan.md': '- [ ] x\n' };
const message = 'Task 1\n\n#5 is done\n\nPawl-Run: r\nPawl-Close: k';
const mark: Mark = 'PAWL_CHECK=r/commit';

/** A changed work tree as tree T, and the parent to commit it on. */
async function work(made: Opened): Promise<CommitOptions> {
  await made.temp.write('src/a.ts', 'work\n');
  await made.temp.write('src/new.ts', 'new\n');
  const parent = await made.oid();
  const { tree } = await treeAgainst(made, parent);
  return { tree, parent, message, mark };
}

const hooks = `hook() { printf '#!/bin/sh\\n%s\\n' "$2" > .git/hooks/$1; chmod 755 .git/hooks/$1; }
`;

function hook({ repo }: Pick<Opened, 'repo'>, name: string, script: string): void {
  mkdirSync(repo.hooksDir, { recursive: true });
  writeFileSync(path.join(repo.hooksDir, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** What `work` changes. */
const worked = [
  { file: 'src/a.ts', status: 'modified', insertions: 1, deletions: 1 },
  { file: 'src/new.ts', status: 'added', insertions: 1, deletions: 0 },
];

describe('commitTree', () => {
  test('commits exactly the tree, whatever is staged, and leaves index and work tree agreeing', async () => {
    await using made = await openTemp({ files });
    const options = await work(made);
    await made.temp.write('later.ts', 'later\n');
    await made.temp.git('add', 'later.ts');
    const commit = await commitTree(made.repo, options);
    expect(commit).toMatchObject({ oid: await made.oid(), tree: options.tree, files: worked });
    expect(await made.oid('HEAD^')).toBe(options.parent);
    expect(await made.temp.git('show', '-s', '--format=%B')).toBe(`${message}\n`);
    expect(await made.temp.git('status', '--porcelain')).toBe('?? later.ts');
    expect(
      readdirSync(path.join(made.repo.commonDir, 'pawl')).filter((name) => name.endsWith('.trace')),
    ).toEqual([]);
  });

  test.each([
    ['a flag of the user’s', ['update-index', '--assume-unchanged', 'src/b.ts']],
    ['a split index', ['update-index', '--split-index']],
    ['a hidden folder', ['sparse-checkout', 'set', 'src']],
  ])('an index with %s becomes the tree', async (_, args) => {
    await using made = await openTemp({ files: { ...files, 'doc/c.md': 'c\n' } });
    const options = await work(made);
    await made.temp.git(...args);
    const flags = () => made.temp.git('ls-files', '-v', 'src/b.ts', 'doc/c.md');
    const before = await flags();
    expect(await commitTree(made.repo, options)).toMatchObject({ tree: options.tree });
    expect(await made.temp.git('diff', '--cached', '--name-only')).toBe('');
    expect(await flags()).toBe(before);
  });

  test('a tree that changes nothing is committed too: pawl decided', async () => {
    await using made = await openTemp({ files });
    const parent = await made.oid();
    expect(
      await commitTree(made.repo, { tree: await made.oid('HEAD^{tree}'), parent, message, mark }),
    ).toHaveProperty('oid');
  });

  test('another HEAD than expected is a failure, and nothing is committed', async () => {
    await using made = await openTemp({ files });
    const options = await work(made);
    await made.temp.git('commit', '-q', '--allow-empty', '-m', 'other');
    await expect(commitTree(made.repo, options)).rejects.toMatchObject({ code: 'history' });
    expect(await made.temp.log()).toEqual(['other', 'start']);
  });

  const no = (words: string) => ({ output: expect.stringContaining(words) });
  test.each<[string, string, object]>([
    [
      'pre-commit says no, which is evidence',
      "hook pre-commit 'echo lint failed: a.ts; git status >/dev/null; exit 3'",
      { ...no('lint failed: a.ts'), hook: 'pre-commit' },
    ],
    ...['commit-msg', 'prepare-commit-msg'].map((hook): [string, string, object] => [
      `${hook} says no`,
      `hook pre-commit 'exit 0'; hook ${hook} 'echo no ticket; exit 1'`,
      { ...no('no ticket'), hook },
    ]),
    ['signing fails', 'git config commit.gpgsign true; git config gpg.program false', no('gpg')],
  ])('%s: nothing is committed, and the words are kept', async (_, given, expected) => {
    await using made = await openTemp({ files });
    sh(made, hooks + given);
    const options = await work(made);
    expect(await commitTree(made.repo, options)).toEqual(expected);
    expect(await made.oid()).toBe(options.parent);
    expect(await made.temp.git('status', '--porcelain')).toBe(' M src/a.ts\n?? src/new.ts');
  });

  test('a signing program that fails twice is asked a third time', async () => {
    await using made = await openTemp({ files });
    const [asked, program] = [path.join(made.home, 'asked'), path.join(made.home, 'sign')];
    const signs = "cat > /dev/null; printf '\\n[GNUPG:] SIG_CREATED \\n' >&2; echo signature";
    writeFileSync(program, `#!/bin/sh\necho >> ${asked}; test $(wc -l < ${asked}) = 3 || exit 1; ${signs}\n`);
    chmodSync(program, 0o755);
    await made.temp.git('config', 'commit.gpgsign', 'true');
    await made.temp.git('config', 'gpg.program', program);
    expect(await commitTree(made.repo, await work(made))).toHaveProperty('oid');
    expect(await made.temp.git('cat-file', 'commit', 'HEAD')).toContain('signature');
  });

  test('a hook that changes the tree shows, and the index is the commit’s', async () => {
    await using made = await openTemp({ files });
    hook(made, 'pre-commit', 'echo formatted > src/a.ts; git add src/a.ts');
    const options = await work(made);
    const commit = await commitTree(made.repo, options);
    expect(commit).toMatchObject({ oid: await made.oid(), tree: await made.oid('HEAD^{tree}') });
    expect(commit).not.toMatchObject({ tree: options.tree });
    expect(await made.temp.git('status', '--porcelain')).toBe('');
    expect((await treeAgainst(made, 'HEAD')).files).toEqual([]);
  });

  test('a hook that removes pawl’s trailers is named, the commit taken back', async () => {
    await using made = await openTemp({ files });
    hook(made, 'commit-msg', 'echo mine > "$1"');
    const options = await work(made);
    await expect(commitTree(made.repo, options)).rejects.toMatchObject({ code: 'hook' });
    expect(await made.oid()).toBe(options.parent);
  });

  test('a commit that stands is one, also when its last hook had to be ended', async () => {
    await using made = await openTemp({ files });
    hook(made, 'post-commit', 'sleep 60');
    const options = await work(made);
    const repo = await openRepo(made.temp.path, { ...depsOf(made.home), commitMs: 1_000 });
    expect(await commitTree(repo, options)).toMatchObject({
      oid: await made.oid(),
      tree: options.tree,
      files: worked,
    });
    expect(await made.oid('HEAD^')).toBe(options.parent);
    expect(await made.temp.git('status', '--porcelain')).toBe('');
  });

  test('hooks that append trailers of their own are fine', async () => {
    await using made = await openTemp({ files });
    hook(made, 'commit-msg', 'printf "\\nChange-Id: I1\\n" >> "$1"');
    expect(await commitTree(made.repo, await work(made))).toHaveProperty('oid');
  });

  test('the user’s hooks see their own settings and environment, marked', async () => {
    await using made = await openTemp({ files });
    await made.temp.git('config', 'core.hooksPath', 'hooks');
    const repo = await made.reopen({ LC_ALL: 'C.UTF-8', MINE: 'yes', GIT_DIR: '/nowhere' });
    const out = path.join(made.home, 'out');
    const script = `echo "$PAWL_CHECK $MINE $LC_ALL $LC_CTYPE $GIT_TERMINAL_PROMPT" $(git config core.hooksPath) > ${out}`;
    hook({ repo }, 'pre-commit', script);
    const options = await work(made);
    const commit = await commitTree(repo, options);
    expect(commit).toHaveProperty('oid');
    expect(readFileSync(out, 'utf8')).toBe('r/commit yes  C.UTF-8 0 hooks\n');
  });

  test('what a hook leaves running is ended', async () => {
    await using made = await openTemp({ files });
    const out = path.join(made.home, 'left');
    hook(made, 'post-commit', `setsid sleep 300 >/dev/null 2>&1 & echo $! > ${out}`);
    const mark: Mark = `PAWL_CHECK=${made.home}`;
    await commitTree(made.repo, { ...(await work(made)), mark });
    expect(Number(readFileSync(out, 'utf8'))).toBeGreaterThan(0);
    expect(await depsOf(made.home).sweep.find(mark)).toEqual([]);
  });
});

describe('commits of one file', () => {
  test('the plan alone, with other things staged and changed', async () => {
    await using made = await openTemp({ files });
    await made.temp.write('new plan.md', '- [ ] y\n');
    await made.temp.write('src/a.ts', 'x\n');
    await made.temp.git('add', 'src/a.ts');
    const oid = await commitFile(made.repo, { file: 'new plan.md', message: 'plan: y', mark });
    expect(oid).toBe(await made.oid());
    expect(await made.temp.git('show', '--name-only', '--format=%s')).toBe('plan: y\n\nnew plan.md');
    expect(await made.temp.git('status', '--porcelain')).toBe(' M src/a.ts');
  });

  test('a rejection is a failure that names the hook', async () => {
    await using made = await openTemp({ files });
    hook(made, 'pre-commit', 'exit 1');
    await made.temp.write('plan.md', 'x\n');
    await expect(commitFile(made.repo, { file: 'plan.md', message: 'p', mark })).rejects.toMatchObject({
      code: 'hook',
      message: expect.stringContaining('pre-commit'),
    });
  });

  test('what a hook adds is told and taken out again', async () => {
    await using made = await openTemp({ files });
    hook(made, 'pre-commit', 'echo more > more.ts; git add more.ts');
    await made.temp.write('plan.md', 'x\n');
    const added: string[] = [];
    const onAdded = (names: readonly string[]) => void added.push(...names);
    expect(await commitFile(made.repo, { file: 'plan.md', message: 'p', mark, onAdded })).toBe(
      await made.oid(),
    );
    expect(added).toEqual(['more.ts']);
    expect(await made.temp.git('show', '--name-only', '--format=')).toBe('plan.md');
  });

  test('a move, once', async () => {
    await using made = await openTemp({ files });
    await made.temp.git('mv', 'plan.md', 'moved.md');
    await made.temp.write('src/a.ts', 'x\n');
    const move = { from: 'plan.md', file: 'moved.md', message: 'plan: archive', mark };
    const oid = await commitFile(made.repo, move);
    expect(await made.temp.git('show', '--name-status', '--format=', '-M')).toBe('R100\tplan.md\tmoved.md');
    expect(await commitFile(made.repo, move)).toBe(oid);
    expect(await made.temp.git('status', '--porcelain')).toBe(' M src/a.ts');
  });

  test('a commit taken back is kept, and its work stays', async () => {
    await using made = await openTemp({ files });
    const options = await work(made);
    const commit = await commitTree(made.repo, options);
    if (!('oid' in commit)) throw new Error(commit.output);
    const kept = await uncommit(made.repo, { run: 'r', oid: commit.oid, parent: options.parent });
    expect(await made.oid(kept)).toBe(commit.oid);
    expect(await made.temp.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
    expect(await made.oid()).toBe(options.parent);
    expect(await made.temp.git('status', '--porcelain')).toBe(' M src/a.ts\n?? src/new.ts');
    await expect(
      uncommit(made.repo, { run: 'r', oid: commit.oid, parent: options.parent }),
    ).rejects.toMatchObject({
      code: 'git',
    });
  });
});

test('a trace of another program, cut off or forged by a hook’s own git, misleads nobody', () => {
  const start = (sid: string, id: number, hook?: string) =>
    JSON.stringify({ event: 'child_start', sid, child_id: id, ...(hook ? { hook_name: hook } : {}) });
  const exit = (sid: string, id: number, code: number) =>
    JSON.stringify({ event: 'child_exit', sid, child_id: id, code });
  const lines = [
    start('a', 0, 'pre-commit'),
    start('a/b', 0, 'commit-msg'),
    exit('a/b', 0, 1),
    exit('a', 0, 0),
    start('a', 1),
    exit('a', 1, 7),
    '{"event":"child_st',
  ];
  expect(findFailedHook(lines.join('\n'))).toBeUndefined();
  expect(findFailedHook([start('a', 0, 'commit-msg'), exit('a', 0, 2)].join('\n'))).toBe('commit-msg');
});
