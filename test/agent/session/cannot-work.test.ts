// What shows that an agent can work in no session here, row by row.
import { expect, test } from 'vitest';
import { findCannotWork, type TurnResult } from '../../../src/agent/session/turn-transcript.ts';

const done: TurnResult = { type: 'result', text: 'done', isError: false };
const said = {
  permissions: 'bypassPermissions',
  denied: new Set<string>(),
  used: true,
  spoke: true,
  last: done as TurnResult | undefined,
};

test.each([
  ['works as it was told', {}, undefined],
  ['says nothing of its mode', { permissions: undefined }, undefined],
  ['works in another mode', { permissions: 'default' }, /permission mode default, not in bypassPermissions/],
  ['was denied one of several tools', { denied: new Set(['WebFetch']) }, undefined],
  [
    'was denied all it wanted',
    { denied: new Set(['Bash', 'Edit']), used: false },
    /denied every tool .*Bash, Edit/,
  ],
  [
    'was not asked at all',
    { spoke: false, used: false, last: { ...done, text: 'blocked by hook: no', unasked: true as const } },
    /without asking the model: blocked by hook: no/,
  ],
  ['has answered a command of its own', { last: { ...done, unasked: true as const } }, undefined],
])('one that %s', (_, more, reason) => {
  const found = findCannotWork({ permissions: 'bypassPermissions' }, { ...said, ...more });
  if (reason) expect(found?.reason).toMatch(reason);
  else expect(found).toBeUndefined();
});

test('whoever sets the mode by arguments of their own is believed', () => {
  expect(findCannotWork({}, { ...said, permissions: 'default' })).toBeUndefined();
});
