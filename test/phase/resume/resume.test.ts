// The resume table, a row per line of it.
import { expect, test } from 'vitest';
import { judgeTraces, type Mend, type Traces } from '../../../src/phase/resume/resume.ts';

const nothing: Traces = {
  journal: 'nothing',
  commit: 'none',
  plan: 'open',
  ticksAreOurs: false,
  tickedAtStart: false,
};

const rows: readonly (readonly [string, Partial<Traces>, Mend])[] = [
  ['untouched', {}, 'none'],
  [
    'announced and committed, ticked',
    { journal: 'closing', commit: 'same-tree', plan: 'ticked' },
    'confirm-close',
  ],
  [
    'announced and committed, plan outside not ticked yet',
    { journal: 'closing', commit: 'same-tree' },
    'confirm-close',
  ],
  [
    'announced, committed with a tree a hook made',
    { journal: 'closing', commit: 'other-tree', plan: 'ticked' },
    'check-commit',
  ],
  ['announced, neither ticked nor committed', { journal: 'closing' }, 'check-again'],
  [
    'announced and ticked by pawl, not committed',
    { journal: 'closing', plan: 'ticked', ticksAreOurs: true },
    'untick-and-check',
  ],
  ['announced, ticks are not pawl’s', { journal: 'closing', plan: 'ticked' }, 'check-again'],
  ['a session without an end', { journal: 'session' }, 'crashed'],
  ['a session without an end, ticked by somebody', { journal: 'session', plan: 'ticked' }, 'crashed'],
  ['a session that ended and was not judged', { journal: 'unjudged' }, 'judge-again'],
  ['closed and there', { journal: 'closed', commit: 'same-tree', plan: 'ticked' }, 'none'],
  ['closed, the plan is open again', { journal: 'closed', commit: 'same-tree' }, 'reopen'],
  ['closed, commit gone, plan open', { journal: 'closed' }, 'reopen'],
  ['closed, commit gone, plan ticked', { journal: 'closed', plan: 'ticked' }, 'history-rewritten'],
  ['ticked by a person while nothing ran', { plan: 'ticked' }, 'closed-by-hand'],
  ['ticked before the run began', { plan: 'ticked', tickedAtStart: true }, 'none'],
];

test.each(rows)('%s', (_, traces, mend) => {
  expect(judgeTraces({ ...nothing, ...traces })).toBe(mend);
});
