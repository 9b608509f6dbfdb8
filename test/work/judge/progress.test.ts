// Progress, a row per rule: what is news, what repeats, and which rung follows; and what holds for any history.
import { expect, test } from 'vitest';
import { isStopCutOff, progressOf, type Trace, whyCutOff } from '../../../src/work/judge/progress.ts';

type Means = Parameters<typeof progressOf>[1];
const plain: Means = { attempts: 99 };
const strong: Means = { attempts: 99, escalate: 'strong' };

/** Attempts as `tree:failure`, the failure left out when nothing was red; `!` for a session that repeated itself. */
const trail = (text: string): readonly Trace[] =>
  text
    .split(' ')
    .filter((part) => part !== '')
    .map((part, at) => {
      const [tree = '', fingerprint] = part.replace('!', '').split(':');
      return {
        attempt: at + 1,
        tree,
        ...(fingerprint === undefined ? {} : { fingerprint }),
        ...(part.endsWith('!') ? { outcome: 'stuck' as const } : {}),
      };
    });

test.each<[string, string, Means, string, string?]>([
  ['no attempt yet', '', plain, 'go-on'],
  ['the first one', 'a:x', plain, 'go-on'],
  ['another failure each time', 'a:x b:y c:z', plain, 'go-on'],
  ['another failure on the same files', 'a:x a:y', plain, 'go-on'],
  ['the same failure', 'a:x b:x', plain, 'diagnose restart', 'attempt 2 ended with the same failure as'],
  ['the same failure and files', 'a:x a:x', plain, 'diagnose restart', 'the same failure and the same files'],
  ['the same files, nothing red', 'a b b', plain, 'diagnose', 'attempt 3 left the same files as attempt 2'],
  ['a circle of two', 'a:x b:y a:x', plain, 'diagnose restart', 'as attempt 1'],
  ['a circle of three', 'a:x b:y c:z a:x b:y', strong, 'escalate restart', 'as attempt 2'],
  ['a session that went nowhere', 'a!', plain, 'diagnose', 'the session of attempt 1 went nowhere'],
  ['twice, with other files', 'a! b!', strong, 'escalate'],
  ['the last attempt: no time to diagnose first', 'a:x b:x', { ...strong, attempts: 3 }, 'escalate restart'],
  ['the second rung without a stronger model', 'a:x b:x c:x', plain, 'diagnose restart'],
  ['the second rung', 'a:x b:x c:x', strong, 'escalate restart'],
  ['nothing moves', 'a:x a:x a:x', plain, 'give-up restart', '2 times in a row'],
  ['nothing moves, but the stronger model was not tried', 'a:x a:x a:x', strong, 'escalate restart'],
  ['nor with the stronger model', 'a:x a:x a:x a:x', strong, 'give-up restart', '3 times in a row'],
  ['a circle that goes on', 'a:x b:y a:x b:y', plain, 'give-up restart'],
  ['one failure for ever, but the files move', 'a:x b:x c:x d:x e:x f:x', plain, 'diagnose restart'],
  ['news after a circle begins anew', 'a:x a:x b:y', plain, 'go-on'],
  ['and its repetition is the first rung', 'a:x a:x b:y b:y', plain, 'diagnose restart'],
  ['nothing is ever changed', 'a a a', plain, 'give-up', 'left the same files'],
])('%s', (_, history, means, expected, why) => {
  const progress = progressOf({ counted: trail(history) }, means);
  const words = progress.step === 'go-on' ? [] : [...(progress.restart ? ['restart'] : [])];
  expect([progress.step, ...words].join(' ')).toBe(expected);
  if (why !== undefined) expect(progress).toMatchObject({ why: expect.stringContaining(why) });
});

/** Every history of up to four attempts. */
const histories = Array.from({ length: 4 }).reduce<readonly string[]>(
  (before) => [
    '',
    ...before.flatMap((one) => ['a:x', 'a:y', 'b:x', 'b', 'c!'].map((part) => `${one} ${part}`)),
  ],
  [''],
);

test.each([plain, strong, { attempts: 0 }])('whatever the history: %j', (means) => {
  for (const history of histories.slice(1)) {
    const trails = trail(history);
    const isNew = trails.slice(0, -1).every(({ tree }) => tree !== trails.at(-1)?.tree);
    if (isNew) expect(progressOf({ counted: trails }, means).step, history).not.toBe('give-up');
    // What repeats for ever, whatever the period.
    expect(progressOf({ counted: trail(history.repeat(4)) }, means).step, history).toBe('give-up');
  }
});

test.each([
  [2, undefined],
  [3, expect.stringContaining('pawl was killed 3 times in a row')],
  [4, expect.stringContaining('pawl was killed 4 times in a row')],
])('after %i lives in a row that were cut off', (cutOffs, says) => {
  const life = { state: () => ({ cutOffs: new Map([['', cutOffs]]) }) };
  // Only the fourth took the stop down, too.
  expect([whyCutOff(life), isStopCutOff(life)]).toEqual([says, cutOffs === 4]);
});
