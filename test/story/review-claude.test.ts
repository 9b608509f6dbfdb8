// The review with the real CLI on the scripted model: reviewers side by side find planted bugs and cannot write into the
// run's tree, a fixer mends two and rejects one, the next round finds nothing, a last session squashes the commits; and what
// a sub-agent says is no answer.
import { expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { has } from '../helpers/needs.ts';
import { expectExit, factsOf, tell } from '../helpers/pawl.ts';
import { answersTo, complaint, fixer, makeReview, reviewer, reviewOf } from '../helpers/review.ts';
import { isSoak } from '../helpers/share.ts';
import { actsOf, readRun } from '../helpers/story.ts';

const bugs = `exports.mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
exports.max = (list) => list.sort()[list.length - 1];
`;
const mended = `exports.mean = (list) => (list.length === 0 ? 0 : list.reduce((sum, x) => sum + x, 0) / list.length);
exports.max = (list) => Math.max(...list);
`;
const empty = complaint({ file: 'src/math.js', line: 1, title: 'The mean of nothing is NaN' });
const sorted = complaint({
  file: 'src/math.js',
  line: 2,
  title: 'Sorts numbers as text, and changes its input',
});
const taste = complaint({
  file: 'src/math.js',
  line: 0,
  title: 'Should be written in TypeScript',
});

const look: Step = { bash: 'git diff --stat pawl-base...HEAD' };
const prove: Step = { bash: `node -e "console.log(require('./src/math.js').mean([]))"` };
/** In a soak all five. */
const names = isSoak
  ? (['quality', 'implementation', 'testing', 'simplification', 'documentation'] as const)
  : (['quality', 'testing'] as const);

/** What a reviewer tries in the run's own tree, which is read-only for it where there is bubblewrap, and does in its checkout. */
const trespass = (root: string): readonly Step[] => [
  { bash: `cd ${root}; echo wrong > src/word.txt; rm notes.txt; git commit -qam x; git branch aside` },
  {
    bash: 'echo mine > scratch.txt && git add -A && git -c user.name=a -c user.email=a@b commit -qm own',
  },
];
const isReadOnly = has('a read-only view of a folder (bwrap)');

test('reviewers who cannot write here, two bugs mended, a complaint rejected, the commits squashed', async () => {
  await using scene = await makeReview({
    cast: 'claude',
    stages: `[{name: first, reviewers: [${names.join(', ')}]}]`,
    files: { 'src/math.js': '' },
    turns: (root) => [
      reviewer('quality', [empty, sorted, taste], {
        once: true,
        before: [look, prove, ...(isReadOnly ? trespass(root) : [])],
      }),
      ...names.map((name) => reviewer(name, [], { before: [look] })),
      fixer([
        { write: { file: 'src/math.js', content: mended } },
        answersTo({ F1: true, F2: true, F3: 'the project has no build' }),
      ]),
      { when: 'You give it its last form', steps: [{ say: '{{marker TASK_DONE nothing is missing}}' }] },
    ],
    env: { PAWL_FINALIZE_PROMPT: 'Add what is missing.', PAWL_FINALIZE_SQUASH: 'true' },
  });
  await scene.repo.write('src/math.js', bugs);
  await scene.repo.git('commit', '-qam', 'bugs');
  await scene.repo.write('notes.txt', 'mine\n');
  const ended = await expectExit(0, scene.run());
  const review = reviewOf(ended);
  expect(review.filter((line) => line.endsWith('nothing')).length, tell(ended)).toBe(2 * names.length - 1);
  expect(review.at(-1)).toBe('first ended settled');
  const [answers] = factsOf(ended, 'findings-answered');
  expect(answers?.answers.map(({ answer }) => answer).sort()).toEqual(['fixed', 'fixed', 'rejected']);
  expect(actsOf(ended)).toEqual([]);
  expect(await scene.repo.read('notes.txt')).toBe('mine\n');
  expect(await scene.repo.git('branch', '--format=%(refname:short)')).toBe('main\nplan');
  const records = await Promise.all([2, 3].map((number) => readRun(scene, `sessions/00${number}.ndjson`)));
  if (isReadOnly) expect(records.join('\n')).toContain('Read-only file system');
  // All were at work at the same time.
  const sessions = factsOf(ended, 'session-started').filter(({ role }) => role === 'review');
  const first = sessions.slice(0, names.length).map(({ session }) => session);
  const ends = factsOf(ended, 'session-ended').filter(({ session }) => first.includes(session));
  const lastStart = sessions[names.length - 1]?.at ?? '';
  expect(sessions).toHaveLength(2 * names.length);
  expect(ends.every(({ at }) => at > lastStart)).toBe(true);
  // HEAD did not move in the last round, and what was mended is in.
  const [, round] = factsOf(ended, 'review-round-ended');
  expect(round?.head).toBe(factsOf(ended, 'review-round-started')[1]?.head);
  expect(await scene.repo.git('show', 'HEAD:src/math.js')).toBe(mended.trim());
  // Task and fix became one commit, with the same files.
  expect(
    factsOf(ended, 'work-ended')
      .filter(({ fix }) => !fix)
      .map(({ result }) => result),
  ).toEqual(['nothing']);
  expect(factsOf(ended, 'run-squashed')).toMatchObject([{ commits: 2 }]);
  expect((await scene.repo.log()).slice(1)).toEqual(['bugs', 'start']);
  // Who was rejected is told why, and nobody else.
  const told = factsOf(ended, 'session-started').length;
  expect(told).toBe(3 + 2 * names.length);
  const texts = (scene.model?.requests ?? []).map(({ body }) => JSON.stringify(body?.messages[0] ?? ''));
  const rejections = texts.filter((text) => text.includes('Rejected: the project has no build'));
  expect(rejections.length).toBeGreaterThan(0);
  expect(rejections.every((text) => text.includes('You look for defects'))).toBe(true);
});
