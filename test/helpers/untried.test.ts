// What `npm test` says at its end of all that it did not try.
import { expect, test } from 'vitest';
import type { Need } from './needs.ts';
import { tellUntried } from './untried.ts';

test.each<[string, number, readonly Need[], boolean, string]>([
  ['all was tried', 0, ['jq'], false, ''],
  ['a machine with all', 3, [], true, ''],
  [
    'a machine that lacks something',
    3,
    ['a container engine (docker)', 'jq'],
    true,
    'Not tried: what needs a container engine (docker), jq, which this machine lacks.\n',
  ],
  [
    'no soak, too',
    3,
    ['jq'],
    false,
    'Not tried: what needs jq, which this machine lacks; what `npm run soak` adds to the stories.\n',
  ],
])('%s', (_, skipped, lacks, isAll, says) => {
  expect(tellUntried(skipped, lacks, isAll)).toBe(says);
});
