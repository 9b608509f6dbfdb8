// `kill -9` of pawl before a durable effect, and the same command again: tree, plan and commits are those of a run that
// nobody killed, and no finished task is worked on twice.
import { describe, expect } from 'vitest';
import { honest } from '../helpers/letters.ts';
import { expectNoProcess, killAt, makeNight, type Night, resultOf } from '../helpers/night.ts';
import { expectExit, factsOf } from '../helpers/pawl.ts';
import { inSoak } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';

const uninterrupted = {
  log: ['plan: archive plan.md', 'Write b', 'Write a', 'start'],
  files: ['README.md', 'a.txt', 'b.txt', 'docs/plans/completed/plan.md'],
  boxes: ['- [x]', '- [x]'],
  status: '',
  branch: 'plan',
};

type Instant = Readonly<{ name: string; effect: string; mayRepeat?: boolean }>;

// In `npm test` the lives of kill-at.test.ts stand for all.
const instants: readonly Instant[] = [
  { name: 'the commit', effect: 'git commit#1' },
  { name: 'the branch is made', effect: 'journal branch-created#1' },
  { name: 'the plan is read', effect: 'journal plan-read#1' },
  { name: 'the first session', effect: 'journal session-started#1' },
  // The agent is at work at that moment: how far it has got is its own affair.
  { name: 'the first word of the session', effect: 'journal session-ready#1', mayRepeat: true },
  { name: 'the checks', effect: 'journal check-started#2' },
  { name: 'the end of the checks', effect: 'journal check-ended#2' },
  { name: 'the end of the session', effect: 'journal session-ended#1' },
  { name: 'the close is announced', effect: 'journal closing#1' },
  { name: 'the tick', effect: 'journal closing#1+1' },
  { name: 'the close is journaled, after the commit', effect: 'journal task-closed#1' },
  { name: 'the second task starts', effect: 'journal task-started#2' },
  { name: 'the second session is over', effect: 'journal session-ended#2' },
  { name: 'the archive', effect: 'journal plan-archived#1' },
  { name: 'the plan is moved', effect: 'file move plan.md#1' },
  { name: 'the move is committed', effect: 'git commit#3' },
  { name: 'the archive is journaled', effect: 'journal plan-archived#2' },
  { name: 'the end', effect: 'journal run-ended#1' },
];

async function lastFact(scene: Night): Promise<unknown> {
  const journal = await readRun(scene, 'journal.ndjson').catch(() => '{}');
  return JSON.parse(journal.trimEnd().split('\n').at(-1) ?? '{}').type;
}

describe.concurrent('killed before', () => {
  inSoak.each(instants)('$name', async ({ effect, mayRepeat = false }) => {
    await using scene = await makeNight({
      turns: honest('a', 'b'),
      env: { ...killAt(effect), PAWL_ARCHIVE: 'true' },
    });
    const killed = await expectExit('SIGKILL', scene.run());
    await expectNoProcess(scene);
    // The run was over, and so is its plan: only its report and its lock were left behind.
    if ((await lastFact(scene)) === 'run-ended') return;
    const again = await expectExit(0, scene.again());
    expect(await resultOf(scene)).toEqual(uninterrupted);
    const started = [killed, again].flatMap((run) => factsOf(run, 'session-started').map(({ task }) => task));
    expect(mayRepeat ? [...new Set(started)] : started).toEqual(['1', '2']);
    await expectNoProcess(scene);
  });
});
