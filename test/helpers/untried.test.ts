import { expect, test } from 'vitest';
import { tellUntried } from './untried.ts';

test('what was skipped is said at the end, with why', () => {
  expect([tellUntried(0, ['jq'], false), tellUntried(3, [], true)]).toEqual(['', '']);
  expect(tellUntried(3, ['jq', 'shellcheck'], false)).toBe(
    'Not tried: what needs jq, shellcheck, which this machine lacks; what `npm run soak` adds to the stories.\n',
  );
});
