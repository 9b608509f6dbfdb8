// Findings with their proofs in whole runs, in a soak with the real CLI: what is red is fixed, and its test stays; what is green is
// refuted, unless another reviewer's proof of the same is red; what cannot run is an opinion, and opinions keep no review
// going. A fix is held to what was complained about.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Finding } from '../../src/event/finding.ts';
import { expectNoProcess } from '../helpers/night.ts';
import { expectExit, factsOf, type SceneOptions, tell } from '../helpers/pawl.ts';
import { answersTo, complaint, fixer, makeReview, reviewer, reviewOf } from '../helpers/review.ts';
import { inSoak, isSoak } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';

const bug = 'exports.max = (list) => list.sort()[list.length - 1];\n';
const mended = 'exports.max = (list) => Math.max(...list);\n';
const maxTest = `const assert = require('node:assert');
const { max } = require('../src/max.js');
require('node:test').test('numbers are compared as numbers', () => assert.equal(max([9, 10]), 10));
`;
const patchOf = (file: string, text: string): string =>
  [
    `diff --git a/${file} b/${file}`,
    'new file mode 100644',
    '--- /dev/null',
    `+++ b/${file}`,
    // A model miscounts.
    '@@ -0,0 +1,99 @@',
    ...text
      .trimEnd()
      .split('\n')
      .map((line) => `+${line}`),
  ].join('\n');

const inMax = (title: string, change: Partial<Finding> = {}): Finding =>
  complaint({ file: 'src/max.js', title, ...change });
const proven = inMax('Compares numbers as text', {
  severity: 'minor',
  proof: { command: 'node --test test/max.test.js', patch: patchOf('test/max.test.js', maxTest) },
});

const play = (options: Pick<SceneOptions, 'turns' | 'env'>) =>
  makeReview({
    cast: isSoak ? 'claude' : 'scripted',
    files: { 'src/max.js': bug, 'src/extra.js': '', 'test/old.test.js': 'check(1);\n' },
    ...options,
  });
const toldBy = (ended: Parameters<typeof reviewOf>[0]) =>
  reviewOf(ended).filter((line) => !line.startsWith('testing'));

test('red is fixed with its test, green refuted, what cannot run an opinion; a minor one in each round ends it', async () => {
  await using scene = await play({
    turns: [
      reviewer(
        'quality',
        [
          proven,
          inMax('Changes its input', {
            severity: 'critical',
            proof: { command: 'node -e "require(\'./src/max.js\').max([1])"', patch: '' },
          }),
          inMax('Nobody measured it', { proof: { command: 'no-such-benchmark', patch: '' } }),
          inMax('A loop would be clearer', { severity: 'minor' }),
        ],
        { once: true },
      ),
      reviewer('quality', [inMax('Its module has no header at all', { severity: 'minor', line: 0 })]),
      reviewer('testing', [{ ...proven, proof: { command: 'true', patch: '' } }], { once: true }),
      reviewer('testing', []),
      fixer([
        { bash: 'cat test/max.test.js > "$HOME/seen"; rm test/max.test.js' },
        answersTo({ F1: true, F3: 'nobody asked for speed' }),
      ]),
      {
        when: 'The task is not done yet',
        steps: [
          { write: { file: 'src/max.js', content: mended } },
          answersTo({ F1: true, F3: 'nobody asked for speed' }),
        ],
      },
    ],
  });
  const ended = await scene.run();
  expect(toldBy(ended), tell(ended)).toEqual([
    ...['first 1', 'quality: F1 F2 F3 F4', 'F2 refuted', 'F3 unproven', 'F1 confirmed'],
    ...['F1 fixed F3 rejected', 'F1 fixed F3 rejected', 'fixer: committed'],
    ...['first 2', 'quality: F5', 'first ended settled'],
  ]);
  expect(ended.exit, tell(ended)).toBe(0);
  expect(factsOf(ended, 'work-planned')).toMatchObject([{ fix: { findings: ['F1', 'F3'] } }]);
  expect(factsOf(ended, 'work-ended')[0]).not.toHaveProperty('doubts');
  expect(factsOf(ended, 'task-closed')[1]).toMatchObject({ task: 'fix-first-1', proof: 'proven' });
  // The fixer found the test in the tree, and could not take it away.
  expect(factsOf(ended, 'correction-sent')).toHaveLength(1);
  expect(await scene.repo.git('show', '--format=', '--name-only', 'HEAD')).toBe(
    'src/max.js\ntest/max.test.js',
  );
  expect(await scene.repo.read('test/max.test.js')).toBe(maxTest);
  expect(await readRun(scene)).toContain(
    '## Review: 1 confirmed and fixed, 1 refuted, 1 rejected, 2 opinions for you\n',
  );
});

inSoak('a pause while the tests of a fix are put into the tree begins no session', async () => {
  await using scene = await makeReview({
    files: {
      '.gitattributes': 'test/max.test.js filter=slow\n',
      'src/max.js': bug,
    },
    turns: [
      reviewer('quality', [proven], { once: true }),
      reviewer('quality', []),
      reviewer('testing', []),
      fixer([{ write: { file: 'src/max.js', content: mended } }, answersTo({ F1: true })]),
    ],
  });
  const placing = path.join(scene.home, 'placing');
  const paused = path.join(scene.home, 'paused');
  // Git itself waits, so that the pause comes while it writes the file.
  const slow = `cat; [ "$PWD" = "${scene.repo.path}" ] && touch "${placing}" && until [ -e "${paused}" ]; do sleep 0.05; done; true`;
  await scene.repo.git('config', 'filter.slow.smudge', slow);
  const running = scene.startRun();
  await vi.waitFor(() => expect(existsSync(placing)).toBe(true), { timeout: 240_000 });
  await expectExit(0, scene.pawl('pause'));
  writeFileSync(paused, '');
  await running.until('paused');
  expect((await scene.pawl('continue')).exit).toBe(0);
  const ended = await expectExit(0, running.ended);
  const isFixer = (event: (typeof ended.events)[number]) =>
    event.type === 'session-started' && event.role === 'fix';
  const rested = ended.events.findIndex(({ type }) => type === 'paused');
  expect(ended.events.findIndex(isFixer)).toBeGreaterThan(rested);
  expect(await scene.repo.read('test/max.test.js')).toBe(maxTest);
});

test('a fix that deletes, bends and works elsewhere is named, and only a green proof makes it one', async () => {
  const bend = 'git rm -q src/extra.js; echo "check(2);" > test/old.test.js';
  await using scene = await play({
    turns: [
      reviewer('quality', [proven, complaint({ file: 'src/word.txt', title: 'Too short' })], { once: true }),
      reviewer('quality', []),
      reviewer('testing', []),
      fixer([
        { bash: bend },
        { write: { file: 'src/max.js', content: mended } },
        answersTo({ F1: true, F2: true }),
      ]),
    ],
  });
  const ended = await scene.run();
  expect(toldBy(ended).slice(-3), tell(ended)).toEqual(['first 2', 'quality: nothing', 'first ended open']);
  expect(ended.exit).toBe(4);
  const general = ['src/extra.js was removed', 'lines of the test test/old.test.js were changed or removed'];
  // Its tests are pawl's.
  expect(factsOf(ended, 'task-closed')[1]).not.toHaveProperty('unnamed');
  const [fix] = factsOf(ended, 'work-ended');
  const doubts = (id: string) => fix?.doubts?.filter(({ finding }) => finding === id).map(({ text }) => text);
  expect(doubts('F1')).toEqual(general);
  expect(doubts('F2')).toEqual([...general, 'src/word.txt was not touched']);
  expect(factsOf(ended, 'stage-ended')).toMatchObject([{ open: ['F2'] }]);
});

test('two tests that do not fit into one tree: the other stays confirmed, and is left to a person', async () => {
  const inputTest = maxTest.replace('assert.equal(max([9, 10]), 10)', 'assert.equal(max([9, 10, 1]), 10)');
  const other = inMax('Mixes up three numbers', {
    severity: 'minor',
    proof: { ...proven.proof, patch: patchOf('test/max.test.js', inputTest) },
  });
  await using scene = await play({
    turns: [
      reviewer('quality', [proven, other], { once: true }),
      reviewer('quality', []),
      reviewer('testing', []),
      fixer([{ write: { file: 'src/max.js', content: mended } }, answersTo({ F1: true })]),
    ],
  });
  const ended = await expectExit(4, scene.run());
  expect(toldBy(ended)).toEqual([
    ...['first 1', 'quality: F1 F2', 'F1 confirmed', 'F2 confirmed', 'F1 fixed', 'fixer: committed'],
    ...['first 2', 'quality: nothing', 'F2 unproven', 'first ended open'],
  ]);
  expect(await readRun(scene)).toContain('## Review: 1 confirmed and fixed, 1 confirmed and left to you\n');
});

test('a hostile proof is ended at its clock behind walls; what is rejected and returns in other words buys nothing', async () => {
  // Many that stay, and some that hand on to a successor five times a second, each in a session of its own; they would end
  // by themselves after a minute.
  const [stay, handOn] = isSoak ? [200, 30] : [40, 6];
  const storm =
    'export S=\'[ "$1" -gt 0 ] && sleep 0.2 && { setsid sh -c "$S" x $(($1 - 1)) & }\'; ' +
    `for i in $(seq ${stay}); do setsid sleep 60 & done; for i in $(seq ${handOn}); do setsid sh -c "$S" x 300 & done`;
  const hostile = (root: string): string =>
    `(echo owned > ${root}/src/word.txt) || true; echo "$STORY_TOKEN"; ${storm}; sleep 300`;
  await using scene = await play({
    env: { FIXED_PROOF_MS: '3000', STORY_TOKEN: 'not-for-the-journal' },
    turns: (root) => [
      reviewer('quality', [inMax('It is slow on long lists', { severity: 'critical' })], { once: true }),
      reviewer('quality', [inMax('Performance degrades badly', { severity: 'critical', line: 0 })]),
      reviewer('testing', [
        inMax('Boo', { severity: 'minor', proof: { command: hostile(root), patch: '' } }),
      ]),
      fixer([answersTo({ F1: 'lists are short', F2: 'lists are short' })]),
    ],
  });
  const ended = await expectExit(4, scene.run());
  expect(factsOf(ended, 'finding-tried').map(({ result }) => result)).toEqual(['unproven', 'unproven']);
  expect(factsOf(ended, 'check-ended').filter(({ when }) => when === 'proof')).toMatchObject([
    { result: 'timed-out' },
    { result: 'timed-out' },
  ]);
  expect(factsOf(ended, 'work-planned')).toHaveLength(1);
  expect(reviewOf(ended).at(-1)).toBe('first ended open');
  expect(await scene.repo.git('status', '--porcelain')).toBe('');
  expect(await scene.repo.read('src/word.txt')).toBe('right\n');
  expect(await readRun(scene, 'journal.ndjson')).not.toContain('not-for-the-journal');
  await expectNoProcess(scene);
});
