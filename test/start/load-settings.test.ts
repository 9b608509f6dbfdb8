// Which words of a command line the next start of the same run has to be given again.
import { expect, test } from 'vitest';
import { wordsToRepeat } from '../../src/start/load-settings.ts';
import type { ReviewFlags } from '../../src/start/prepare-review.ts';
import type { RunFlags } from '../../src/start/run-options.ts';

test.each<[string, RunFlags | ReviewFlags, readonly string[]]>([
  ['nothing', {}, []],
  ['where it works', { sandbox: 'process' }, ['--sandbox', 'process']],
  ['no review at all', { review: '' }, ['--review', '']],
  ['a switch', { keepGoing: true, worktree: true }, ['--keep-going']],
  ['settings', { set: ['a=1', 'b=2'] }, ['--set', 'a=1', '--set', 'b=2']],
  ['what counts of a review', { failOn: 'major', base: 'main' }, ['--fail-on', 'major']],
  ['what follows the run', { pr: true, push: true }, ['--pr', '--push']],
  [
    'what the run remembers of settings',
    { set: ['budgets.maxSessions=1', 'a=1', 'branch=night'] },
    ['--set', 'a=1'],
  ],
  ['what the run remembers', { maxCost: '3', branch: 'night', worktree: true }, []],
  ['what is of one start', { task: '2', fresh: true, takeEdits: true, trust: true, json: true }, []],
])('%s', (_, options, words) => {
  expect(wordsToRepeat(options)).toEqual(words);
});
