// The dialogue about a plan as a person reads it, as it goes on and in the receipt.
import { expect, test } from 'vitest';
import type { Fact } from '../../../src/event.ts';
import { formatDraft } from '../../../src/report/events/format-session.ts';
import { receiptLines } from '../../../src/report/receipt/receipt.ts';
import { type Line, renderLine } from '../../../src/report/text/line.ts';
import { fact, foldFacts } from '../../helpers/facts.ts';

const words = [
  fact('dialogue-asked'),
  fact('dialogue-answered', { by: 'default', because: 'it is recommended' }),
  fact('dialogue-drafted'),
  fact('dialogue-judged'),
  fact('dialogue-written'),
] as const;

test('the receipt tells what was decided, and how to go on', () => {
  const started = fact('run-started', {
    title: 'Add sessions',
    planning: { from: 'notes.md' },
  });
  const receipt = (...more: readonly Fact[]) => {
    const session = [
      fact('session-started'),
      fact('session-ended', { outcome: 'done', costUsd: 0.1, costAtLeast: false }),
    ];
    return receiptLines(foldFacts([started, ...session, ...more]))
      .map(renderLine)
      .join('\n');
  };
  const ended = fact('run-ended', { exit: 0, reasons: [], finished: true });
  expect(`\n${receipt(...words, ended)}`).toMatchInlineSnapshot(`
    "
    Finished
    Planning: Add sessions
    Sat 21 Nov, 22:30 (8s)

    The dialogue
      Question 1: Store
      Where are sessions kept?
      The app has a Redis already.
      Answer 1 (it is recommended): Redis
      Draft 1: 2 tasks, 2 checks of their own
      Draft 1 was commented on
      The plan is written: docs/plans/2026-11-22-auth.md

    Cost and time
      Spent: $0.10 in 1 session; 10 input, 5k output, 0 cache read, 0 cache write tokens (what the API would charge; a subscription pays)
      Time: 6s at work: 1s in sessions, 5s in pawl itself; besides 2s waiting

    Next
      Run it: pawl run docs/plans/2026-11-22-auth.md"
  `);
  const open = fact('run-ended', { exit: 130, reasons: [], finished: false });
  expect(receipt(fact('dialogue-asked'), open)).toContain(`pawl plan --resume ${started.run}`);
  expect(receipt(fact('dialogue-written', { to: 'my plan.md' }), ended)).toContain("pawl run 'my plan.md'");
});

// A draft as a person reads it.
const given = fact('dialogue-drafted', {
  draft: 2,
  tasks: 1,
  checks: 1,
  errors: ['bad line'],
  notes: ['lacks'],
});
const text = '# Plan: P\n\n### Task 1: A\n- check: `x`\n- [ ] do it\n';

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
