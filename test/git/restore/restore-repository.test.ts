import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { observeEffects } from '../../../src/effect.ts';
import {
  parseSnapshot,
  type Snapshot,
  takeSnapshot,
  writeSnapshot,
} from '../../../src/git/protect/snapshot.ts';
import { saveRescue } from '../../../src/git/rescue/rescue.ts';
import { restoreRepository } from '../../../src/git/restore/restore-repository.ts';
import type { Violation, ViolationRestore } from '../../../src/git/restore/violation.ts';
import { openRepo } from '../../../src/git/run/repo.ts';
import { writeTree } from '../../../src/git/tree/tree.ts';
import { isSoak } from '../../helpers/share.ts';
import { depsOf, nothingSecret, type Opened, openTemp, rules } from '../open.ts';

const files = { 'src/a.ts': 'a\n', 'src/b.ts': 'b\n', '.githooks/pre-push': '#!/bin/sh\n' };

/** A repository on the run's branch `run`, one commit beyond `main`, and its snapshot. */
async function onRun(
  prepare?: (made: Opened) => Promise<unknown>,
): Promise<Opened & { before: Snapshot; start: string }> {
  const more = 'git switch -q -c run && echo a2 > src/a.ts && git commit -qam "first task"';
  const made = await openTemp({ files, more });
  await prepare?.(made);
  const repo = prepare ? await made.reopen() : made.repo;
  const before = await takeSnapshot(repo);
  return { ...made, repo, before, start: before.head };
}

async function back(
  made: Opened & { before: Snapshot },
  over: Partial<ViolationRestore> = {},
): Promise<readonly Violation[]> {
  return (await restoreRepository(made.repo, made.before, { run: 'r', branch: 'run', ...over })).violations;
}

const isOfLog = ({ act }: Violation): boolean => act === 'expired-reflog';

const brief = (acts: readonly Violation[]): string[] =>
  acts.map(({ act, response, red }) => `${act} ${response}${red === undefined ? '' : ' red'}`);

async function commit(made: Opened, file: string, content: string): Promise<string> {
  await made.temp.write(file, content);
  await made.temp.git('add', '-A');
  await made.temp.git('commit', '-qm', `agent: ${file}`);
  return made.oid();
}

/** Does something, but ends it before its effect of that number; true when it has fewer. */
async function cutOff(number: number, act: () => Promise<unknown>): Promise<boolean> {
  const killed = new Error('killed');
  let left = number;
  observeEffects(() => {
    left -= 1;
    if (left === 0) throw killed;
  });
  try {
    await act();
    return true;
  } catch (error) {
    if (error !== killed) throw error;
    return false;
  } finally {
    observeEffects(() => {});
  }
}

/** HEAD on `run` at the start, nothing staged, no operation: what must hold after every put-back. */
async function expectStart(made: Opened & { start: string }): Promise<void> {
  const [oid, branch, ...others] = (await made.temp.git('status', '--porcelain=v2', '--branch')).split('\n');
  expect([oid, branch]).toEqual([`# branch.oid ${made.start}`, '# branch.head run']);
  expect(others.filter((line) => !/^(?:[12] \.|[?#] )/.test(line))).toEqual([]);
  expect(existsSync(path.join(made.repo.gitDir, 'index.lock'))).toBe(false);
}

describe('HEAD', () => {
  test('nothing happened: no act', async () => {
    await using made = await onRun();
    expect(await back(made)).toEqual([]);
    await expectStart(made);
  });

  test('work without a commit stays as it is', async () => {
    await using made = await onRun();
    await made.temp.write('src/a.ts', 'work\n');
    expect(await back(made)).toEqual([]);
    expect(await made.temp.read('src/a.ts')).toBe('work\n');
  });

  test('commits on the run branch are absorbed', async () => {
    await using made = await onRun();
    await commit(made, 'src/a.ts', 'one\n');
    const head = await commit(made, 'src/new.ts', 'two\n');
    const acts = await back(made);
    expect(brief(acts)).toEqual(['committed absorbed']);
    expect(acts[0]?.detail).toBe('2 commits on run');
    expect(acts[0]?.kept).toBe('refs/pawl/r/absorbed/001');
    expect(await made.oid('refs/pawl/r/absorbed/001')).toBe(head);
    await expectStart(made);
    expect(await made.temp.read('src/new.ts')).toBe('two\n');
    expect(await made.temp.git('status', '--porcelain')).toBe(' M src/a.ts\n?? src/new.ts');
  });

  test('commits on another branch that is checked out are absorbed, new files stay in the tree', async () => {
    await using made = await onRun();
    await made.temp.git('switch', '-q', '-c', 'feature');
    const head = await commit(made, 'src/new.ts', 'work\n');
    const acts = await back(made);
    expect(brief(acts)).toEqual(['switched-branch put-back', 'committed absorbed']);
    await expectStart(made);
    expect(await made.oid('feature')).toBe(head);
    expect(await made.temp.read('src/new.ts')).toBe('work\n');
    const { files: changed } = await writeTree(made.repo, made.index, {
      against: made.start,
      rules: rules(),
      secret: nothingSecret,
    });
    expect(changed.map(({ file }) => file)).toEqual(['src/new.ts']);
  });

  test('commits on another branch that is not checked out any more are reported and kept there', async () => {
    await using made = await onRun();
    await made.temp.git('switch', '-q', '-c', 'feature');
    const head = await commit(made, 'src/new.ts', 'work\n');
    await made.temp.git('switch', '-q', 'run');
    const acts = await back(made);
    expect(brief(acts)).toEqual(['moved-ref reported']);
    expect(acts[0]?.detail).toContain('refs/heads/feature');
    expect(await made.oid('feature')).toBe(head);
    await expectStart(made);
  });

  test('a detached HEAD with commits is absorbed', async () => {
    await using made = await onRun();
    await made.temp.git('checkout', '-q', '--detach');
    const head = await commit(made, 'x', 'x');
    expect(brief(await back(made))).toEqual(['switched-branch put-back', 'committed absorbed']);
    expect(await made.oid('refs/pawl/r/absorbed/001')).toBe(head);
    await expectStart(made);
  });

  test('another branch on the same commit: HEAD goes back, the work stays', async () => {
    await using made = await onRun();
    await made.temp.git('switch', '-q', '-c', 'other');
    await made.temp.write('src/a.ts', 'work\n');
    const acts = await back(made);
    expect(brief(acts)).toEqual(['switched-branch put-back']);
    await expectStart(made);
    expect(await made.temp.read('src/a.ts')).toBe('work\n');
  });

  test('commits left on the run branch while HEAD is elsewhere at the start are kept', async () => {
    await using made = await onRun();
    const head = await commit(made, 'x', 'x');
    await made.temp.git('checkout', '-q', '--detach', made.start);
    const acts = await back(made);
    expect(brief(acts)).toEqual(['switched-branch put-back', 'moved-ref put-back']);
    expect(await made.oid('refs/pawl/r/absorbed/001')).toBe(head);
    await expectStart(made);
  });

  test('a deleted run branch is made again, the work tree untouched', async () => {
    await using made = await onRun();
    await made.temp.write('src/a.ts', 'work\n');
    await made.temp.git('update-ref', '-d', 'refs/heads/run');
    expect(brief(await back(made))).toEqual(['moved-ref put-back']);
    await expectStart(made);
    expect(await made.temp.read('src/a.ts')).toBe('work\n');
  });

  test('an unreadable HEAD is written again', async () => {
    await using made = await onRun();
    writeFileSync(path.join(made.repo.gitDir, 'HEAD'), 'garbage\n');
    expect(brief(await back(made))).toEqual(['switched-branch put-back']);
    await expectStart(made);
  });

  test('a HEAD that is a symlink out of the repository is never written through', async () => {
    await using made = await onRun();
    const target = path.join(made.home, 'precious');
    writeFileSync(target, 'precious\n');
    rmSync(path.join(made.repo.gitDir, 'HEAD'));
    symlinkSync(target, path.join(made.repo.gitDir, 'HEAD'));
    await back(made);
    expect(readFileSync(target, 'utf8')).toBe('precious\n');
    await expectStart(made);
  });

  test('an amend below the start is saved, restored, red', async () => {
    await using made = await onRun();
    await made.temp.write('src/a.ts', 'amended\n');
    await made.temp.git('commit', '-qa', '--amend', '-m', 'amended');
    const head = await made.oid();
    await made.temp.write('src/new.ts', 'new\n');
    await made.temp.write('mine.txt', 'mine\n');
    const acts = await back(made, { keep: new Set(['mine.txt']) });
    expect(brief(acts)).toEqual(['rewrote-history put-back red']);
    expect(acts[0]?.kept).toBe('refs/pawl/r/absorbed/001');
    expect(await made.oid('refs/pawl/r/absorbed/001')).toBe(head);
    await expectStart(made);
    expect(await made.temp.read('src/a.ts')).toBe('a2\n');
    expect(await made.temp.exists('src/new.ts')).toBe(false);
    expect(await made.temp.read('mine.txt')).toBe('mine\n');
    expect(await made.temp.git('show', 'refs/pawl/r/rescue:src/new.ts')).toBe('new');
    expect(await made.temp.git('show', 'refs/pawl/r/rescue:src/a.ts')).toBe('amended');
  });

  test('without knowing the user’s files a restore removes no new file', async () => {
    await using made = await onRun();
    await made.temp.git('reset', '-q', '--hard', 'HEAD~1');
    await made.temp.write('new.ts', 'new\n');
    expect(brief(await back(made))).toEqual(['rewrote-history put-back red']);
    expect(await made.temp.read('src/a.ts')).toBe('a2\n');
    expect(await made.temp.read('new.ts')).toBe('new\n');
  });

  test('the default branch left checked out lacks the run’s work: restored, red', async () => {
    await using made = await onRun();
    await made.temp.git('switch', '-q', 'main');
    expect(brief(await back(made))).toEqual(['switched-branch put-back red']);
    await expectStart(made);
    expect(await made.temp.read('src/a.ts')).toBe('a2\n');
  });

  test('what would be lost is not restored, and HEAD stays where it was left: the next look sees the same', async () => {
    await using made = await onRun();
    await made.temp.git('switch', '-q', 'main');
    await made.temp.write('big.bin', 'too big to be copied');
    const index = path.join(made.home, 'rescue.index');
    const over = { keep: new Set<string>(), rescue: { index, include: [], maxFileMb: 0 } };
    await expect(back(made, over)).rejects.toMatchObject({ code: 'git' });
    expect(await made.temp.git('branch', '--show-current')).toBe('main');
    rmSync(path.join(made.temp.path, 'big.bin'));
    expect(brief(await back(made, over))).toEqual(['switched-branch put-back red']);
    await expectStart(made);
    expect(await made.temp.read('src/a.ts')).toBe('a2\n');
  });

  test('cut off before one of its effects (in a soak before any), it is put back by the next look', {
    timeout: 60_000,
  }, async () => {
    for (let cut = 1, isOver = false; !isOver; cut += isSoak ? 1 : 4) {
      await using made = await onRun();
      await made.temp.git('switch', '-q', 'main');
      isOver = await cutOff(cut, () => back(made));
      await back(made);
      await expectStart(made);
      expect(await made.temp.read('src/a.ts'), `cut before effect ${cut}`).toBe('a2\n');
      expect(await made.temp.git('status', '--porcelain')).toBe('');
    }
  });

  test('an orphan branch with a commit is restored, red', async () => {
    await using made = await onRun();
    await made.temp.git('checkout', '-q', '--orphan', 'fresh');
    await made.temp.git('commit', '-qm', 'root');
    expect(brief(await back(made))).toEqual(['switched-branch put-back red']);
    await expectStart(made);
  });

  test('an orphan branch without a commit is restored, red', async () => {
    await using made = await onRun();
    await made.temp.git('switch', '-q', '--orphan', 'fresh');
    expect(await made.temp.exists('src/a.ts')).toBe(false);
    expect(brief(await back(made))).toEqual(['switched-branch put-back red']);
    await expectStart(made);
    expect(await made.temp.read('src/a.ts')).toBe('a2\n');
  });
});

describe('operations in progress', () => {
  async function conflicted(): Promise<Opened & { before: Snapshot; start: string }> {
    return onRun(async (made) => {
      await made.temp.git('branch', 'side', 'main');
      await made.temp.git('switch', '-q', 'side');
      await made.temp.write('src/a.ts', 'side\n');
      await made.temp.git('commit', '-qam', 'side');
      await made.temp.git('switch', '-q', 'run');
    });
  }

  test.each([
    ['merge', ['merge', 'side']],
    ['rebase', ['rebase', 'side']],
    ['cherry-pick', ['cherry-pick', 'side']],
  ])('a %s left in conflict is saved, ended, restored, red', async (operation, args) => {
    await using made = await conflicted();
    await expect(made.temp.git(...args)).rejects.toThrow();
    const acts = await back(made);
    expect(brief(acts)).toEqual(['merge-in-progress put-back red']);
    expect(acts[0]?.red).toContain(operation);
    await expectStart(made);
    expect(await made.temp.read('src/a.ts')).toBe('a2\n');
    expect(await made.temp.git('status')).not.toContain('in progress');
    expect(await made.temp.git('show', 'refs/pawl/r/rescue:src/a.ts')).toContain('<<<<<<<');
  });

  test('a revert in conflict', async () => {
    await using made = await onRun();
    const first = made.start;
    await commit(made, 'src/a.ts', 'a3\n');
    await expect(made.temp.git('revert', '--no-edit', first)).rejects.toThrow();
    expect(brief(await back(made))).toEqual(['merge-in-progress put-back red']);
    await expectStart(made);
    expect(await made.temp.read('src/a.ts')).toBe('a2\n');
  });

  test('a bisect', async () => {
    await using made = await onRun();
    await made.temp.git('bisect', 'start', 'HEAD', 'main');
    expect(brief(await back(made))).toEqual(['merge-in-progress put-back red']);
    await expectStart(made);
    expect(existsSync(path.join(made.repo.gitDir, 'BISECT_LOG'))).toBe(false);
  });

  test('what a rebase had stashed away by itself is kept', async () => {
    await using made = await conflicted();
    await made.temp.write('src/b.ts', 'uncommitted\n');
    await expect(made.temp.git('rebase', '--autostash', 'side')).rejects.toThrow();
    const stashed = readFileSync(path.join(made.repo.gitDir, 'rebase-merge/autostash'), 'utf8').trim();
    await back(made);
    const kept = await made.temp.git('for-each-ref', '--format=%(objectname)', 'refs/pawl/r/lost');
    expect(kept.split('\n')).toContain(stashed);
  });
});

describe('other refs', () => {
  test('a moved branch is reported, and its old value kept when nothing else holds it', async () => {
    await using made = await onRun(async ({ temp }) => {
      await temp.git('branch', 'theirs', 'main');
      await temp.git('switch', '-q', 'theirs');
      await temp.git('commit', '-q', '--allow-empty', '-m', 'theirs');
      await temp.git('switch', '-q', 'run');
    });
    const old = await made.oid('theirs');
    await made.temp.git('branch', '-f', 'theirs', 'main');
    const acts = await back(made);
    expect(brief(acts)).toEqual(['moved-ref reported']);
    expect(acts[0]?.kept).toBe('refs/pawl/r/lost/001');
    expect(await made.oid('refs/pawl/r/lost/001')).toBe(old);
    expect(await made.oid('theirs')).toBe(await made.oid('main'));
    expect(await back(made)).toEqual(acts);
    expect(await made.temp.git('for-each-ref', '--format=%(refname)', 'refs/pawl')).toBe(
      'refs/pawl/r/lost/001',
    );
  });

  test('a branch moved on by a fast-forward needs no keeping', async () => {
    await using made = await onRun();
    await made.temp.git('branch', '-f', 'main', 'run');
    const acts = await back(made);
    expect(brief(acts)).toEqual(['moved-ref reported']);
    expect(acts[0]?.kept).toBeUndefined();
  });

  test('a deleted annotated tag is kept as the tag it was', async () => {
    await using made = await onRun(({ temp }) => temp.git('tag', '-a', 'v1', '-m', 'one'));
    const tag = await made.oid('refs/tags/v1');
    await made.temp.git('tag', '-d', 'v1');
    const acts = await back(made);
    expect(acts[0]?.kept).toBe('refs/pawl/r/lost/001');
    expect(await made.oid('refs/pawl/r/lost/001')).toBe(tag);
  });

  test('packed refs are seen like loose ones', async () => {
    await using made = await onRun(({ temp }) => temp.git('pack-refs', '--all'));
    expect(await back(made)).toEqual([]);
    await commit(made, 'x', 'x');
    expect(brief(await back(made))).toEqual(['committed absorbed']);
    await expectStart(made);
  });

  test('a stash is reported and stays', async () => {
    await using made = await onRun();
    await made.temp.write('src/a.ts', 'work\n');
    await made.temp.git('stash', '-q');
    const acts = await back(made);
    expect(brief(acts)).toEqual(['stashed reported']);
    expect(await made.temp.git('stash', 'list')).toContain('stash@{0}');
    await expectStart(made);
  });

  test('refs that a session is known to have moved or deleted go back', async () => {
    await using made = await onRun(async ({ temp }) => {
      await temp.git('branch', 'moved', 'main');
      await temp.git('branch', 'gone', 'main');
    });
    await made.temp.git('branch', '-f', 'moved', 'run');
    await made.temp.git('branch', '-q', '-D', 'gone');
    const refs = () => made.temp.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads');
    expect(brief(await back(made, { isSessions: () => true }))).toEqual([
      'moved-ref put-back',
      'moved-ref put-back',
    ]);
    const main = await made.oid('main');
    expect(await refs()).toContain(`refs/heads/gone ${main}`);
    expect(await refs()).toContain(`refs/heads/moved ${main}`);
  });

  test('a dropped stash of the user’s is kept, also one that was not on top', async () => {
    await using made = await onRun(async ({ temp }) => {
      for (const text of ['one\n', 'two\n']) {
        await temp.write('src/a.ts', text);
        await temp.git('stash', '-q');
      }
    });
    const below = await made.oid('stash@{1}');
    await made.temp.git('stash', 'drop', '-q', 'stash@{1}');
    const acts = await back(made);
    expect(brief(acts)).toEqual(['stashed reported']);
    expect(await made.oid(acts[0]?.kept ?? '')).toBe(below);
  });

  test.each([1, 2])(
    'of %s stash entries whose list was expired each comes back as it is told',
    async (count) => {
      await using made = await onRun(async ({ temp }) => {
        for (const text of ['one\n', 'two\n'].slice(0, count)) {
          await temp.write('src/a.ts', text);
          await temp.git('stash', '-q');
        }
      });
      const list = () => made.temp.git('reflog', 'show', '--format=%H', 'refs/stash', '--');
      const was = await list();
      await made.temp.git('reflog', 'expire', '--expire=now', '--all');
      expect(await list()).toBe('');
      const acts = (await back(made)).filter((one) => !isOfLog(one));
      expect(brief(acts)).toEqual(Array(count).fill('stashed reported'));
      for (const { detail } of acts) {
        const [, command = ''] = /\((.*) brings it back\)/.exec(detail) ?? [];
        for (const words of command.split(' && ')) await made.temp.git(...words.split(' ').slice(1));
      }
      expect(await list()).toBe(was);
    },
  );

  test('a ref that only names another one since is one of its own again, and nothing that is written to it moves the other', async () => {
    await using made = await onRun(async ({ temp }) => {
      await temp.git('branch', 'mine', 'main');
      await temp.git('symbolic-ref', 'refs/heads/old-name', 'refs/heads/main');
      await temp.git('update-ref', 'refs/pawl/r/tree', 'run');
    });
    const main = await made.oid('main');
    await made.temp.git('symbolic-ref', 'refs/heads/mine', 'refs/heads/run');
    await made.temp.git('symbolic-ref', 'refs/heads/run', 'refs/heads/main');
    await made.temp.git('update-ref', 'refs/heads/main', made.start);
    await made.temp.git('symbolic-ref', 'refs/heads/new', 'refs/heads/main');
    await made.temp.git('symbolic-ref', 'refs/pawl/r/tree', 'refs/heads/main');
    const acts = await back(made);
    expect(brief(acts).filter((act) => act !== 'moved-ref reported')).toEqual(
      Array(4).fill('moved-ref put-back'),
    );
    expect(acts.map(({ detail }) => detail)).toContain(
      'refs/heads/mine was made another name of refs/heads/main',
    );
    const links = await made.temp.git('for-each-ref', '--format=%(refname)%(symref)');
    expect(links.split('\n').filter((line) => line.lastIndexOf('refs/') > 0)).toEqual([
      'refs/heads/old-namerefs/heads/main',
    ]);
    expect(await made.oid('mine')).toBe(main);
    expect(await made.oid('run')).toBe(made.start);
    expect(await back(made)).toEqual(await back(made));
    await expectStart(made);
  });

  describe('pawl’s own', () => {
    /** A rescue chain of two points, a kept file, and another run's chain. */
    const prepare = async ({ temp }: Opened) => {
      const [first = '', second = ''] = (await temp.git('rev-list', '--reverse', 'run')).split('\n');
      for (const [ref, oid] of [
        ['r/rescue', second],
        ['r/kept/001', await temp.git('rev-parse', 'run:src/a.ts')],
        ['r/tree', first],
        ['other/rescue', first],
      ])
        await temp.git('update-ref', `refs/pawl/${ref}`, oid ?? '');
      mkdirSync(path.join(temp.path, '.git/pawl/runs/other'), { recursive: true });
    };
    const own = ({ temp }: Opened) =>
      temp.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/pawl');

    test('deleted ones come back, as one act, also after a restart, and packed', async () => {
      await using made = await onRun(prepare);
      await made.temp.git('pack-refs', '--all');
      const were = await own(made);
      for (const line of were.split('\n')) await made.temp.git('update-ref', '-d', line.split(' ')[0] ?? '');
      const before = parseSnapshot(writeSnapshot(made.before, made.repo), made.repo);
      const acts = await back({ ...made, before: before ?? made.before });
      expect(brief(acts)).toEqual(['moved-ref put-back']);
      expect(acts[0]?.detail).toContain('refs/pawl/other/rescue');
      expect(await own(made)).toBe(were);
      expect(await back(made)).toEqual([]);
    });

    test('those of a run that a person cleans meanwhile stay away', async () => {
      await using made = await onRun(prepare);
      await made.temp.git('update-ref', '-d', 'refs/pawl/other/rescue');
      rmSync(path.join(made.temp.path, '.git/pawl/runs/other'), { recursive: true });
      expect(await back(made)).toEqual([]);
      expect(await own(made)).not.toContain('other');
    });

    test('one that was moved off comes back, and what was there instead is listed as an earlier point', async () => {
      await using made = await onRun(prepare);
      const [rescue, kept, first] = await Promise.all(
        ['refs/pawl/r/rescue', 'refs/pawl/r/kept/001', 'refs/pawl/r/tree'].map((ref) => made.oid(ref)),
      );
      const blob = await made.temp.git('rev-parse', 'run:src/b.ts');
      await made.temp.git('update-ref', 'refs/pawl/r/rescue', first ?? '');
      await made.temp.git('update-ref', 'refs/pawl/r/kept/001', blob);
      expect(brief(await back(made))).toEqual(['moved-ref put-back', 'moved-ref put-back']);
      expect(await made.oid('refs/pawl/r/rescue')).toBe(rescue);
      expect(await made.oid('refs/pawl/r/kept/001')).toBe(kept);
      expect(await made.oid(`refs/pawl/r/earlier/${first}`)).toBe(first);
      expect(await made.oid(`refs/pawl/r/earlier/kept/001/${blob}`)).toBe(blob);
    });

    test('what pawl itself has moved on is no act', async () => {
      await using made = await onRun(prepare);
      const later = await made.temp.git(
        'commit-tree',
        'run^{tree}',
        '-p',
        'refs/pawl/r/rescue',
        '-m',
        'point',
      );
      await made.temp.git('update-ref', 'refs/pawl/r/rescue', later);
      await made.temp.git('update-ref', 'refs/pawl/r/tree', later);
      const were = await own(made);
      expect(await back(made)).toEqual([]);
      expect(await own(made)).toBe(were);
    });

    test('a point saved since the snapshot comes back, too', async () => {
      await using made = await onRun(prepare);
      const { oid } = await saveRescue(made.repo, {
        ...{ run: 'r', reason: 'since', include: [] },
        index: path.join(made.repo.gitDir, 'rescue.index'),
      });
      await made.temp.git('update-ref', '-d', 'refs/pawl/r/rescue');
      expect(brief(await back(made))).toEqual(['moved-ref put-back']);
      expect(await made.oid('refs/pawl/r/rescue')).toBe(oid);
    });
  });

  test('many new refs are one act', async () => {
    await using made = await onRun();
    for (let at = 0; at < 9; at += 1) await made.temp.git('tag', `t${at}`);
    const acts = await back(made);
    expect(brief(acts)).toEqual(['moved-ref reported']);
    expect(acts[0]?.detail).toContain('and 4 more');
  });
});

describe('config, hooks and the rest of .git', () => {
  test('planted config is put back before git runs, and kept; harmless keys stay', async () => {
    await using made = await onRun();
    const canary = path.join(made.home, 'ran');
    const old = readFileSync(path.join(made.repo.commonDir, 'config'), 'utf8');
    for (const [key, value] of [
      ['core.fsmonitor', `touch ${canary}; false`],
      ['core.hooksPath', path.join(made.home, 'hooks')],
      ['filter.evil.clean', `touch ${canary}; cat`],
      ['core.worktree', '/tmp'],
      ['user.email', 'other@example.invalid'],
      ['include.path', '../evil.config'],
    ] as const)
      await made.temp.git('config', key, value);
    await made.temp.write('.gitattributes', '* filter=evil\n');
    await made.temp.write('src/a.ts', 'work\n');
    const acts = await back(made);
    expect(brief(acts)).toEqual(['changed-git-config put-back']);
    for (const key of [
      'core.fsmonitor',
      'core.hookspath',
      'core.worktree',
      'filter.evil.clean',
      'user.email',
    ])
      expect(acts[0]?.detail).toContain(key);
    expect(readFileSync(path.join(made.repo.commonDir, 'config'), 'utf8')).toBe(old);
    expect(await made.temp.git('show', acts[0]?.kept ?? '')).toContain('filter "evil"');
    await writeTree(made.repo, made.index, { against: made.start, rules: rules(), secret: nothingSecret });
    expect(existsSync(canary)).toBe(false);
  });

  test('an upstream that was set is ordinary work', async () => {
    await using made = await onRun();
    await made.temp.git('config', 'branch.run.merge', 'refs/heads/x');
    expect(await back(made)).toEqual([]);
    expect(await made.temp.git('config', 'branch.run.merge')).toBe('refs/heads/x');
  });

  test('a filter the user had before keeps working', async () => {
    await using made = await onRun(async ({ temp }) => {
      await temp.git('config', 'filter.up.clean', 'tr a-z A-Z');
      await temp.write('.gitattributes', '*.up filter=up\n');
      await temp.git('add', '-A');
      await temp.git('commit', '-qm', 'filter');
    });
    await made.temp.write('x.up', 'loud\n');
    expect(await back(made)).toEqual([]);
    const { tree } = await writeTree(made.repo, made.index, {
      against: made.start,
      rules: rules(),
      secret: nothingSecret,
    });
    expect(await made.temp.git('show', `${tree}:x.up`)).toBe('LOUD');
  });

  test('the user’s own config is reported, not touched', async () => {
    await using made = await onRun();
    const file = path.join(made.home, '.gitconfig');
    writeFileSync(file, '[user]\nname = x\n');
    const acts = await back(made);
    expect(brief(acts)).toEqual(['changed-git-config reported']);
    expect(readFileSync(file, 'utf8')).toBe('[user]\nname = x\n');
  });

  test('hooks that were added, changed, made executable or removed are put back', async () => {
    await using made = await onRun(async ({ repo }) => {
      for (const name of ['commit-msg', 'pre-push', 'post-commit'])
        writeFileSync(path.join(repo.commonDir, 'hooks', name), `# ${name}\n`, { mode: 0o755 });
    });
    const hook = (name: string): string => path.join(made.repo.commonDir, 'hooks', name);
    writeFileSync(hook('pre-commit'), 'planted\n', { mode: 0o755 });
    writeFileSync(hook('commit-msg'), 'changed\n');
    chmodSync(hook('post-commit'), 0o644);
    rmSync(hook('pre-push'));
    const acts = await back(made);
    expect(brief(acts)).toEqual(Array(4).fill('changed-hooks put-back'));
    expect(existsSync(hook('pre-commit'))).toBe(false);
    expect(readFileSync(hook('commit-msg'), 'utf8')).toBe('# commit-msg\n');
    expect(statSync(hook('pre-push')).mode & 0o777).toBe(0o755);
    expect(statSync(hook('post-commit')).mode & 0o777).toBe(0o755);
  });

  test('a hooks folder in the work tree is put back, but for what the task owns', async () => {
    await using made = await onRun(({ temp }) => temp.git('config', 'core.hooksPath', '.githooks'));
    await made.temp.write('.githooks/pre-push', 'planted\n');
    expect(brief(await back(made, { owns: (file) => file === '.githooks/pre-push' }))).toEqual([
      'changed-hooks reported',
    ]);
    expect(await made.temp.read('.githooks/pre-push')).toBe('planted\n');
    expect(brief(await back(made))).toEqual(['changed-hooks put-back']);
    expect(await made.temp.read('.githooks/pre-push')).toBe('#!/bin/sh\n');
  });

  test('of two planted files of one name, taken away in one instant, both are kept', async () => {
    await using made = await onRun(({ temp }) => temp.git('config', 'core.hooksPath', '.githooks'));
    await made.temp.write('.githooks/pre-commit', 'one\n');
    await made.temp.write('.git/hooks/pre-commit', 'two\n');
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      expect(brief(await back(made))).toEqual(Array(2).fill('changed-hooks put-back'));
    } finally {
      vi.useRealTimers();
    }
    const aside = path.join(made.repo.commonDir, 'pawl', 'aside');
    const kept = readdirSync(aside).map((name) => readFileSync(path.join(aside, name), 'utf8'));
    expect(kept.sort()).toEqual(['one\n', 'two\n']);
  });

  test.each(['hooks', 'info'])(
    '%s made a symlink: the link goes, nothing is written through it',
    async (name) => {
      await using made = await onRun(async ({ repo }) => {
        writeFileSync(path.join(repo.commonDir, 'hooks', 'pre-push'), '# mine\n');
        writeFileSync(path.join(repo.commonDir, 'info', 'exclude'), '*.log\n');
      });
      const folder = path.join(made.repo.commonDir, name);
      rmSync(folder, { recursive: true });
      symlinkSync(made.home, folder);
      const acts = await back(made);
      expect(acts.every(({ response }) => response === 'put-back')).toBe(true);
      expect(existsSync(path.join(made.home, name === 'hooks' ? 'pre-push' : 'exclude'))).toBe(false);
      expect(existsSync(path.join(folder, name === 'hooks' ? 'pre-push' : 'exclude'))).toBe(true);
    },
  );

  test('.git/config made a symlink to a file of the user’s', async () => {
    await using made = await onRun();
    const config = path.join(made.repo.commonDir, 'config');
    const old = readFileSync(config, 'utf8');
    const target = path.join(made.home, '.bashrc');
    writeFileSync(target, 'precious\n');
    rmSync(config);
    symlinkSync(target, config);
    expect(brief(await back(made))).toEqual(['changed-git-config put-back']);
    expect(readFileSync(target, 'utf8')).toBe('precious\n');
    expect(readFileSync(config, 'utf8')).toBe(old);
  });

  test('files hidden by ignore rules or index flags are seen again', async () => {
    await using made = await onRun();
    writeFileSync(path.join(made.repo.commonDir, 'info', 'exclude'), 'hidden.ts\n');
    await made.temp.git('update-index', '--assume-unchanged', 'src/a.ts');
    await made.temp.git('update-index', '--skip-worktree', 'src/b.ts');
    await made.temp.write('hidden.ts', 'x');
    await made.temp.write('src/a.ts', 'x');
    await made.temp.write('src/b.ts', 'x');
    expect(brief(await back(made))).toEqual(['changed-git-config put-back', 'changed-git-config put-back']);
    expect(await made.temp.git('status', '--porcelain')).toBe(' M src/a.ts\n M src/b.ts\n?? hidden.ts');
  });

  test('what a sparse checkout took out of the working tree is back', async () => {
    await using made = await onRun();
    await made.temp.write('src/a.ts', 'work\n');
    await made.temp.git('sparse-checkout', 'set', '--no-cone', '/.githooks/');
    expect(existsSync(path.join(made.repo.root, 'src/b.ts'))).toBe(false);
    const acts = await back(made);
    expect(acts.at(-1)?.detail).toBe(
      'git was told not to look at changes of README.md, src/b.ts; what it had left out of the working tree is back',
    );
    expect(await made.temp.git('status', '--porcelain')).toBe(' M src/a.ts');
    expect(await made.temp.read('src/b.ts')).toBe('b\n');
  });

  test('a history that is cut off is told, and left as it may be', async () => {
    await using made = await onRun();
    const file = path.join(made.repo.commonDir, 'shallow');
    writeFileSync(file, `${made.start}\n`);
    expect(await back(made)).toMatchObject([
      { act: 'changed-git-config', detail: '.git/shallow', response: 'reported' },
    ]);
    expect(existsSync(file)).toBe(true);
  });

  test('a lock that a dead git left is removed and told', async () => {
    await using made = await onRun();
    writeFileSync(path.join(made.repo.gitDir, 'index.lock'), '');
    await commit(made, 'x', 'x').catch(() => {});
    const acts = await back(made);
    expect(acts[0]).toMatchObject({ act: 'left-process', response: 'put-back' });
    await expectStart(made);
  });

  test.each([
    ['removed', async (made: Opened) => rmSync(made.repo.gitDir, { recursive: true })],
    [
      'made anew',
      async (made: Opened) => {
        rmSync(made.repo.gitDir, { recursive: true });
        // It may take the inode of the one before.
        await made.temp.git('init', '-q');
      },
    ],
    [
      'a file',
      async (made: Opened) => {
        rmSync(made.repo.gitDir, { recursive: true });
        await made.temp.write('.git', `gitdir: ${made.home}\n`);
      },
    ],
  ])('.git %s is a failure that names it', async (_, breakIt) => {
    await using made = await onRun();
    await breakIt(made);
    await expect(back(made)).rejects.toMatchObject({ code: 'git', message: expect.stringContaining('.git') });
  });
});

test('a snapshot survives as text', async () => {
  await using made = await onRun(({ temp }) => temp.git('config', 'core.hooksPath', '.githooks'));
  const read = parseSnapshot(writeSnapshot(made.before, made.repo), made.repo);
  if (!read) throw new Error('it was not read');
  expect(read).toEqual({ ...made.before, guarded: { ...made.before.guarded, identity: undefined } });
  await made.temp.git('config', 'core.hooksPath', 'x');
  await commit(made, 'x', 'x');
  const { violations: acts } = await restoreRepository(made.repo, read, { run: 'r', branch: 'run' });
  expect(brief(acts)).toEqual(['changed-git-config put-back', 'committed absorbed']);
  await expectStart(made);
  expect(parseSnapshot(writeSnapshot(made.before, { root: '/elsewhere' }), made.repo)).toBeUndefined();
});

test('a linked worktree keeps to its own HEAD', async () => {
  await using made = await openTemp({ files });
  const tree = path.join(made.home, 'tree');
  await made.temp.git('worktree', 'add', '-q', '-b', 'run', tree);
  const repo = await openRepo(tree, depsOf(made.home));
  const before = await takeSnapshot(repo);
  writeFileSync(path.join(tree, 'new.ts'), 'x');
  await repo.write('test', ['add', '-A']);
  await repo.write('test', ['-c', 'user.name=a', '-c', 'user.email=b', 'commit', '-qm', 'agent']);
  const { violations: acts } = await restoreRepository(repo, before, { run: 'r', branch: 'run' });
  expect(brief(acts)).toEqual(['committed absorbed']);
  expect((await repo.git(['rev-parse', 'HEAD'])).trim()).toBe(before.head);
  expect(await made.temp.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
});

describe('what nothing brings back is named', () => {
  test.each([
    ['a push', 'git push -q origin run:main', ['pushed reported']],
    ['a fetch is none', 'git fetch -q origin', []],
    [
      'another working tree, removed',
      'git worktree remove --force $HOME/other',
      ['changed-worktree reported'],
    ],
    ['the same, by hand', 'rm -rf $HOME/other', ['changed-worktree reported']],
    [
      'another branch there',
      'git -C $HOME/other switch -q -c theirs',
      ['changed-worktree reported', 'moved-ref reported'],
    ],
    ['reflogs', 'git reflog expire --expire=now --all', ['expired-reflog reported']],
  ])('%s', async (_, command, acts) => {
    await using made = await onRun(async ({ temp, home }) => {
      await temp.git('init', '-q', '--bare', `${home}/origin.git`);
      await temp.git('remote', 'add', 'origin', `${home}/origin.git`);
      await temp.git('push', '-q', 'origin', 'main');
      await temp.git('worktree', 'add', '-q', '--detach', `${home}/other`, 'main');
      await temp.git('push', '-q', `${home}/origin.git`, 'run:refs/heads/new');
    });
    execFileSync('sh', ['-c', command], { cwd: made.temp.path, env: { ...process.env, ...made.repo.env } });
    expect(brief(await back(made))).toEqual(acts);
    expect(
      brief(
        await back({
          ...made,
          before: parseSnapshot(writeSnapshot(made.before, made.repo), made.repo) ?? made.before,
        }),
      ),
    ).toEqual(acts);
  });
});
