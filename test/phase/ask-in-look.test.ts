// What a reviewer's turn comes to, by how it ended: one row per ending.
import { describe, expect, test } from 'vitest';
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
  [{ kind: 'timed-out', reason: 'silence', clock: 'silence' }, 'missing', 'missing'],
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

describe('beside its kind', () => {
  test('only who came to its end can be asked again', () => {
    expect(judgeReply({ kind: 'silent', reason: '' }, unread, { isHalted: false })).toEqual({
      kind: 'missing',
      reason: 'the answer holds no JSON',
      isUnread: true,
    });
    expect(judgeReply({ kind: 'crashed', reason: 'gone' }, unread, { isHalted: false })).toMatchObject({
      reason: 'gone',
      isUnread: false,
    });
  });

  test('who only stood in, and cannot, is no end of the run', () =>
    expect(
      judgeReply({ kind: 'refused', reason: 'login', remedies: [] }, unread, {
        ...{ isHalted: false, unusable: 'codex' },
      }),
    ).toEqual({ kind: 'wait', why: 'limit', reason: 'codex cannot stand in: login', counts: false }));

  test('whom a person stopped is not missing', () =>
    expect(judgeReply({ kind: 'interrupted', reason: 'x' }, read, { isHalted: true })).toEqual({
      kind: 'held',
    }));

  test('a limit keeps its reset, a refusal its remedies', () => {
    expect(judgeReply({ kind: 'limited', reason: 'x', until: 5 }, read, { isHalted: false })).toMatchObject({
      why: 'limit',
      until: 5,
    });
    expect(
      judgeReply({ kind: 'refused', reason: 'x', remedies: ['a', 'b'] }, read, { isHalted: false }),
    ).toMatchObject({ why: 'refused', hint: 'a\nb' });
  });
});
