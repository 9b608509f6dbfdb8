// Which commit holds today what an older one held, by facts: through several rewrites, and not once all was put back.
import { expect, test } from 'vitest';
import { commitNow, headNow } from '../../src/event/rewritten.ts';
import type { Fact } from '../../src/event.ts';
import { foldRun } from '../../src/journal/fold.ts';
import { fact, stampAll } from '../helpers/facts.ts';

const first = fact('history-finalized', {
  from: 'b',
  to: 'x',
  commits: [
    { old: 'b', now: 'x' },
    { old: 'a', now: 'x' },
  ],
});
const second = fact('history-finalized', { from: 'x', to: 'y', commits: [{ old: 'x', now: 'y' }] });
const failed = fact('finalize-ended', { result: 'failed', reason: 'red' });

test.each<[string, readonly Fact[], string, string]>([
  ['nothing was put in order', [], 'a', 'b'],
  ['once', [first], 'x', 'x'],
  ['twice', [first, second], 'y', 'y'],
  ['and it ended well', [first, fact('finalize-ended')], 'x', 'x'],
  ['and all was put back', [first, second, failed], 'a', 'b'],
])('%s', (_, facts, now, head) => {
  const state = foldRun(stampAll([fact('run-started'), fact('finalize-started'), ...facts]));
  if (!state) throw new Error('no run');
  expect(commitNow(state, 'a')).toBe(now);
  expect(headNow(state, 'b')).toBe(head);
  // A commit that nobody touched, and a head of another time.
  expect([commitNow(state, 'z'), headNow(state, 'z')]).toEqual(['z', 'z']);
  expect(state.fixes.get('finalize')).toMatchObject({ finalizes: true, standing: 'open' });
});

test('what was put in order stays so, though a task that is begun again has it finalized anew', () => {
  const begun = fact('task-started', { task: '1' });
  const state = foldRun(
    stampAll([
      fact('run-started'),
      fact('plan-read'),
      fact('finalize-started'),
      first,
      begun,
      fact('finalize-started'),
      second,
      failed,
    ]),
  );
  expect(state && commitNow(state, 'a')).toBe('x');
});
