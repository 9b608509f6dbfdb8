// What keys mean: one row per key, in both modes.
import { describe, expect, test } from 'vitest';
import { type KeyDeed, pressKey, splitKeys, type Typing } from '../../src/control/key.ts';

test.each([
  ['pr', ['p', 'r']],
  ['\x1b[A', ['\x1b[A']],
  ['\x1bOPx', ['\x1bOP', 'x']],
  ['\x1b[200~a\x1b[201~', ['\x1b[200~', 'a', '\x1b[201~']],
  ['\x1b', ['\x1b']],
  ['\x1b\x1b', ['\x1b', '\x1b']],
  ['ü😀', ['ü', '😀']],
  ['', []],
])('the keys of %j', (chunk, keys) => {
  expect(splitKeys(chunk)).toEqual(keys);
});

test.each<[key: string, deed: KeyDeed | undefined, typing: Typing | undefined]>([
  ['p', { do: 'toggle-pause' }, undefined],
  ['r', { do: 'continue' }, undefined],
  ['q', { do: 'stop' }, undefined],
  ['?', { do: 'help' }, undefined],
  ['\x03', { do: 'interrupt' }, undefined],
  ['\x1a', { do: 'suspend' }, undefined],
  ['\x1c', { do: 'pause', now: false }, undefined],
  ['s', undefined, { text: '', now: false }],
  ['S', undefined, { text: '', now: true }],
  ['x', undefined, undefined],
  ['\r', undefined, undefined],
  ['\x1b[A', undefined, undefined],
])('the single key %j', (key, deed, typing) => {
  expect(pressKey(undefined, key)).toEqual({ ...(deed && { deed }), ...(typing && { typing }) });
});

describe('typing a note', () => {
  const type = (keys: string, now = false) => {
    let typing: Typing | undefined = { text: '', now };
    const deeds: KeyDeed[] = [];
    for (const key of splitKeys(keys)) {
      const pressed = pressKey(typing, key);
      typing = pressed.typing;
      if (pressed.deed) deeds.push(pressed.deed);
    }
    return { typing, deeds };
  };

  test.each([
    ['letters that are keys elsewhere', 'pq?', { typing: { text: 'pq?' }, deeds: [] }],
    ['backspace takes a whole character', 'a👩\x7f', { typing: { text: 'a' }, deeds: [] }],
    ['backspace on nothing', '\x7f', { typing: { text: '' }, deeds: [] }],
    ['Ctrl-W takes a word', 'one two \x17', { typing: { text: 'one ' }, deeds: [] }],
    ['Ctrl-U takes all', 'one two\x15', { typing: { text: '' }, deeds: [] }],
    ['arrows write nothing', 'a\x1b[Db', { typing: { text: 'ab' }, deeds: [] }],
    ['a tab is a blank', 'a\tb', { typing: { text: 'a b' }, deeds: [] }],
    ['Esc cancels', 'abc\x1b', { typing: undefined, deeds: [] }],
    ['Enter sends', ' abc \r', { typing: undefined, deeds: [{ do: 'steer', text: 'abc', now: false }] }],
    ['Enter on blanks cancels', '  \r', { typing: undefined, deeds: [] }],
    ['Ctrl-C keeps the line', 'ab\x03', { typing: { text: 'ab' }, deeds: [{ do: 'interrupt' }] }],
  ])('%s', (_, keys, expected) => {
    expect(type(keys)).toMatchObject(expected);
  });

  test('one for the running session', () => {
    expect(type('now\r', true).deeds).toEqual([{ do: 'steer', text: 'now', now: true }]);
  });
});
