// A review to each of its named ends, by scripted agents: only reviewers who all answered, and a fixer whose work is proven,
// make it a good one.
import { expect, test } from 'vitest';
import type { Step, Turn } from '../fixtures/agents/scripted/script.ts';
import { factsOf, tell } from '../helpers/pawl.ts';
import { answersTo, complaint, fixer, makeReview, reviewer, reviewOf } from '../helpers/review.ts';
import { share } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';

/** Both find nothing, whenever they are asked. */
const quiet = [reviewer('quality', []), reviewer('testing', [])];
/** One finding, raised once. */
const raisedOnce = [reviewer('quality', [complaint()], { once: true }), ...quiet];
const mend: Step = { bash: 'echo "right is the word" > src/README.md' };
const spoil: Step = { bash: 'echo wrong > src/word.txt' };
const die: Step = { kill: 'SIGKILL' };
const nonsense: Step = { say: 'All is well, nothing to report.' };
const askedAgain = (...steps: readonly Step[]): Turn => ({ when: 'Your answer could not be read', steps });

const writes: Step = {
  bash: 'echo bad > src/word.txt; touch new.txt; git -c user.name=x -c user.email=x@y commit -qam mine; git branch -f main',
};

test('findings are fixed, and the next round is clean; what a reviewer writes stays in its checkout, and is told', async () => {
  const raises = reviewer('quality', [complaint()], { once: true, before: [writes] });
  await using scene = await makeReview({
    turns: [raises, ...quiet, fixer([mend, answersTo({ F1: true })])],
  });
  const ended = await scene.run();
  expect(factsOf(ended, 'noticed').map(({ text }) => text)).toContainEqual(
    expect.stringContaining('src/word.txt, new.txt; none of it is kept'),
  );
  expect(await scene.repo.git('show', 'HEAD:src/word.txt')).toBe('right');
  expect(await scene.repo.git('status', '--porcelain')).toBe('');
  expect(await scene.repo.git('log', '--format=%s', 'main')).not.toContain('mine');
  expect(
    reviewOf(ended).filter((line) => !line.startsWith('testing')),
    tell(ended),
  ).toEqual([
    'first 1',
    'quality: F1',
    'F1 fixed',
    'fixer: committed',
    'first 2',
    'quality: nothing',
    'first ended clean',
  ]);
  expect(ended.exit, tell(ended)).toBe(0);
  expect(factsOf(ended, 'task-closed')[1]).toMatchObject({ task: 'fix-first-1', proof: 'passed' });
  const message = await scene.repo.git('log', '-1', '--format=%B');
  expect(message).toMatch(
    /^fix: The word is not explained\n\n- src\/README.md:1: The word is not explained\n/,
  );
  // The fixer's answers are data, and no part of it.
  expect(message).not.toMatch(/answers|```/);
  expect(message).toContain('Pawl-Finding: F1\nPawl-Checks: passed');
  // The two looked at the same time.
  const [first, second] = factsOf(ended, 'session-started').filter(({ role }) => role === 'review');
  const [end] = factsOf(ended, 'session-ended').filter(({ session }) => session === first?.session);
  expect(second && end && second.at < end.at).toBe(true);
  const prompt = await readRun(scene, `sessions/00${first?.session}.prompt.md`);
  expect(prompt).toContain(`in the git repository at ${first?.cwd}. It is a copy`);
});

/** Name, turns beside the task's, the lines that are expected, the exit code. */
test.each<[string, readonly Turn[], readonly string[], number, string?]>(
  share(
    [
      [
        'a reviewer that dies is missing, never clean',
        [reviewer('testing', [], { before: [die] }), ...quiet],
        ['testing is missing, again', 'testing is missing', 'first ended incomplete'],
        4,
      ],
      [
        'one whose login is refused ends the run, and the review has no end',
        [reviewer('testing', [], { before: [{ api: { status: 401 } }] }), ...quiet],
        [],
        7,
      ],
      [
        'one that answers nonsense is asked once more in place',
        [
          { when: 'You check whether the tests would notice', steps: [nonsense] },
          ...quiet,
          askedAgain({ answer: { findings: [] } }),
        ],
        ['testing is missing, again', 'testing: nothing', 'first ended clean'],
        0,
      ],
      [
        'what a sub-agent says is no answer, and one that only answers nonsense is missing',
        [
          {
            when: 'You check whether the tests would notice',
            steps: [{ subagent: 'Done.\n\n<<<PAWL:REVIEW_DONE>>>' }, { say: 'My helper is done.' }],
          },
          ...quiet,
          askedAgain(nonsense),
        ],
        ['testing is missing, again', 'testing is missing', 'first ended incomplete'],
        4,
      ],
      [
        'what is rejected and raised again is for a person to decide',
        [reviewer('quality', [complaint()]), ...quiet, fixer([answersTo({ F1: 'by design' })])],
        ['F1 rejected', 'fixer: nothing', 'first ended open'],
        4,
      ],
      [
        'a fixer that stays red',
        [
          ...raisedOnce,
          fixer([spoil, answersTo({ F1: true })]),
          { when: 'The task is not done yet', steps: [answersTo({ F1: true })] },
        ],
        ['quality: F1', 'F1 fixed', 'fixer: failed', 'first ended open'],
        4,
      ],
      [
        'a fixer that dies in the middle of its work',
        [...raisedOnce, fixer([mend, die])],
        ['quality: F1', 'fixer: failed', 'first ended open'],
        4,
      ],
      [
        'a fixer that says fixed and changes nothing',
        [
          ...raisedOnce,
          fixer([answersTo({ F1: true })]),
          { when: 'Your answers could not be read whole', steps: [answersTo({ F1: true })] },
        ],
        ['F1 fixed', 'fixer: failed', 'first ended open'],
        4,
      ],
      [
        'what is fixed in the last round was looked at by nobody',
        [...raisedOnce, fixer([mend, answersTo({ F1: true })])],
        ['quality: F1', 'F1 fixed', 'fixer: committed', 'first ended incomplete'],
        4,
        '[{name: first, reviewers: [quality, testing], rounds: 1}]',
      ],
    ],
    6,
  ),
)('%s', async (_, turns, lines, exit, stages) => {
  // What is not clean is not given its last form.
  const env = { FIXED_BACKOFF_MS: '1000', ...(exit === 4 ? { PAWL_FINALIZE_PROMPT: 'Squash it.' } : {}) };
  await using scene = await makeReview({ turns, env, ...(stages === undefined ? {} : { stages }) });
  const ended = await scene.run();
  const told = reviewOf(ended);
  expect(
    told.filter((line) => lines.includes(line)).filter((line, at, all) => all.indexOf(line) === at),
    tell(ended),
  ).toEqual(lines);
  expect(ended.exit, tell(ended)).toBe(exit);
  expect(factsOf(ended, 'work-planned').filter(({ fix }) => !fix)).toEqual([]);
  const codes = factsOf(ended, 'noticed').map(({ code }) => code);
  expect(codes.includes('not-finalized')).toBe(exit === 4);
  // What was done before stays done, and nothing half done is left.
  expect(factsOf(ended, 'run-ended')[0]?.finished).toBe(exit !== 7);
  expect(await scene.repo.git('status', '--porcelain')).toBe('');
  expect(await scene.repo.git('show', 'HEAD:src/word.txt')).toBe('right');
  for (const fix of factsOf(ended, 'work-ended'))
    if (fix.result === 'failed')
      expect(await scene.repo.git('cat-file', '-t', fix.rescue ?? '')).toBe('commit');
});
