// What a person does in the run's own tree while it works there: what changes beside a session is its work, and pointed out;
// what changes while none works is kept, put back and named, and costs nobody's answer; another branch, or other commits,
// stop the run before it writes anything.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { type Ended, factsOf, type Scene, tell } from '../helpers/pawl.ts';
import { answersTo, complaint, fixer, makeReview, reviewer } from '../helpers/review.ts';
import { actsOf } from '../helpers/story.ts';

const _waits: Step = { bash: 'while [ ! -e .git/go ]; do sleep 0.05; done' };
/** Waits in a reviewer's checkout, which has another git folder. */
const waitsFor = (root: string): Step => ({ bash: `while [ ! -e '${root}/.git/go' ]; do sleep 0.05; done` });

/** A person acts in the scene's repository. */
async function act({ repo, env }: Scene, command: string): Promise<void> {
  await promisify(execFile)('sh', ['-c', command], { cwd: repo.path, env: { ...process.env, ...env } });
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

describe('while reviewers work', () => {
  const review = (findings: Parameters<typeof reviewer>[1] = []) =>
    makeReview({
      readOnly: false,
      files: { 'README.md': 'read me\n' },
      turns: (root) => [
        reviewer('quality', findings, { once: true, before: [waitsFor(root)] }),
        reviewer('quality', []),
        reviewer('testing', [], { before: [{ bash: `cat '${root}/.git/HEAD'` }] }),
        fixer([{ bash: 'echo ok > src/fixed.txt' }, answersTo({ F1: true })]),
      ],
    });

  test('what a person changes is kept, put back and named; every answer counts, and is paid once', async () => {
    await using scene = await review([complaint()]);
    const { repo } = scene;
    await repo.write('notes.txt', 'mine\n');
    const ended = await runBeside(
      scene,
      'review',
      'echo by hand >> README.md; echo new > new.txt; rm notes.txt; echo by hand >> docs/plans/plan.md',
    );
    expect(ended.exit, tell(ended)).toBe(0);
    expect(factsOf(ended, 'opinion-missing')).toEqual([]);
    // Both reviewers in two rounds, the task and the fixer.
    expect(factsOf(ended, 'session-started')).toHaveLength(6);
    expect(actsOf(ended)).toContain('changed-tree → put-back');
    expect(factsOf(ended, 'act-found').every(({ session }) => session === undefined)).toBe(true);
    expect(await repo.git('show', '--name-only', '--format=', 'HEAD')).toBe('src/fixed.txt');
    // What is new stays, and is in no commit.
    expect(await repo.git('status', '--porcelain')).toBe('?? new.txt\n?? notes.txt');
    expect(await repo.read('notes.txt')).toBe('mine\n');
    const told = factsOf(ended, 'act-found')
      .map(({ detail }) => detail)
      .join('\n');
    const [, back = 'false'] = /`(git restore --source=\S+ --worktree -- README\.md)`/.exec(told) ?? [];
    await act(scene, back);
    expect(await repo.read('README.md')).toBe('read me\nby hand\n');
  });

  test('a person who looks at another branch finds it as it is, and the run goes on when theirs is back', async () => {
    await using scene = await review();
    const ended = await runBeside(scene, 'review', 'git switch -q main');
    expect(ended.exit, tell(ended)).toBe(8);
    expect(actsOf(ended)).toEqual([]);
    expect(await scene.repo.git('status', '--porcelain')).toBe('');
    await act(scene, 'git switch -q plan');
    const again = await scene.run();
    expect(again.exit, tell(again)).toBe(0);
    expect(await scene.repo.log()).toEqual(['Write the word', 'start']);
  });

  test('a person’s commit stays where it is, with what is in it', async () => {
    await using scene = await review([complaint()]);
    const ended = await runBeside(scene, 'review', 'echo by hand >> README.md; git commit -qam mine');
    const last = ended.exit === 8 ? await scene.run() : ended;
    expect(last.exit, tell(last)).toBe(0);
    const log = await scene.repo.log();
    expect(log.slice(1), tell(ended)).toEqual(['mine', 'Write the word', 'start']);
    expect(await scene.repo.git('show', 'plan:README.md')).toBe('read me\nby hand');
  });
});
