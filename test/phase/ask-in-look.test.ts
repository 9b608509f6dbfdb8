// What a reviewer's turn comes to, by how it ended: one row per ending.
import { expect, test } from 'vitest';
import type { Outcome } from '../../src/agent/session/session-plan.ts';
import { judgeReply } from '../../src/phase/ask-in-look.ts';

const read = { value: { findings: [] } };
const unread = { problem: 'the answer holds no JSON' };

/** An ending, and what it comes to with an answer that can be read, and without one. */
const rows: readonly (readonly [Outcome, string, string])[] = [
  [{ kind: 'done', reason: '' }, 'opinion', 'missing'],
  [{ kind: 'already-done', reason: '' }, 'opinion', 'missing'],
  [{ kind: 'silent', reason: '' }, 'opinion', 'missing'],
  [{ kind: 'failed', reason: 'gave up' }, 'missing', 'missing'],
  [{ kind: 'needs-input', reason: 'which?' }, 'missing', 'missing'],
  [{ kind: 'replan', reason: 'no' }, 'missing', 'missing'],
  [{ kind: 'crashed', reason: 'gone' }, 'missing', 'missing'],
  [{ kind: 'timed-out', reason: 'silence' }, 'missing', 'missing'],
  [{ kind: 'stuck', reason: 'in circles' }, 'missing', 'missing'],
  // Its sub-agents were still at work.
  [{ kind: 'unfinished', reason: 'open' }, 'missing', 'missing'],
  [{ kind: 'over-budget', reason: '$1' }, 'missing', 'missing'],
  [{ kind: 'interrupted', reason: 'aborted' }, 'missing', 'missing'],
  [{ kind: 'limited', reason: 'limit', until: 5 }, 'wait', 'wait'],
  [{ kind: 'overloaded', reason: 'busy' }, 'wait', 'wait'],
  [{ kind: 'refused', reason: 'login', remedies: ['log in'] }, 'stop', 'stop'],
];

test.each(rows)('%j', (outcome, whenRead, whenUnread) => {
  expect(judgeReply(outcome, read, { isHalted: false }).kind).toBe(whenRead);
  expect(judgeReply(outcome, unread, { isHalted: false }).kind).toBe(whenUnread);
});

const refused: Outcome = { kind: 'refused', reason: 'login', remedies: ['a', 'b'] };
const limited: Outcome = { kind: 'limited', reason: 'x', until: 5 };

test.each<[string, Outcome, Readonly<{ isHalted?: boolean; unusable?: string }>, object]>([
  ['who came to its end can be asked again', { kind: 'silent', reason: '' }, {}, { isUnread: true }],
  ['no other can', { kind: 'crashed', reason: 'gone' }, {}, { reason: 'gone', isUnread: false }],
  ['who only stood in is no end', refused, { unusable: 'codex' }, { kind: 'wait', why: 'limit' }],
  ['whom a person stopped', { kind: 'interrupted', reason: '' }, { isHalted: true }, { kind: 'held' }],
  ['a limit keeps its reset', limited, {}, { why: 'limit', until: 5 }],
  ['a refusal its remedies', refused, {}, { why: 'refused', hint: 'a\nb' }],
])('%s', (_, outcome, more, reply) => {
  expect(judgeReply(outcome, unread, { isHalted: false, ...more })).toMatchObject(reply);
});
