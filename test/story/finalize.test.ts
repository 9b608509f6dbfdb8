// The finalizing by scripted agents: it may put the run's commits in order, never other files in their place; whatever it
// comes to, nothing done before is lost or taken for lost, also when pawl is killed in the middle.
import { expect, test } from 'vitest';
import type { Step, Turn } from '../fixtures/agents/scripted/script.ts';
import { done, honest, lettersDone } from '../helpers/letters.ts';
import { killAt, makeNight, type Night, resultOf } from '../helpers/night.ts';
import { type Ended, factsOf, tell } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';

const finalizer = (...steps: readonly Step[]): Turn => ({ when: 'You give it its last form', steps });
const squash: Step = { bash: 'git reset -q --soft main && git commit -qm "letters at last"' };
const env = { PAWL_FINALIZE_PROMPT: 'Squash all commits into one.' };
const squashed = { ...lettersDone, log: ['letters at last', 'start'] };

function makeScene(turns: readonly Turn[], more: Readonly<Record<string, string>> = {}): Promise<Night> {
  return makeNight({ turns: [...honest('a', 'b'), ...turns], env: { ...env, ...more } });
}

const endsOf = (ended: Pick<Ended, 'events'>) => factsOf(ended, 'finalize-ended').map(({ result }) => result);

test('commits are squashed, and the run knows where its tasks are now', async () => {
  await using scene = await makeScene([finalizer(squash, done)], { PAWL_ARCHIVE: 'true' });
  const { repo } = scene;
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(0);
  expect(endsOf(ended)).toEqual(['rewritten']);
  expect(await repo.log()).toEqual(['plan: archive plan.md', 'letters at last', 'start']);
  // It is looked at once more when the session is gone, and told once.
  const [{ kept = '', from = '', commits = [] } = {}, ...more] = factsOf(ended, 'history-finalized');
  expect(more).toEqual([]);
  expect(await repo.git('rev-parse', kept)).toBe(from);
  expect(commits).toHaveLength(2);
  const now = (await repo.git('rev-parse', 'HEAD~1')).slice(0, 10);
  const report = await readRun(scene);
  expect(report.match(new RegExp(`commit \`${now}\``, 'g'))).toHaveLength(2);
  expect(report).toContain('2 commits became 1, with the same files');
  const again = await scene.pawl('run', 'docs/plans/plan.md', '--trust');
  expect(again.exit, tell(again)).toBe(0);
  expect(again.stdout).toContain('is done: its run has finished');
  const refused = await scene.pawl('undo', '2');
  expect(refused.exit, tell(refused)).toBe(2);
  expect(refused.stderr).toContain('task 2 no longer has a commit of its own');
  expect(refused.stderr).toContain(`git reset --keep ${kept}`);
  await repo.git('reset', '-q', '--keep', kept);
  const undone = await scene.pawl('undo', '2');
  expect(undone.exit, tell(undone)).toBe(0);
  expect(await repo.log()).toEqual(['Write a', 'start']);
});

inSoak(
  'other files in the commits are put back and told; files left in the tree are checked and committed',
  async () => {
    const other: Step = {
      bash: 'echo c > c.txt && git reset -q --soft main && git add -A && git commit -qm "and more"',
    };
    const turns: readonly Turn[] = [
      finalizer(other, done),
      { when: 'its files are not the same', steps: [squash, { bash: 'echo c > c.txt' }, done] },
    ];
    await using scene = await makeScene(turns, { PAWL_TASK_CORRECTIONS: '1' });
    const ended = await scene.run();
    expect(ended.exit, tell(ended)).toBe(0);
    expect(factsOf(ended, 'act-found').map(({ act, response }) => `${act} ${response}`)).toEqual([
      'rewrote-history put-back',
    ]);
    const [{ kept = '' } = {}] = factsOf(ended, 'act-found');
    expect(await scene.repo.git('show', `${kept}:c.txt`)).toBe('c');
    expect(endsOf(ended)).toEqual(['committed']);
    expect(await resultOf(scene)).toMatchObject({
      ...squashed,
      log: ['Finalize the work', 'letters at last', 'start'],
    });
  },
);

test('one that comes to nothing leaves files and history as they were, and is no success', async () => {
  const spoil: Step = { bash: 'echo wrong > a.txt' };
  await using scene = await makeScene([finalizer(squash, spoil, done)], { PAWL_TASK_ATTEMPTS: '1' });
  const ended = await scene.run();
  expect(ended.exit, tell(ended)).toBe(4);
  expect(endsOf(ended)).toEqual(['failed']);
  expect(await resultOf(scene)).toMatchObject(lettersDone);
  const [{ rescue = '' } = {}] = factsOf(ended, 'finalize-ended');
  expect(await scene.repo.git('show', `${rescue}:a.txt`)).toBe('wrong');
  expect(factsOf(ended, 'run-ended')[0]).toMatchObject({ finished: true });
  expect(await readRun(scene)).toContain('Failed: red: grep -qx a a.txt');
});

/** Name of the effect it is killed before, and how many sessions finalize in both lives together. */
inSoak.each([
  // The session is still there: what it has done stays, and another one is asked.
  ['journal history-finalized#1', 2],
  ['journal finalize-ended#1', 1],
  ['journal phase-ended#2', 1],
] as const)('killed before %s', async (effect, sessions) => {
  await using scene = await makeScene([finalizer(squash, done)], killAt(effect));
  const killed = await scene.run();
  expect(killed.signal, tell(killed)).toBe('SIGKILL');
  const again = await scene.again();
  expect(again.exit, tell(again)).toBe(0);
  expect(await resultOf(scene)).toMatchObject(squashed);
  const events = (await readRun(scene, 'journal.ndjson'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Ended['events'][number]);
  expect(factsOf({ events }, 'session-started').filter(({ role }) => role === 'finalize')).toHaveLength(
    sessions,
  );
  expect(endsOf({ events })).toEqual(['rewritten']);
});
