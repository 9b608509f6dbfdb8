import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
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
import { isSoak } from '../../helpers/share.ts';
import { depsOf, type Opened, openTemp, sh as run } from '../open.ts';

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
  return restoreRepository(made.repo, made.before, { run: 'r', branch: 'run', ...over });
}

const isOfLog = ({ act }: Violation): boolean => act === 'expired-reflog';

const brief = (acts: readonly Violation[]): string[] =>
  acts.map(({ act, response, red }) => `${act} ${response}${red === undefined ? '' : ' red'}`);

async function commit(made: Opened, file: string, content: string): Promise<string> {
  await made.temp.write(file, content);
  await made.temp.commit(`agent: ${file}`);
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

/** What a session did, as a script, and what is found and put back; afterwards HEAD is on `run` at the start, nothing staged. */
type Deed = Readonly<{
  name: string;
  /** Before the session. */
  given?: string;
  did: string;
  acts?: readonly string[];
  first?: Partial<Violation>;
  over?: Partial<ViolationRestore>;
  /** Of commands that succeed. */
  holds?: string;
  /** The next look finds the same. */
  twice?: boolean;
}>;

const side = 'git switch -q -c side main; echo side > src/a.ts; save; git switch -q run';

/** A rescue chain of two points, a kept file, and another run's chain. */
const ownRefs = `git update-ref refs/pawl/r/rescue run; git update-ref refs/pawl/r/kept/001 run:src/a.ts
git update-ref refs/pawl/r/tree run~1; git update-ref refs/pawl/other/rescue run~1
mkdir -p .git/pawl/runs/other; refs > $HOME/were`;

/** A remote and another working tree: what is done there is only named, since nothing brings it back. */
const beside = `git init -q --bare $HOME/origin.git; git remote add origin $HOME/origin.git
git push -q origin main; git worktree add -q --detach $HOME/other main; git push -q $HOME/origin.git run:refs/heads/new`;

const deeds: readonly Deed[] = [
  { name: 'nothing', did: ':', acts: [] },
  { name: 'work without a commit', did: 'echo work > src/a.ts', acts: [], holds: 'has src/a.ts work' },
  {
    name: 'commits on the run’s branch',
    did: 'echo one > src/a.ts; save; echo two > src/new.ts; save; note',
    acts: ['committed absorbed'],
    first: { detail: '2 commits on run', kept: 'refs/pawl/r/absorbed/001' },
    holds: "noted refs/pawl/r/absorbed/001; has src/new.ts two; shows ' M src/a.ts' '?? src/new.ts'",
  },
  {
    name: 'commits on another branch that is not checked out any more',
    did: 'git switch -q -c feature; echo work > src/new.ts; save; note; git switch -q run',
    acts: ['moved-ref reported'],
    first: { detail: expect.stringContaining('refs/heads/feature') },
    holds: 'noted feature',
  },
  {
    name: 'commits on another branch that is checked out, whose new files stay in the tree',
    did: 'git switch -q -c feature; echo work > src/new.ts; save; note',
    acts: ['switched-branch put-back', 'committed absorbed'],
    holds: "noted feature; has src/new.ts work; shows '?? src/new.ts'",
  },
  { name: 'nothing, where refs are packed', given: 'git pack-refs --all', did: ':', acts: [] },
  {
    name: 'a commit, where refs are packed',
    given: 'git pack-refs --all',
    did: 'echo x > x; save',
    acts: ['committed absorbed'],
  },
  {
    name: 'commits on a detached HEAD',
    did: 'git checkout -q --detach; echo x > x; save; note',
    acts: ['switched-branch put-back', 'committed absorbed'],
    holds: 'noted refs/pawl/r/absorbed/001',
  },
  {
    name: 'another branch on the same commit',
    did: 'git switch -q -c other; echo work > src/a.ts',
    acts: ['switched-branch put-back'],
    holds: 'has src/a.ts work',
  },
  {
    name: 'commits on the run’s branch, and HEAD at its start',
    did: 'echo x > x; save; note; git checkout -q --detach HEAD~1',
    acts: ['switched-branch put-back', 'moved-ref put-back'],
    holds: 'noted refs/pawl/r/absorbed/001',
  },
  {
    name: 'the run’s branch deleted',
    did: 'echo work > src/a.ts; git update-ref -d refs/heads/run',
    acts: ['moved-ref put-back'],
    holds: 'has src/a.ts work',
  },
  { name: 'an unreadable HEAD', did: 'echo garbage > .git/HEAD', acts: ['switched-branch put-back'] },
  {
    name: 'a HEAD that is a link out of the repository, which is never written through',
    did: 'echo precious > $HOME/precious; ln -sf $HOME/precious .git/HEAD',
    holds: 'has $HOME/precious precious',
  },
  {
    name: 'an amend below the start, which is saved',
    did: 'echo amended > src/a.ts; git commit -qa --amend -m amended; note; echo new > src/new.ts; echo mine > mine.txt',
    over: { keep: new Set(['mine.txt']) },
    acts: ['rewrote-history put-back red'],
    first: { kept: 'refs/pawl/r/absorbed/001' },
    holds: `noted refs/pawl/r/absorbed/001; has src/a.ts a2; fails test -e src/new.ts; has mine.txt mine
git show refs/pawl/r/rescue:src/new.ts | grep -qx new; git show refs/pawl/r/rescue:src/a.ts | grep -qx amended`,
  },
  {
    name: 'a reset, where no new file is removed without knowing the user’s',
    did: 'git reset -q --hard HEAD~1; echo new > new.ts',
    acts: ['rewrote-history put-back red'],
    holds: 'has src/a.ts a2; has new.ts new',
  },
  {
    name: 'the default branch, which lacks the run’s work',
    did: 'git switch -q main',
    acts: ['switched-branch put-back red'],
    holds: 'has src/a.ts a2',
  },
  {
    name: 'an orphan branch with a commit',
    did: 'git checkout -q --orphan fresh; git commit -qm root',
    acts: ['switched-branch put-back red'],
  },
  {
    name: 'an orphan branch without a commit',
    did: 'git switch -q --orphan fresh; fails test -e src/a.ts',
    acts: ['switched-branch put-back red'],
    holds: 'has src/a.ts a2',
  },
  ...['merge', 'rebase', 'cherry-pick'].map((operation) => ({
    name: `a ${operation} in conflict, which is saved`,
    given: side,
    did: `fails git ${operation} side`,
    acts: ['merge-in-progress put-back red'],
    first: { red: expect.stringContaining(operation) },
    holds: `has src/a.ts a2; git status > $HOME/said; fails grep 'in progress' $HOME/said
git show refs/pawl/r/rescue:src/a.ts | grep -q '<<<<<<<'`,
  })),
  {
    name: 'a revert in conflict',
    did: 'echo a3 > src/a.ts; save; fails git revert --no-edit HEAD~1',
    acts: ['merge-in-progress put-back red'],
    holds: 'has src/a.ts a2',
  },
  {
    name: 'a bisect',
    did: 'git bisect start HEAD main > $HOME/said',
    acts: ['merge-in-progress put-back red'],
    holds: 'fails test -e .git/BISECT_LOG',
  },
  {
    name: 'what a rebase had stashed away by itself',
    given: side,
    did: 'echo uncommitted > src/b.ts; fails git rebase --autostash side; cp .git/rebase-merge/autostash $HOME/noted',
    holds: "git for-each-ref --format='%(objectname)' refs/pawl/r/lost | grep -qxf $HOME/noted",
  },
  {
    name: 'a branch moved on, which needs no keeping',
    did: 'git branch -f main run',
    acts: ['moved-ref reported'],
    holds: 'fails git rev-parse --verify refs/pawl/r/lost/001',
  },
  {
    name: 'an annotated tag deleted, which is kept as the tag it was',
    given: 'git tag -a v1 -m one',
    did: 'note refs/tags/v1; git tag -d v1 > $HOME/said',
    acts: ['moved-ref reported'],
    first: { kept: 'refs/pawl/r/lost/001' },
    holds: 'noted refs/pawl/r/lost/001',
  },
  {
    name: 'a stash, which stays',
    did: 'echo work > src/a.ts; git stash -q',
    acts: ['stashed reported'],
    holds: "git stash list | grep -q 'stash@{0}'",
  },
  {
    name: 'refs that a session is known to have moved or deleted',
    given: 'git branch moved main; git branch gone main',
    did: 'git branch -f moved run; git branch -q -D gone; note main',
    over: { isSessions: () => true },
    acts: ['moved-ref put-back', 'moved-ref put-back'],
    holds: 'noted moved; noted gone',
  },
  {
    name: 'an object replaced by another, which is taken back',
    did: 'git replace HEAD HEAD~1',
    acts: ['moved-ref put-back'],
    holds: 'test -z "$(git for-each-ref refs/replace)"',
  },
  {
    name: 'a stash of the user’s dropped that was not on top',
    given: 'for text in one two; do echo $text > src/a.ts; git stash -q; done',
    did: 'note stash@{1}; git stash drop -q stash@{1}',
    acts: ['stashed reported'],
    first: { kept: 'refs/pawl/r/lost/001' },
    holds: 'noted refs/pawl/r/lost/001',
  },
  {
    name: 'many new refs, as one act',
    did: 'for at in 1 2 3 4 5 6 7 8 9; do git tag t$at; done',
    acts: ['moved-ref reported'],
    first: { detail: expect.stringContaining('and 4 more') },
  },
  {
    name: 'an upstream, which is ordinary work',
    did: 'git config branch.run.merge refs/heads/x',
    acts: [],
    holds: 'git config branch.run.merge | grep -qx refs/heads/x',
  },
  {
    name: 'the user’s own config, which is not touched',
    did: "printf '[user]\\nname = x\\n' > $HOME/.gitconfig; cp $HOME/.gitconfig $HOME/was",
    acts: ['changed-git-config reported'],
    holds: 'cmp $HOME/.gitconfig $HOME/was',
  },
  {
    name: 'a config that is a link to a file of the user’s',
    did: 'cp .git/config $HOME/was; echo precious > $HOME/.bashrc; ln -sf $HOME/.bashrc .git/config',
    acts: ['changed-git-config put-back'],
    holds: 'has $HOME/.bashrc precious; cmp .git/config $HOME/was',
  },
  {
    name: 'files hidden by ignore rules and index flags',
    did: `echo hidden.ts > .git/info/exclude; echo x > hidden.ts
git update-index --assume-unchanged src/a.ts; git update-index --skip-worktree src/b.ts
echo x > src/a.ts; echo x > src/b.ts`,
    acts: ['changed-git-config put-back', 'changed-git-config put-back'],
    holds: "shows ' M src/a.ts' ' M src/b.ts' '?? hidden.ts'",
  },
  {
    name: 'a history that is cut off, which is left as it may be',
    did: 'git rev-parse HEAD > .git/shallow',
    acts: ['changed-git-config reported'],
    first: { detail: '.git/shallow' },
    holds: 'test -e .git/shallow',
  },
  {
    name: 'pawl’s refs of a run that a person has cleaned away, which stay away',
    given: ownRefs,
    did: 'git update-ref -d refs/pawl/other/rescue; rm -r .git/pawl/runs/other',
    acts: [],
    holds: 'fails git rev-parse --verify refs/pawl/other/rescue',
  },
  {
    name: 'pawl’s refs moved off, where what was there instead is listed as an earlier point',
    given: ownRefs,
    did: 'git update-ref refs/pawl/r/rescue run~1; git update-ref refs/pawl/r/kept/001 run:src/b.ts',
    acts: ['moved-ref put-back', 'moved-ref put-back'],
    holds: `refs | grep -v /earlier/ | cmp - $HOME/were
note run~1; noted refs/pawl/r/earlier/$(cat $HOME/noted)
note run:src/b.ts; noted refs/pawl/r/earlier/kept/001/$(cat $HOME/noted)`,
  },
  {
    name: 'pawl’s refs that pawl itself has moved on, which is no act',
    given: ownRefs,
    did: `later=$(git commit-tree run^{tree} -p refs/pawl/r/rescue -m point)
git update-ref refs/pawl/r/rescue $later; git update-ref refs/pawl/r/tree $later; refs > $HOME/were`,
    acts: [],
    holds: 'refs | cmp - $HOME/were',
  },
  {
    name: 'planted config, which is put back before git runs, and kept',
    did: `cp .git/config $HOME/was
git config core.fsmonitor "touch $HOME/ran; false"; git config core.hooksPath $HOME/hooks
git config filter.evil.clean "touch $HOME/ran; cat"; git config core.worktree /tmp
git config user.email other@example.invalid; git config include.path ../evil.config
echo '* filter=evil' > .gitattributes; echo work > src/a.ts`,
    acts: ['changed-git-config put-back'],
    first: {
      kept: 'refs/pawl/r/kept/001',
      detail:
        'core.fsmonitor, core.hookspath, core.worktree, filter.evil.clean, include.path, user.email in .git/config',
    },
    holds: `cmp .git/config $HOME/was; git show refs/pawl/r/kept/001 | grep -q 'filter "evil"'
git add -A; fails test -e $HOME/ran`,
  },
  {
    name: 'hooks added, changed, made executable or removed',
    given:
      'cd .git/hooks; for name in commit-msg pre-push post-commit; do echo "# $name" > $name; chmod 755 $name; done',
    did: `cd .git/hooks; echo planted > pre-commit; chmod 755 pre-commit
echo changed > commit-msg; chmod 644 post-commit; rm pre-push`,
    acts: Array(4).fill('changed-hooks put-back'),
    holds: `cd .git/hooks; fails test -e pre-commit; has commit-msg '# commit-msg'
ls -l pre-push post-commit | grep -c ^-rwxr-xr-x | grep -qx 2`,
  },
  {
    name: 'a hook in the work tree',
    given: 'git config core.hooksPath .githooks',
    did: 'echo planted > .githooks/pre-push',
    acts: ['changed-hooks put-back'],
    holds: "has .githooks/pre-push '#!/bin/sh'",
  },
  {
    name: 'one that the task owns',
    given: 'git config core.hooksPath .githooks',
    did: 'echo planted > .githooks/pre-push',
    over: { owns: (file) => file === '.githooks/pre-push' },
    acts: ['changed-hooks reported'],
    holds: 'has .githooks/pre-push planted',
  },
  ...[
    ['hooks/pre-push', 'changed-hooks'],
    ['info/exclude', 'changed-git-config'],
  ].map(([file = '', act]) => ({
    name: `a link in place of the folder of ${file}, through which nothing is written`,
    given: "echo '# mine' > .git/hooks/pre-push; echo '*.log' > .git/info/exclude",
    did: `rm -r .git/${path.dirname(file)}; ln -s $HOME .git/${path.dirname(file)}`,
    acts: Array(2).fill(`${act} put-back`),
    holds: `fails test -e $HOME/${path.basename(file)}; test -f .git/${file}`,
  })),
  {
    name: 'a branch moved off a commit that nothing else holds, which is kept once',
    given: 'git switch -q -c theirs main; git commit -q --allow-empty -m theirs; git switch -q run',
    did: 'note theirs; git branch -f theirs main',
    acts: ['moved-ref reported'],
    first: { kept: 'refs/pawl/r/lost/001' },
    holds: `noted refs/pawl/r/lost/001; git show -s --format=%s theirs | grep -qx start
git for-each-ref --format='%(refname)' refs/pawl | grep -c . | grep -qx 1`,
    twice: true,
  },
  {
    name: 'refs made other names of others, which keep their values as their own: nothing written to them moves the others',
    given: `git branch mine $(git commit-tree -p main -m own main^{tree}); git rev-parse mine > $HOME/mine
git symbolic-ref refs/heads/old-name refs/heads/main; git update-ref refs/pawl/r/tree run`,
    did: `note run; git symbolic-ref refs/heads/mine refs/heads/run; git symbolic-ref refs/heads/run refs/heads/main
git update-ref refs/heads/main $(cat $HOME/noted); git symbolic-ref refs/heads/new refs/heads/main
git symbolic-ref refs/pawl/r/tree refs/heads/main`,
    acts: Array(4).fill('moved-ref reported'),
    holds: `git for-each-ref --format='%(refname) %(symref)' | grep 'refs/.* refs/' > $HOME/links
echo refs/heads/old-name refs/heads/main | cmp - $HOME/links; noted run; git rev-parse refs/pawl/r/lost/001 | cmp - $HOME/mine`,
    twice: true,
  },
  {
    name: 'pawl’s refs deleted, also packed ones',
    given: `${ownRefs}; git pack-refs --all`,
    did: 'refs | cut -d " " -f 1 | while read -r ref; do git update-ref -d $ref; done',
    acts: ['moved-ref put-back'],
    first: { detail: expect.stringContaining('refs/pawl/other/rescue') },
    holds: 'refs | cmp - $HOME/were',
  },
  {
    name: 'a filter the user had before, which keeps working',
    given: "git config filter.up.clean 'tr a-z A-Z'; echo '*.up filter=up' > .gitattributes; save",
    did: 'echo loud > x.up',
    acts: [],
    holds: 'git add x.up; git show :x.up | grep -qx LOUD',
  },
  {
    name: 'what a sparse checkout took out of the working tree',
    did: 'echo work > src/a.ts; git sparse-checkout set --no-cone /.githooks/; fails test -e src/b.ts',
    acts: Array(4).fill('changed-git-config put-back'),
    holds: "shows ' M src/a.ts'; has src/b.ts b",
  },
  ...(
    [
      ['a push', 'git push -q origin run:main', ['pushed reported']],
      ['a fetch, which is no push', 'git fetch -q origin', []],
      ['a working tree removed', 'git worktree remove --force $HOME/other', ['changed-worktree reported']],
      ['a working tree removed by hand', 'rm -rf $HOME/other', ['changed-worktree reported']],
      [
        'another branch in a working tree',
        'git -C $HOME/other switch -q -c theirs',
        ['changed-worktree reported', 'moved-ref reported'],
      ],
      ['reflogs', 'git reflog expire --expire=now --all', ['expired-reflog reported']],
    ] as const
  ).map(([name, did, acts]) => ({ name, given: beside, did, acts })),
  {
    name: 'a lock that a dead git left',
    did: ': > .git/index.lock; echo x > x; fails git add -A',
    first: { act: 'left-process', response: 'put-back' },
  },
];

const words = `note() { git rev-parse "\${1:-HEAD}" > "$HOME/noted"; }
noted() { test "$(git rev-parse "$1")" = "$(cat "$HOME/noted")"; }
has() { echo "$2" | cmp - "$1"; }
shows() { printf '%s\\n' "$@" > "$HOME/wanted"; git status --porcelain | cmp - "$HOME/wanted"; }
refs() { git for-each-ref --format='%(refname) %(objectname)' refs/pawl; }
save() { git add -A; git commit -qm work; }
`;

const sh = (made: Opened, script: string): void => run(made, words + script);

test.each(deeds)('$name', async ({ given, did, acts, first, over, holds, twice }) => {
  await using made = await onRun(given === undefined ? undefined : async (one) => sh(one, given));
  sh(made, did);
  const found = await back(made, over);
  if (acts) expect(brief(found)).toEqual(acts);
  if (first) expect(found[0]).toMatchObject(first);
  await expectStart(made);
  if (twice) expect(await back(made, over)).toEqual(await back(made, over));
  if (holds !== undefined) sh(made, holds);
});

test('what pawl itself has pushed meanwhile is no push, anything else there is', async () => {
  await using made = await onRun(async (one) => sh(one, beside));
  sh(made, 'git push -q origin run');
  const backWith = (head: string) => back(made, { pushed: { ref: 'refs/remotes/origin/run', head } });
  expect(await backWith(made.start)).toEqual([]);
  expect(brief(await backWith('f'.repeat(40)))).toEqual(['pushed reported']);
});

test('what would be lost is not restored, and HEAD stays where it was left: the next look sees the same', async () => {
  await using made = await onRun();
  await made.temp.git('switch', '-q', 'main');
  await made.temp.write('big.bin', 'x'.repeat(11_000_000));
  const over = { keep: new Set<string>() };
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

test('a point saved since the snapshot comes back, too', async () => {
  await using made = await onRun(async (one) => sh(one, ownRefs));
  const { oid } = await saveRescue(made.repo, {
    ...{ run: 'r', reason: 'since' },
    index: path.join(made.repo.gitDir, 'rescue.index'),
  });
  await made.temp.git('update-ref', '-d', 'refs/pawl/r/rescue');
  expect(brief(await back(made))).toEqual(['moved-ref put-back']);
  expect(await made.oid('refs/pawl/r/rescue')).toBe(oid);
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

test.each(['rm -r .git', 'rm -r .git; git init -q', 'rm -r .git; echo "gitdir: $HOME" > .git'])(
  'a failure names .git after: %s',
  async (did) => {
    await using made = await onRun();
    sh(made, did);
    const named = { code: 'git', message: expect.stringContaining('.git') };
    await expect(back(made)).rejects.toMatchObject(named);
  },
);

test('a snapshot survives as bytes; torn, or of an earlier version, it is a failure', async () => {
  await using made = await onRun(({ temp }) => temp.git('config', 'core.hooksPath', '.githooks'));
  const read = parseSnapshot(writeSnapshot(made.before, made.repo), made.repo);
  if (!read) throw new Error('it was not read');
  expect(read).toEqual({ ...made.before, guarded: { ...made.before.guarded, identity: undefined } });
  await made.temp.git('config', 'core.hooksPath', 'x');
  await commit(made, 'x', 'x');
  const acts = await restoreRepository(made.repo, read, { run: 'r', branch: 'run' });
  expect(brief(acts)).toEqual(['changed-git-config put-back', 'committed absorbed']);
  await expectStart(made);
  expect(parseSnapshot(writeSnapshot(made.before, { root: '/elsewhere' }), made.repo)).toBeUndefined();
  for (const bytes of [writeSnapshot(made.before, made.repo).subarray(0, -1), Buffer.from('{}'), Buffer.of()])
    expect(() => parseSnapshot(bytes, made.repo)).toThrow('cannot be read');
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
  const acts = await restoreRepository(repo, before, { run: 'r', branch: 'run' });
  expect(brief(acts)).toEqual(['committed absorbed']);
  expect((await repo.git(['rev-parse', 'HEAD'])).trim()).toBe(before.head);
  expect(await made.temp.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
});
