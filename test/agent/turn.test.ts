import { describe, expect, it } from 'vitest';
import { Hearing, type Result } from '../../src/agent/turn.ts';

const result = (more: Partial<Result> = {}): Result => ({
  type: 'result',
  text: '',
  isError: false,
  ...more,
});

describe('what is heard in a turn', () => {
  it('keeps the files that tools write, told before or after, of all turns', () => {
    const hearing = new Hearing(false);
    const call = { id: 'a', main: false } as const;
    hearing.take({ ...call, type: 'tool-started', tool: 'Write', detail: '', writes: ['/r/a'] });
    hearing.startTurn();
    hearing.take({ ...call, type: 'tool-ended', isError: false, writes: ['/r/b', '/r/a'] });
    hearing.take({ ...call, type: 'tool-ended', isError: false });
    expect([...hearing.written]).toEqual(['/r/a', '/r/b']);
  });

  it('keeps the last result and the last that has text or structure', () => {
    const hearing = new Hearing(false);
    for (const text of ['first', 'second', '  ']) hearing.take(result({ text }));
    expect([hearing.last?.text, hearing.answer?.text]).toEqual(['  ', 'second']);
    hearing.take(result({ structured: { findings: [] } }));
    expect(hearing.answer?.structured).toEqual({ findings: [] });
    hearing.startTurn();
    expect([hearing.last, hearing.answer]).toEqual([undefined, undefined]);
  });

  it('knows how full the context is, by the window of the model that spoke', () => {
    const hearing = new Hearing(false);
    hearing.take(result({ contextWindows: { big: 1_000 } }));
    expect(hearing.contextShare).toBeUndefined();
    hearing.take({ type: 'context', tokens: 100, model: 'big' });
    hearing.take(result({ contextWindows: { big: 1_000, small: 200 } }));
    expect(hearing.contextShare).toBe(0.1);
    hearing.take({ type: 'context', tokens: 100, model: 'big[1m]' });
    hearing.take(result({ contextWindows: { big: 1_000, small: 200 } }));
    expect(hearing.contextShare).toBe(0.5);
    hearing.startTurn();
    expect(hearing.contextShare).toBe(0.5);
    hearing.take(result({ contextShare: 0.7 }));
    expect(hearing.contextShare).toBe(0.7);
  });

  it.each([
    [401, 2, false],
    [401, 3, true],
    [403, 3, true],
    [429, 7, false],
    [529, 7, false],
    [undefined, 7, false],
  ])('takes a retry after %s, the %i., for a refusal for good: %s', (status, attempt, isRefusal) => {
    const hearing = new Hearing(false);
    const more = status === undefined ? {} : { status };
    hearing.take({ type: 'api-retry', attempt, max: 7, delayMs: 1, reason: 'x', ...more });
    expect(hearing.refusal !== undefined).toBe(isRefusal);
    hearing.startTurn();
    expect(hearing.refusal).toBeUndefined();
  });

  it('keeps a limit over turns, and a retry only until the model speaks', () => {
    const hearing = new Hearing(false);
    hearing.take({ type: 'limit', status: 'rejected', windows: [] });
    hearing.take({ type: 'api-retry', attempt: 1, max: 7, delayMs: 1, reason: 'x' });
    expect(hearing.retry?.attempt).toBe(1);
    hearing.take({ type: 'said', text: 'API Error', main: true, synthetic: true });
    expect(hearing.retry?.attempt).toBe(1);
    hearing.take({ type: 'said', text: 'here', main: true, synthetic: false });
    expect(hearing.retry).toBeUndefined();
    hearing.startTurn();
    expect(hearing.limit?.status).toBe('rejected');
  });

  it.each([
    { plainAnswer: true, lines: 200_000, most: 2_000_000, least: 1_000_000 },
    { plainAnswer: false, lines: 200_000, most: 16_000, least: 8_000 },
  ])('keeps a bounded tail of plain text: $plainAnswer', ({ plainAnswer, lines, most, least }) => {
    const hearing = new Hearing(plainAnswer);
    for (let at = 0; at < lines; at += 1) hearing.take({ type: 'noise', text: `line ${at} of plain text` });
    expect(hearing.noise.length).toBeLessThanOrEqual(most);
    expect(hearing.noise.length).toBeGreaterThanOrEqual(least);
    expect(hearing.noise.endsWith(`\nline ${lines - 1} of plain text`)).toBe(true);
  });
});
