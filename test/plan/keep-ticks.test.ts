// Ticks that came while a person edited a copy: which of them the edit keeps, a row each.
import { expect, test } from 'vitest';
import { keepTicks } from '../../src/plan/keep-ticks.ts';

const plan = (first: string, second: string, more = '') =>
  `# P\n\n### Task 1: A\n- [${first}] one\n- [${first}] two\n\n### Task 2: B\n- [${second}] three\n${more}`;
const third = '\n### Task 3: C\n- [ ] four\n';

const rows: readonly (readonly [string, { edit: string; now: string; base?: string; kept: string }])[] = [
  [
    'a task closed meanwhile stays closed',
    { edit: plan(' ', ' ', third), now: plan('x', ' '), base: plan(' ', ' '), kept: plan('x', ' ', third) },
  ],
  [
    'a task that the person opened is open',
    { edit: plan(' ', ' '), now: plan('x', 'x'), base: plan('x', ' '), kept: plan(' ', 'x') },
  ],
  [
    'without the copy it began with, all that is closed stays so',
    { edit: plan(' ', ' '), now: plan('x', ' '), kept: plan('x', ' ') },
  ],
  [
    'a new step of a closed task is open',
    {
      edit: plan(' ', ' ').replace('] two', '] two, better'),
      now: plan('x', ' '),
      kept: plan(' ', ' ').replace(' ] one', 'x] one').replace('] two', '] two, better'),
    },
  ],
  ['a tick of the person’s own stays', { edit: plan(' ', 'x'), now: plan(' ', ' '), kept: plan(' ', 'x') }],
  ['a task that is gone stays gone', { edit: '# P\n', now: plan('x', ' '), kept: '# P\n' }],
];

test.each(rows)('%s', (_name, { edit, now, base, kept }) => {
  expect(keepTicks(edit, now, base)).toBe(kept);
});
