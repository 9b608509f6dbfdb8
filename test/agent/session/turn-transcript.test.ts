import { describe, expect, it, test } from 'vitest';
import {
  findCannotWork,
  type TurnResult,
  TurnTranscript,
} from '../../../src/agent/session/turn-transcript.ts';

const result = (more: Partial<TurnResult> = {}): TurnResult => ({
  type: 'result',
  text: '',
  isError: false,
  ...more,
});

describe('what is heard in a turn', () => {
  it('keeps the files that tools write, told before or after, of all turns', () => {
    const transcript = new TurnTranscript();
    const call = { id: 'a', main: false } as const;
    transcript.take({ ...call, type: 'tool-started', tool: 'Write', detail: '', writes: ['/r/a'] });
    transcript.startTurn();
    transcript.take({ ...call, type: 'tool-ended', isError: false, writes: ['/r/b', '/r/a'] });
    transcript.take({ ...call, type: 'tool-ended', isError: false });
    expect([...transcript.written]).toEqual(['/r/a', '/r/b']);
  });

  it('keeps the last result and the last that has text or structure', () => {
    const transcript = new TurnTranscript();
    for (const text of ['first', 'second', '  ']) transcript.take(result({ text }));
    expect([transcript.last?.text, transcript.answer?.text]).toEqual(['  ', 'second']);
    transcript.take(result({ structured: { findings: [] } }));
    expect(transcript.answer?.structured).toEqual({ findings: [] });
    transcript.startTurn();
    expect([transcript.last, transcript.answer]).toEqual([undefined, undefined]);
  });

  it('knows how full the context is, by the window of the model that spoke', () => {
    const transcript = new TurnTranscript();
    transcript.take(result({ contextWindows: { big: 1_000 } }));
    expect(transcript.contextShare).toBeUndefined();
    transcript.take({ type: 'context', tokens: 100, model: 'big' });
    transcript.take(result({ contextWindows: { big: 1_000, small: 200 } }));
    expect(transcript.contextShare).toBe(0.1);
    transcript.take({ type: 'context', tokens: 100, model: 'big[1m]' });
    transcript.take(result({ contextWindows: { big: 1_000, small: 200 } }));
    expect(transcript.contextShare).toBe(0.5);
    transcript.startTurn();
    expect(transcript.contextShare).toBe(0.5);
  });

  it.each([
    [401, 2, false],
    [401, 3, true],
    [403, 3, true],
    [429, 7, false],
    [529, 7, false],
    [undefined, 7, false],
  ])('takes a retry after %s, the %i., for a refusal for good: %s', (status, attempt, isRefusal) => {
    const transcript = new TurnTranscript();
    const more = status === undefined ? {} : { status };
    transcript.take({ type: 'api-retry', attempt, max: 7, delayMs: 1, reason: 'x', ...more });
    expect(transcript.refusal !== undefined).toBe(isRefusal);
    transcript.startTurn();
    expect(transcript.refusal).toBeUndefined();
  });

  it('keeps a limit over turns, and a retry only until the model speaks', () => {
    const transcript = new TurnTranscript();
    transcript.take({ type: 'limit', status: 'rejected' });
    transcript.take({ type: 'api-retry', attempt: 1, max: 7, delayMs: 1, reason: 'x' });
    expect(transcript.retry?.attempt).toBe(1);
    transcript.take({ type: 'said', text: 'API Error', main: true, synthetic: true });
    expect(transcript.retry?.attempt).toBe(1);
    transcript.take({ type: 'said', text: 'here', main: true, synthetic: false });
    expect(transcript.retry).toBeUndefined();
    transcript.startTurn();
    expect(transcript.limit?.status).toBe('rejected');
  });

  it('keeps a bounded tail of plain text', () => {
    const [lines, most, least] = [200_000, 2_000_000, 1_000_000];
    const transcript = new TurnTranscript();
    for (let at = 0; at < lines; at += 1)
      transcript.take({ type: 'noise', text: `line ${at} of plain text` });
    expect(transcript.noise.length).toBeLessThanOrEqual(most);
    expect(transcript.noise.length).toBeGreaterThanOrEqual(least);
    expect(transcript.noise.endsWith(`\nline ${lines - 1} of plain text`)).toBe(true);
  });
});

// What shows that an agent can work in no session here, row by row.
const done: TurnResult = { type: 'result', text: 'done', isError: false };
const unasked: TurnResult = { ...done, text: 'blocked by hook: no', unasked: true };
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
  ['was denied all', { denied: new Set(['Bash', 'Edit']), used: false }, /denied every tool .*Bash, Edit/],
  ['was not asked', { spoke: false, used: false, last: unasked }, /without asking the model: blocked/],
  ['has answered a command of its own', { last: unasked }, undefined],
])('one that %s', (_, more, reason) => {
  const found = findCannotWork({ permissions: 'bypassPermissions' }, { ...said, ...more });
  if (reason) expect(found?.reason).toMatch(reason);
  else expect(found).toBeUndefined();
});

test('whoever sets the mode by arguments of their own is believed', () => {
  expect(findCannotWork({}, { ...said, permissions: 'default' })).toBeUndefined();
});
