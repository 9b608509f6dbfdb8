// What a person does in the run's own tree while it works there: what changes beside a session is its work, and pointed out;
// what changes while none works is kept, put back and named, and costs nobody's answer; another branch, or other commits,
// stop the run before it writes anything.
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import {
  act,
  actBeside,
  endAt,
  expectNoProcess,
  killAt,
  makeNight,
  type Night,
  startTo,
} from '../helpers/night.ts';
import { asidesOf, type Ended, expectExit, factsOf, type Scene, tell } from '../helpers/pawl.ts';
import { answersTo, complaint, fixer, makeReview, reviewer } from '../helpers/review.ts';
import { inSoak, share } from '../helpers/share.ts';
import { actsOf, readRun } from '../helpers/story.ts';

const waits: Step = { bash: 'while [ ! -e .git/go ]; do sleep 0.05; done' };
const waitsFor2: Step = { bash: 'while [ ! -e .git/go2 ]; do sleep 0.05; done' };
/** Waits in a reviewer's checkout, which has another git folder. */
const waitsFor = (root: string): Step => ({ bash: `while [ ! -e '${root}/.git/go' ]; do sleep 0.05; done` });

/** What they wrote into README.md is kept; `left`: what git's status shows. */
async function expectPutBack({ repo }: Scene, ended: Ended, left = '?? new.txt'): Promise<void> {
  expect(actsOf(ended)).toEqual(['changed-tree → put-back']);
  expect(await repo.git('status', '--porcelain')).toBe(left);
  const { kept = '' } = factsOf(ended, 'act-found')[0] ?? {};
  expect(await repo.git('show', `${kept}:README.md`)).toBe('read me\nby hand');
}

async function runBeside(scene: Scene, reviewerOrTask: 'review' | 'task', command: string): Promise<Ended> {
  const running = scene.startRun();
  await Promise.race([
    running.until('session-ready', ({ session }) => session === (reviewerOrTask === 'task' ? 1 : 2)),
    running.ended,
  ]);
  await act(scene, `${command}; touch .git/go`);
  return running.ended;
}

test('what pawl prints into files of the tree stays whole, also after a kill, and is no work', async () => {
  const into = '"$0" "$@" 2> "$(mktemp err.XXXX)" | tee --append night.log';
  await using scene = await makeNight({
    enter: () => ['bash', '-o', 'pipefail', '-c', into],
    env: killAt('journal turn-ended#1'),
  });
  const { repo } = scene;
  await expectExit(137, scene.run());
  const before = await repo.read('night.log');
  const ended = await expectExit(0, scene.again());
  expect(actsOf(ended)).toEqual([]);
  expect(factsOf(ended, 'files-made')).toMatchObject([{ by: 'start' }]);
  expect(await repo.read('night.log')).toBe(before + ended.stdout);
  expect(await repo.git('ls-files')).toBe('README.md\na.txt\nb.txt\ndocs/plans/plan.md');
});

describe('while a task’s session works', () => {
  const files = { 'README.md': 'read me\n' };
  const appends = 'echo by hand >> README.md';

  test('a tracked file that a person changes is part of the work, and is pointed out, but not where the task names it', async () => {
    await using scene = await makeNight({
      plan: letterPlan('a', 'b').replace('- check: `grep -qx b', '- files: README.md, b.txt\n$&'),
      files,
      turns: [onTask('a', [waits, write('a'), done]), onTask('b', [waitsFor2, write('b'), done])],
    });
    const running = scene.startRun();
    await running.until('session-ready');
    await act(scene, `${appends}; touch .git/go`);
    await running.until('session-ready', ({ session }) => session === 2);
    await act(scene, `${appends}; touch .git/go2`);
    const ended = await expectExit(0, running.ended);
    expect(await scene.repo.git('show', 'HEAD:README.md')).toBe('read me\nby hand\nby hand');
    const [first, second] = factsOf(ended, 'task-closed');
    expect(first).toMatchObject({ unnamed: ['README.md'] });
    expect(second).not.toHaveProperty('unnamed');
    expect(await readRun(scene)).toContain('README.md changed, but no tool call named it');
  });

  test('if it is the only change, the task asks instead of closing by it, and an answer settles it', async () => {
    await using scene = await makeNight({
      plan: '# Plan: P\n\n### Task 1: Write a\n- check: `true`\n- [ ] Write a\n',
      files,
      // It thinks, since a command could have made the change.
      turns: [
        { when: '### Task 1', once: true, steps: [{ think: 5_000 }, done] },
        { when: '### Task 1', steps: [done] },
      ],
    });
    const ended = await runBeside(scene, 'task', appends);
    expect(factsOf(ended, 'task-closed'), tell(ended)).toEqual([]);
    expect(asidesOf(ended, 'parked')).toMatchObject([{ reason: expect.stringContaining('README.md') }]);
    await expectExit(0, scene.pawl('answer', '1', 'That was me, and it is all there is to do.'));
    await expectExit(0, scene.again());
    expect(await scene.repo.git('show', 'HEAD:README.md')).toBe('read me\nby hand');
  });
});

test('killed while a task’s session works, and a person edits before the next start: the work still counts, with the edit', async () => {
  await using scene = await makeNight({
    plan: letterPlan('a'),
    files: { 'README.md': 'read me\n' },
    turns: [onTask('a', [write('a'), waits])],
  });
  await endAt(scene, 'a.txt');
  await expectNoProcess(scene);
  await act(scene, 'echo by hand >> README.md');
  const ended = await expectExit(0, scene.again());
  expect(factsOf(ended, 'session-started')).toEqual([]);
  expect(await scene.repo.git('show', 'HEAD:README.md')).toBe('read me\nby hand');
});

describe('while checks run', () => {
  /** Waits, the first time that a file is there or not, until a person has acted. */
  const slow =
    'if [ "$(ls b.txt 2>/dev/null)" = "$1" ] && [ ! -e .git/go ] && [ -e .git/pawl ]; then touch .git/reached; while [ ! -e .git/go ]; do sleep 0.05; done; fi\n';
  const format = 'tr a-z A-Z < log.md > .git/log && cat .git/log > log.md\n';
  const night = (when: '' | 'b.txt', extra = ''): Promise<Night> =>
    makeNight({
      plan: letterPlan('b').replaceAll('`grep', `\`sh slow.sh "${when}"; ${extra}grep`),
      files: {
        'slow.sh': slow,
        'format.sh': format,
        'README.md': 'read me\n',
        'log.md': 'log\n',
        'gone.txt': 'x\n',
      },
    });

  test.each(
    share(
      [
        ['b.txt', 'sh format.sh; ', 'b.txt\nlog.md'],
        ['', '', 'b.txt'],
        ['b.txt', '', 'b.txt'],
      ] as const,
      3,
    ),
  )(
    'what a person changes is kept, put back and named, and in no commit, and what a check itself writes is part of the work (%s, %s)',
    async (when, extra, work) => {
      await using scene = await night(when, extra);
      const ended = await expectExit(0, actBeside(scene, 'echo by hand >> README.md; rm gone.txt'));
      expect(await scene.repo.git('diff', '--name-only', 'HEAD~1', 'HEAD', '--', ':!docs')).toBe(work);
      expect(await scene.repo.git('show', 'HEAD:log.md')).toBe(extra === '' ? 'log' : 'LOG');
      await expectPutBack(scene, ended, '');
      expect(factsOf(ended, 'act-found')[0]).not.toHaveProperty('session');
      expect(await scene.repo.read('README.md')).toBe('read me\n');
    },
  );

  test('what a person changes while pawl finds out what a check wrote is in the point before the session', async () => {
    const waits =
      'case $PWD in */prove-*) touch "$HOME/reached"; until [ -e "$HOME/go" ]; do sleep 0.05; done;; esac';
    await using scene = await makeNight({
      plan: letterPlan('b').replace('`grep', `\`echo made > log.md; ${waits}; grep`),
      files: { 'README.md': 'read me\n', 'log.md': 'log\n' },
      turns: [onTask('b', [write('b'), { bash: 'echo agent > README.md' }, done])],
    });
    const running = await startTo(scene, path.relative(scene.repo.path, path.join(scene.home, 'reached')));
    await act(scene, 'echo by hand > README.md; touch "$HOME/go"');
    const ended = await expectExit(0, running.ended);
    const saved = await scene.repo.git('log', '--all', '-m', '-p', '--format=%s', '--', 'README.md');
    expect(saved, tell(ended)).toContain('+by hand');
  });
});

describe('while reviewers work', () => {
  const review = (findings: Parameters<typeof reviewer>[1] = []) =>
    makeReview({
      readOnly: false,
      files: { 'README.md': 'read me\n' },
      turns: (root) => [
        reviewer('quality', findings, { once: true, before: [waitsFor(root)] }),
        reviewer('quality', []),
        reviewer('testing', [], { before: [{ bash: `cat '${root}/.git/HEAD'` }] }),
        fixer([{ bash: 'echo ok > src/README.md' }, answersTo({ F1: true })]),
      ],
    });

  inSoak(
    'killed, and a person edits before the next start: it is kept, put back and named, and in no commit',
    async () => {
      await using scene = await review();
      const { repo } = scene;
      const running = scene.startRun();
      await Promise.race([running.until('session-ready', ({ session }) => session === 2), running.ended]);
      running.child.kill('SIGKILL');
      await running.ended;
      await expectNoProcess(scene);
      await act(scene, 'echo by hand >> README.md; echo new > new.txt; touch .git/go');
      const ended = await expectExit(0, scene.run());
      await expectPutBack(scene, ended);
      expect(await repo.git('log', '--format=%s', '--', 'README.md', 'new.txt')).toBe('start');
    },
  );

  test('what a person changes is kept, put back and named; every answer counts, and is paid once', async () => {
    await using scene = await review([complaint()]);
    const { repo } = scene;
    await repo.write('notes.txt', 'mine\n');
    const ended = await expectExit(
      0,
      runBeside(
        scene,
        'review',
        'echo by hand >> README.md; echo new > new.txt; rm notes.txt; echo by hand >> docs/plans/plan.md',
      ),
    );
    expect(factsOf(ended, 'opinion-missing')).toEqual([]);
    // Both reviewers in two rounds, the task and the fixer.
    expect(factsOf(ended, 'session-started')).toHaveLength(6);
    expect(actsOf(ended)).toContain('changed-tree → put-back');
    expect(factsOf(ended, 'act-found').every(({ session }) => session === undefined)).toBe(true);
    expect(await repo.git('show', '--name-only', '--format=', 'HEAD')).toBe('src/README.md');
    // What is new stays, and is in no commit.
    expect(await repo.git('status', '--porcelain')).toBe('?? new.txt\n?? notes.txt');
    expect(await repo.read('notes.txt')).toBe('mine\n');
    const told = factsOf(ended, 'act-found')
      .map(({ detail }) => detail)
      .join('\n');
    const [, back = 'false'] = /`(git restore --source=\S+ --worktree -- :\/README\.md)`/.exec(told) ?? [];
    await act(scene, back);
    expect(await repo.read('README.md')).toBe('read me\nby hand\n');
  });

  inSoak(
    'a person who looks at another branch finds it as it is, and the run goes on when theirs is back',
    async () => {
      await using scene = await review();
      const ended = await expectExit(8, runBeside(scene, 'review', 'git switch -q main'));
      expect(actsOf(ended)).toEqual([]);
      expect(await scene.repo.git('status', '--porcelain')).toBe('');
      await act(scene, 'git switch -q plan');
      await expectExit(0, scene.run());
      expect(await scene.repo.log()).toEqual(['Write the word', 'start']);
    },
  );

  test('a person’s commit stays where it is, with what is in it', async () => {
    await using scene = await review([complaint()]);
    const { repo } = scene;
    // What a filter leaves out of the commit stays, too.
    await repo.git('config', 'filter.strip.clean', 'sed /out/d');
    await repo.write('.git/info/attributes', 'README.md filter=strip\n');
    const command = 'echo by hand >> README.md; echo out >> README.md; git commit -qam mine';
    const ended = await runBeside(scene, 'review', command);
    const last = ended.exit === 8 ? await scene.run() : ended;
    expect(last.exit, tell(last)).toBe(0);
    expect(actsOf(ended)).not.toContain('changed-tree → put-back');
    expect(await repo.read('README.md')).toBe('read me\nby hand\nout\n');
    const log = await repo.log();
    expect(log.slice(1), tell(ended)).toEqual(['mine', 'Write the word', 'start']);
    expect(await repo.git('show', 'plan:README.md')).toBe('read me\nby hand');
  });
});

describe('while pawl stands still', () => {
  /** The check of `b` waits until a person has acted. */
  const slow =
    'if [ -e b.txt ] && [ ! -e .git/go ]; then touch .git/reached; while [ ! -e .git/go ]; do sleep 0.05; done; fi\n';
  const night = (): Promise<Night> =>
    makeNight({
      plan: letterPlan('a', 'b').replaceAll('`grep', '`sh slow.sh; grep'),
      files: { 'slow.sh': slow },
    });

  const acts = [
    [
      'merges main',
      'git stash -qu && git switch -q main && echo up > up.txt && git add up.txt && git commit -qm up && git switch -q plan && git merge -q --no-edit main && git stash pop -q',
    ],
    [
      'commits',
      'git commit -q --allow-empty -m theirs && echo 1 > mine.txt && git add mine.txt && git commit -qm mine -- mine.txt',
    ],
  ] as const;
  test.each(share(acts, 2))('a person %s: the next start leaves it on the branch', async (name, command) => {
    await using scene = await night();
    await expectExit(8, actBeside(scene, command));
    const head = await scene.repo.git('rev-parse', 'plan');
    const second = await expectExit(0, scene.again());
    expect(await scene.repo.git('merge-base', '--is-ancestor', head, 'plan'), name).toBe('');
    expect(await scene.repo.git('log', '-1', '--format=%s', 'plan')).toBe('Write b');
    // Nobody was there to see who moved main: it is named, and stays.
    expect(actsOf(second).filter((one) => one !== 'moved-ref → reported')).toEqual([]);
  });
});

test('what a person changes while pawl commits, before the next task begins, is kept, put back and named, and in no commit', async () => {
  await using scene = await makeNight({ files: { 'README.md': 'read me\n' } });
  const hook =
    'if [ ! -e .git/go ]; then touch .git/reached; while [ ! -e .git/go ]; do sleep 0.05; done; fi';
  await scene.repo.write('.git/hooks/pre-commit', `#!/bin/sh\ntest -e a.txt || exit 0\n${hook}\n`);
  const ended = await expectExit(0, actBeside(scene, 'echo by hand >> README.md; echo new > new.txt'));
  expect(await scene.repo.git('diff', '--name-only', 'main', 'HEAD', '--', '*.txt', '*.md', ':!docs')).toBe(
    'a.txt\nb.txt',
  );
  await expectPutBack(scene, ended);
});

test.each(
  share(
    [
      ['what they commit stays; ', 'OTHER.md\na.txt\nhalf.txt'],
      ['', 'a.txt\nhalf.txt'],
    ],
    2,
  ),
)(
  'what a person changes while a task waits for its agent is kept, put back and named; %sthe task’s own work stays',
  async (commits, of) => {
    await using scene = await makeNight({
      auth: 'oauth',
      plan: letterPlan('a'),
      files: { 'README.md': 'read me\n', 'OTHER.md': 'other\n' },
      turns: [onTask('a', [write('half'), { limit: { resetsInS: 3_600 } }], true), ...honest('a')],
    });
    const running = scene.startRun();
    await Promise.race([running.until('waiting'), running.ended]);
    if (commits !== '') await act(scene, 'echo mine >> OTHER.md; git commit -qm mine OTHER.md');
    await act(scene, 'echo by hand >> README.md; echo new > new.txt');
    expect((await scene.pawl('continue')).exit).toBe(0);
    const ended = await expectExit(0, running.ended);
    const files = await scene.repo.git('diff', '--name-only', 'main', 'HEAD', '--', ':!docs');
    expect(files, tell(ended)).toBe(of);
    await expectPutBack(scene, ended);
  },
);

test.each(share(['journal task-closed#1+1', 'journal task-started#2'], 2))(
  'killed between two tasks (%s), and a person edits before the next start: it is kept, put back and named, and in no commit',
  async (effect) => {
    const files = { 'README.md': 'read me\n' };
    await using scene = await makeNight({ files, env: killAt(effect) });
    expect((await scene.run()).signal).toBe('SIGKILL');
    await act(scene, 'echo by hand >> README.md; echo new > new.txt');
    const ended = await expectExit(0, scene.again());
    const changed = await scene.repo.git('diff', '--name-only', 'main', 'HEAD', '--', ':!docs');
    expect(changed, tell(ended)).toBe('a.txt\nb.txt');
    await expectPutBack(scene, ended);
  },
);
