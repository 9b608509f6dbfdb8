// What closes a task without a check's proof, and what a session's last words are worth: each ending is reported as what
// it is, and none of them counts as green.
import { expect, test } from 'vitest';
import { expectExit, factsOf } from '../helpers/pawl.ts';
import { makeStory, readRun, roundsOf, sayDone, writeRight } from '../helpers/story.ts';

/** Green before the work: it proves nothing without the agent's word. */
const vacuous = (at: number, title: string, check = '- check: `test -e README.md`\n') =>
  `### Task ${at}: ${title}\n${check}- [ ] Do it\n`;

test('no marker, all boxes ticked: asked once, then finished (56); no check: unchecked; already done: passed by a green check of its own, else unchecked; done and nothing changed: asked once, then no close; green, though it may be red: passed', async () => {
  const tick = { bash: "sed -i '0,/- \\[ \\]/s//- [x]/' docs/plans/plan.md" };
  const already = { say: 'Nothing is left.\n\n{{marker ALREADY_DONE it was there before}}' };
  const plan = [
    vacuous(1, 'Write the word'),
    vacuous(2, 'Write what nobody checks', ''),
    vacuous(3, 'Find it there'),
    vacuous(4, 'Find it there, unchecked', ''),
    vacuous(5, 'Write what may be red', '- check: `test -e five.txt` (known red)\n'),
    vacuous(6, 'Write it again'),
  ];
  await using scene = await makeStory({
    plan: `# Plan: Words\n\n${plan.join('\n')}`,
    turns: [
      { when: 'ended without a marker', steps: [{ say: 'Yes, all of it.' }] },
      { when: 'no file has changed', steps: [sayDone] },
      { when: '### Task 1', steps: [writeRight, tick, { say: 'The word is written.' }] },
      { when: '### Task 2', steps: [{ bash: 'echo two > two.txt' }, sayDone] },
      { when: '### Task 5', steps: [{ bash: 'echo five > five.txt' }, sayDone] },
      { when: '### Task 6', steps: [sayDone] },
      { when: '### Task', steps: [already] },
    ],
  });
  const ended = await expectExit(1, scene.run());
  expect(roundsOf(ended)).toEqual([
    '1 passed',
    '2 unchecked',
    '3 passed',
    '4 unchecked',
    '5 passed',
    '6 fail',
  ]);
  expect(factsOf(ended, 'session-started')).toHaveLength(6);
  expect(factsOf(ended, 'correction-sent')).toMatchObject([
    { session: 1, kind: 'finished?' },
    { session: 6, kind: 'nothing-changed' },
  ]);
  expect(factsOf(ended, 'task-closed')[0]?.reason).toContain('never said that it was finished');
  const before = factsOf(ended, 'check-ended').filter(({ when }) => when === 'before');
  expect(before.map(({ task, result }) => `${task} ${result}`)).toEqual([
    '1 green',
    '3 green',
    '5 red',
    '6 green',
  ]);
  const trailers = await scene.repo.git('log', '-4', '--format=%(trailers:key=Pawl-Checks,valueonly)');
  expect(trailers.split('\n').filter(Boolean)).toEqual(['passed', 'unchecked', 'passed', 'unchecked']);
  const receipt = await readRun(scene);
  expect(receipt).toMatch(/UNCHECKED: Tasks? 2/);
  expect(receipt).toContain('was green before the work');
  expect(receipt).toContain('nothing had to be changed: it was there before');
  expect(receipt).toContain('nothing was changed');
});
