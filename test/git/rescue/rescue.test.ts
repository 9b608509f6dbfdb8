import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Rescue, type RescueOptions, saveRescue } from '../../../src/git/rescue/rescue.ts';
import { hasStaged } from '../../../src/git/rescue/rescue-commit.ts';
import { dropRun, listRescues, restoreRescue, showRescue } from '../../../src/git/rescue/rescue-list.ts';
import { formatPoint, parsePoint } from '../../../src/git/rescue/rescue-point.ts';
import { restoreTree } from '../../../src/git/rescue/restore-tree.ts';
import { lookAtTree } from '../../../src/git/tree/look.ts';
import { type Opened, openTemp, sh } from '../open.ts';

const files = { 'src/a.ts': 'a\n', 'src/b.ts': 'b\n', '.gitignore': '.env*\n*.log\n/deps/\n' };

const optionsOf = (made: Opened): Omit<RescueOptions, 'reason'> => ({
  run: 'r',
  index: `${made.index}.rescue`,
});
const save = (made: Opened, reason = 'test'): Promise<Rescue> =>
  saveRescue(made.repo, { ...optionsOf(made), reason });
const at = (made: Opened, name: string): string => path.join(made.temp.path, name);

describe('saveRescue', () => {
  test('what was staged meanwhile is seen, however often it was asked before', async () => {
    await using made = await openTemp({ files });
    const isStaged = async () => hasStaged(made.repo, await made.oid('HEAD'));
    expect(await isStaged()).toBe(false);
    expect(await isStaged()).toBe(false);
    await made.temp.write('src/a.ts', 'staged\n');
    await made.temp.git('add', 'src/a.ts');
    await lookAtTree(made.repo, made.index);
    expect(await isStaged()).toBe(true);
    await made.temp.git('commit', '-qm', 'it');
    expect(await isStaged()).toBe(false);
    await made.temp.git('reset', '-q', '--soft', 'HEAD^');
    expect(await isStaged()).toBe(true);
  });

  test('holds changed, removed, untracked and chosen ignored files; says what it does not hold', async () => {
    await using made = await openTemp({ files });
    sh(
      made,
      `echo changed > src/a.ts; rm src/b.ts; mkdir new deps; echo new > 'new/ü "x".ts'; echo SECRET > .env.local
echo log > x.log; echo no > deps/.env; head -c 10485761 /dev/zero > big.bin; git init -q nested; ln -s /etc/passwd link
git status --porcelain > $HOME/before`,
    );
    const rescue = await save(made, 'before task 1');
    expect(rescue).toMatchObject({ ref: 'refs/pawl/r/rescue', oid: await made.oid('refs/pawl/r/rescue') });
    const held = (await made.temp.git('ls-tree', '-r', '-z', '--name-only', rescue.oid)).split('\0');
    expect(held.filter(Boolean).sort()).toEqual(
      ['.env.local', '.gitignore', 'README.md', 'link', 'new/ü "x".ts', 'src/a.ts'].sort(),
    );
    expect(rescue.notHeld.map(({ file }) => file).sort()).toEqual(['big.bin', 'nested/']);
    sh(
      made,
      `git show $1:src/a.ts | grep -qx changed; git show -s --format=%s $1 | grep -qx 'before task 1'
git show -s --format=%B $1 > $HOME/message; fails grep ^Pawl- $HOME/message; git status --porcelain | cmp - $HOME/before`,
      rescue.oid,
    );
  });

  test('after a look with another index it holds the same, with what is staged', async () => {
    await using made = await openTemp({ files });
    await made.temp.write('src/b.ts', 'staged\n');
    await made.temp.git('add', 'src/b.ts');
    sh(made, 'echo b > src/b.ts; echo changed > src/a.ts; echo new > new.ts; echo SECRET > .env');
    const look = await lookAtTree(made.repo, made.index);
    const seen = await saveRescue(made.repo, {
      ...optionsOf(made),
      reason: 'seen',
      seen: { look, index: made.index },
    });
    expect(await made.temp.git('show', `${seen.oid}^3:src/b.ts`)).toBe('staged');
    expect(await save(made)).toEqual(seen);
  });

  test('a chain that somebody moved goes on from where it is', async () => {
    await using made = await openTemp({ files });
    await made.temp.write('x.ts', 'x');
    const [first, ref] = [await save(made), 'refs/pawl/r/rescue'];
    await made.temp.write('x.ts', 'y');
    await save(made);
    await made.temp.git('update-ref', ref, first.oid);
    const again = await save(made);
    expect(await made.oid(ref)).toBe(again.oid);
    expect(await made.oid(`${ref}^1`)).toBe(first.oid);
  });

  test('nothing changed since: the same point; a moved HEAD is another', async () => {
    await using made = await openTemp({ files });
    await made.temp.write('x.ts', 'x');
    const first = await save(made);
    expect(await save(made, 'another reason')).toEqual(first);
    await made.temp.git('commit', '-q', '--allow-empty', '-m', 'moved');
    const second = await save(made);
    expect(second.oid).not.toBe(first.oid);
    expect(await made.oid(`${second.oid}^1`)).toBe(first.oid);
    expect(await made.oid(`${second.oid}^2`)).toBe(await made.oid());
  });

  const module = `git init -q $HOME/inner; git -C $HOME/inner commit -q --allow-empty -m inner
git -c protocol.file.allow=always submodule --quiet add $HOME/inner sub; git commit -qm submodule`;
  const big = 'head -c 11534336 /dev/zero';
  /** What is done, and what its point shows, as `$1`; `saves`: another point before. */
  type Row = Readonly<{ did: string; saves?: string; holds: string; notHeld?: Rescue['notHeld'] }>;
  const rows: Readonly<Record<string, Row>> = {
    'what was staged is a parent of its own': {
      did: 'echo staged > src/a.ts; git add src/a.ts; echo work > src/a.ts',
      holds: 'git show $1^3:src/a.ts | grep -qx staged; git show $1:src/a.ts | grep -qx work',
    },
    'conflicts in the index do not stop it': {
      did: `git switch -q -c side; echo side > src/a.ts; git commit -qam side; git switch -q main
echo main > src/a.ts; git commit -qam main; fails git merge side`,
      holds: "git show $1:src/a.ts | grep -q '<<<<<<<'; git show -s $1 | grep -q 'index: has conflicts'",
    },
    'no identity, no commit on HEAD, and a hook that must not run': {
      did: `git config --unset user.name; git config --unset user.email; git switch -q --orphan fresh; echo x > only.ts
printf '#!/bin/sh\\ntouch $HOME/ran\\n' > .git/hooks/reference-transaction; chmod 755 .git/hooks/*`,
      holds: 'git show $1:only.ts | grep -qx x; fails test -e $HOME/ran',
    },
    'a file that grew too big leaves the next point and is listed': {
      saves: 'echo small > x.bin',
      did: `${big} > x.bin`,
      holds: 'fails git cat-file -e $1:x.bin',
      notHeld: [{ file: 'x.bin', why: '11.0 MB, too big to copy' }],
    },
    'a tracked file over the limit that was gone at one point is held when it is back': {
      saves: `${big} > x.bin; git add -A; git commit -qm big; rm x.bin`,
      did: `${big} | tr '\\0' y > x.bin`,
      holds: 'git show $1:x.bin | cmp - x.bin',
    },
    'a file that git was told to look at again is held as it is': {
      saves: 'git update-index --assume-unchanged src/a.ts',
      did: 'git update-index --no-assume-unchanged src/a.ts; echo mine > src/a.ts',
      holds: 'git show $1:src/a.ts | grep -qx mine',
    },
    'changed files of a submodule are named as not held': {
      saves: module,
      did: 'echo new > sub/new.ts',
      holds: ':',
      notHeld: [{ file: 'sub', why: 'changed files of a submodule' }],
    },
    'and its other commit, once': {
      saves: module,
      did: 'echo new > sub/new.ts; git -C sub commit -q --allow-empty -m more',
      holds: ':',
      notHeld: [{ file: 'sub', why: 'a submodule, which keeps its own history' }],
    },
  };
  test.each(Object.entries(rows))('%s', async (_, { did, saves, holds, notHeld = [] }) => {
    await using made = await openTemp({ files });
    if (saves !== undefined) {
      sh(made, saves);
      expect((await save(made)).notHeld).toEqual([]);
    }
    sh(made, did);
    const rescue = await save(made);
    expect(rescue.notHeld).toEqual(notHeld);
    sh(made, holds, rescue.oid);
  });
});

describe('restoreTree', () => {
  /** `since`: after the rescue; `fails`: what a failure says, and nothing has changed. */
  type Row = Readonly<{ did: string; since?: string; keep?: string; fails?: RegExp; holds: string }>;
  const rows: Readonly<Record<string, Row>> = {
    'rewrites tracked files, removes new ones and emptied folders, keeps the user’s and ignored ones': {
      did: `echo changed > src/a.ts; rm src/b.ts; mkdir -p deep/er; echo new > deep/er/new.ts
echo mine > mine.txt; echo log > x.log`,
      keep: 'mine.txt',
      holds: 'test "$(git status --porcelain)" = \'?? mine.txt\'; fails test -e deep; grep -qx log x.log',
    },
    'what the rescue does not hold is not touched: nothing is': {
      did: 'echo changed > src/a.ts',
      since: 'echo again > src/a.ts; echo late > late.ts',
      fails: /src\/a\.ts.*late\.ts|late\.ts.*src\/a\.ts/,
      holds: 'grep -qx again src/a.ts; grep -qx late late.ts',
    },
    'a file too big for the rescue is not removed': {
      did: 'head -c 11534336 /dev/zero > big.bin',
      fails: /big\.bin/,
      holds: 'test -e big.bin',
    },
    'a folder where a file was and a link where a folder was': {
      did: 'rm -r README.md src; mkdir README.md; echo x > README.md/x; echo precious > $HOME/a.ts; ln -s $HOME src',
      holds: 'test -z "$(git status --porcelain)"; grep -qx precious $HOME/a.ts',
    },
    'what is the user’s in the way of a file is a failure, and stays': {
      did: 'rm README.md; mkdir README.md; echo mine > README.md/mine',
      keep: 'README.md/mine',
      fails: /in the way/,
      holds: 'grep -qx mine README.md/mine',
    },
    'names of every kind': {
      did: `for name in ':x' '-f' "$(printf 'a\\nb')"; do echo 1 > "./$name"; done; git add -A; git commit -qm names
for name in ':x' '-f' "$(printf 'a\\nb')" "$(printf 'new\\n.')" '"q"' "$(printf 'bad\\377')"; do echo 2 > "./$name"; done`,
      holds: 'test -z "$(git status --porcelain)"',
    },
  };
  test.each(Object.entries(rows))('%s', async (_, { did, since = ':', keep, fails, holds }) => {
    await using made = await openTemp({ files });
    sh(made, did);
    const { oid: rescue } = await save(made);
    sh(made, since);
    const tree = await made.oid('HEAD^{tree}');
    const kept = keep === undefined ? [] : [keep];
    const restoring = restoreTree(made.repo, { tree, index: made.index, rescue, keep: new Set(kept) });
    if (fails) await expect(restoring).rejects.toMatchObject({ message: expect.stringMatching(fails) });
    else expect((await restoring).left).toEqual(kept);
    sh(made, holds);
  });

  test('a file that git was told not to look at comes back as it was on this machine', async () => {
    await using made = await openTemp({ files });
    await made.temp.git('update-index', '--skip-worktree', 'src/a.ts');
    await made.temp.git('update-index', '--assume-unchanged', 'src/b.ts');
    await made.temp.write('src/a.ts', 'as I have it\n');
    await made.temp.write('src/b.ts', 'as well\n');
    const start = await save(made, 'start');
    await made.temp.write('src/a.ts', 'written over\n');
    rmSync(at(made, 'src/b.ts'));
    const before = await save(made, 'before it is restored');
    expect(before.oid).not.toBe(start.oid);
    const { rescue, exact } = { rescue: before.oid, exact: start.oid };
    await restoreTree(made.repo, { tree: await made.oid(), index: made.index, rescue, exact });
    expect(await made.temp.read('src/a.ts')).toBe('as I have it\n');
    expect(await made.temp.read('src/b.ts')).toBe('as well\n');
    const back = { rescue: start.oid, exact: before.oid };
    await restoreTree(made.repo, { tree: await made.oid(), index: made.index, ...back });
    expect(await made.temp.read('src/a.ts')).toBe('written over\n');
  });
});

describe('points', () => {
  test('are listed, shown and restored; what stood there is a point of its own', async () => {
    await using made = await openTemp({ files });
    await made.temp.write('src/a.ts', 'one\n');
    await made.temp.write('.env', 'KEY=1\n');
    await made.temp.write('big.bin', 'x'.repeat(11 * 1024 * 1024));
    const first = await save(made, 'one');
    await made.temp.write('src/a.ts', 'two\n');
    await made.temp.write('extra.ts', 'extra\n');
    rmSync(at(made, '.env'));
    await save(made, 'two');
    const points = await listRescues(made.repo);
    expect(points.map(({ run, point, reason, branch }) => `${run} ${point} ${reason} ${branch}`)).toEqual([
      'r 1 one main',
      'r 2 two main',
    ]);
    expect(points[0]).toMatchObject({ oid: first.oid, head: await made.oid() });
    const shown = await showRescue(made.repo, { run: 'r', point: 1 });
    expect(shown.files.map(({ file }) => file)).toEqual(['.env', 'src/a.ts']);

    await made.temp.write('src/a.ts', 'three\n');
    const result = await restoreRescue(made.repo, { ...optionsOf(made), point: 1 });
    expect(result.restored).toEqual(['.env', 'src/a.ts']);
    expect(result.notHeld.map(({ file }) => file)).toEqual(['big.bin']);
    expect(await made.temp.read('src/a.ts')).toBe('one\n');
    expect(await made.temp.read('.env')).toBe('KEY=1\n');
    expect(await made.temp.read('extra.ts')).toBe('extra\n');
    expect(await made.temp.git('show', `${result.rescue}:src/a.ts`)).toBe('three');
    expect(await made.temp.git('diff', '--cached', '--name-only')).toBe('');
  });

  test('some files of a point, by its id', async () => {
    await using made = await openTemp({ files });
    await made.temp.write('src/a.ts', 'one\n');
    await made.temp.write('src/b.ts', 'one\n');
    const { oid } = await save(made);
    await made.temp.git('checkout', '-q', '.');
    const result = await restoreRescue(made.repo, {
      ...optionsOf(made),
      point: oid.slice(0, 10),
      files: ['src/b.ts'],
    });
    expect(result.restored).toEqual(['src/b.ts']);
    expect(await made.temp.read('src/a.ts')).toBe('a\n');
  });

  test('one that does not exist', async () => {
    await using made = await openTemp({ files });
    await expect(showRescue(made.repo, { run: 'r', point: 1 })).rejects.toMatchObject({ code: 'usage' });
    await save(made);
    await expect(showRescue(made.repo, { run: 'r', point: 2 })).rejects.toMatchObject({
      message: expect.stringContaining('1 to 1'),
    });
  });

  test('a run is dropped with all its refs, another stays', async () => {
    await using made = await openTemp({ files });
    await save(made);
    await saveRescue(made.repo, { ...optionsOf(made), run: 'q', reason: 'q' });
    expect(await dropRun(made.repo, 'r')).toEqual(['refs/pawl/r/rescue']);
    expect(await made.temp.git('for-each-ref', '--format=%(refname)', 'refs/pawl')).toBe(
      'refs/pawl/q/rescue',
    );
  });

  test('their text', () => {
    const text = {
      reason: 'why: this',
      branch: 'b',
      head: '',
      index: 'as HEAD',
      exact: [{ file: 'ü\n', mode: 0o600 }],
      notHeld: [{ file: 'a\nb: "x"', why: 'w' }],
    };
    expect(parsePoint(formatPoint(text))).toEqual(text);
    expect(parsePoint('rescue points of r\n')).toBeUndefined();
    expect(parsePoint(formatPoint({ ...text, reason: 'two\nlines\n\nbranch: x' }))?.branch).toBe('b');
  });
});
