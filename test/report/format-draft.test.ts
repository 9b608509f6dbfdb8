// A draft as a person reads it.
import { expect, test } from 'vitest';
import { formatDraft } from '../../src/report/events/format-dialogue.ts';
import type { Line } from '../../src/report/text/line.ts';
import { fact } from '../helpers/facts.ts';

const given = fact('dialogue-drafted', {
  draft: 2,
  tasks: 1,
  checks: 1,
  errors: ['bad line'],
  notes: ['lacks'],
});
const text = '# Plan: P\n\n### Task 1: A\n- check: `x`\n- [ ] do it\n```\n# none\n```\n';

const shown = (lines: readonly Line[]) => lines.map(({ tone, text: words }) => `${tone} ${words}`);

test('its headings and checks are set off, and what pawl has to say follows', () => {
  const tried = fact('dialogue-tried', { tried: true, problems: ['the check `x` passes'] });
  expect(shown(formatDraft({ draft: given, text, tried }))).toEqual([
    'plain ',
    'head # Plan: P',
    'plain ',
    'head ### Task 1: A',
    'good - check: `x`',
    'plain - [ ] do it',
    'dim ```',
    'dim # none',
    'dim ```',
    'plain ',
    'head Draft 2: 1 task, 1 check of its own',
    'bad bad line',
    'warn lacks',
    'warn the check `x` passes',
  ]);
});

test.each([
  ['not tried', fact('dialogue-tried', { tried: false, problems: [] }), 'dim its checks were not tried'],
  [
    'all red',
    fact('dialogue-tried', { tried: true, problems: [] }),
    'good each of its checks fails now, as it should',
  ],
])('its checks: %s', (_, tried, words) => {
  const draft = fact('dialogue-drafted', { draft: 1, tasks: 2, checks: 2, errors: [], notes: [] });
  expect(shown(formatDraft({ draft, text: '', tried })).slice(-2)).toEqual([
    'head Draft 1: 2 tasks, 2 checks of their own',
    words,
  ]);
});
