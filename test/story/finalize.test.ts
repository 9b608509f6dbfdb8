// Finalizing by scripted agents: one last session whose work is checked and committed, and the squash by pawl itself;
// whatever it comes to, nothing done before is lost or taken for lost, also when pawl is killed in the middle.
import { expect, test } from 'vitest';
import type { Step, Turn } from '../fixtures/agents/scripted/script.ts';
import { done, honest, lettersDone } from '../helpers/letters.ts';
import { makeNight, type Night, resultOf } from '../helpers/night.ts';
import { type Ended, expectExit, factsOf } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';

const finalizer = (...steps: readonly Step[]): Turn => ({ when: 'You give it its last form', steps });
const asks = { PAWL_FINALIZE_PROMPT: 'Add the last letter.' };
const squashes = { PAWL_FINALIZE_SQUASH: 'true' };

function makeScene(turns: readonly Turn[], env: Readonly<Record<string, string>>): Promise<Night> {
  return makeNight({ turns: [...honest('a', 'b'), ...turns], env });
}

const endsOf = (ended: Pick<Ended, 'events'>) => factsOf(ended, 'work-ended').map(({ result }) => result);

test('the last session’s work is committed, and pawl makes one commit of all; the old ones come back for an undo', async () => {
  const turns = [finalizer({ bash: 'echo z > z.txt' }, done)];
  await using scene = await makeScene(turns, { ...asks, ...squashes, PAWL_ARCHIVE: 'true' });
  const { repo } = scene;
  const ended = await expectExit(0, scene.run());
  expect(endsOf(ended)).toEqual(['committed']);
  const [{ kept = '', from = '', to = '', commits = 0 } = {}] = factsOf(ended, 'run-squashed');
  expect(await repo.log()).toEqual(['Letters', 'start']);
  expect(await repo.git('log', '--format=%s', '-4', kept)).toBe(
    ['plan: archive plan.md', 'Finalize the work', 'Write b', 'Write a'].join('\n'),
  );
  expect(commits).toBe(4);
  expect(await repo.git('rev-parse', kept, 'HEAD')).toBe(`${from}\n${to}`);
  expect(await repo.git('diff', '--name-only', from, to)).toBe('');
  expect(await repo.git('status', '--porcelain')).toBe('');
  expect((await repo.git('log', '-1', '--format=%B')).match(/^Pawl-Close: /gm)).toHaveLength(3);
  await expectExit(0, scene.pawl('run', 'docs/plans/plan.md', '--trust'));
  const refused = await expectExit(2, scene.pawl('undo', '2'));
  expect(refused.stderr).toContain(`git reset --keep ${kept}`);
  await repo.git('reset', '-q', '--keep', kept);
  await expectExit(0, scene.pawl('undo', '2', '--with-later'));
  expect(await repo.log()).toEqual(['Write a', 'start']);
});

test('a session that rewrites the commits has them put back', async () => {
  const squash: Step = { bash: 'git reset -q --soft main && git commit -qm "letters at last"' };
  await using scene = await makeScene([finalizer(squash, done)], { ...asks, PAWL_TASK_CORRECTIONS: '0' });
  const ended = await scene.run();
  expect(factsOf(ended, 'act-found').map(({ act, response }) => `${act} ${response}`)).toContain(
    'rewrote-history put-back',
  );
  expect(await resultOf(scene)).toMatchObject(lettersDone);
});

inSoak(
  'a session that comes to nothing leaves the files as they were, and is no success; nothing is squashed then',
  async () => {
    const spoil: Step = { bash: 'echo wrong > a.txt' };
    const env = { ...asks, ...squashes, PAWL_TASK_ATTEMPTS: '1' };
    await using scene = await makeScene([finalizer(spoil, done)], env);
    const ended = await expectExit(4, scene.run());
    expect(endsOf(ended)).toEqual(['failed']);
    expect(await resultOf(scene)).toMatchObject(lettersDone);
    const [{ rescue = '' } = {}] = factsOf(ended, 'work-ended');
    expect(await scene.repo.git('show', `${rescue}:a.txt`)).toBe('wrong');
    expect(factsOf(ended, 'run-ended')[0]).toMatchObject({ finished: true });
    expect(factsOf(ended, 'noticed').map(({ code }) => code)).toContain('not-squashed');
  },
);

test('a commit of a person’s among them is left alone', async () => {
  await using scene = await makeScene([], squashes);
  await scene.run('--max-tasks', '1');
  await scene.repo.write('README.md', 'by hand\n');
  await scene.repo.git('commit', '-qam', 'by hand');
  const ended = await expectExit(0, scene.run());
  expect(factsOf(ended, 'run-squashed')).toEqual([]);
  expect(await scene.repo.log()).toEqual(['Write b', 'by hand', 'Write a', 'start']);
});
