// A keyboard that is grabbed and let go of: what reaches whom, and how the terminal is left.
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { KeyDeed } from '../../src/control/key.ts';
import { openKeys } from '../../src/control/keyboard.ts';

function makeInput(fails = false) {
  const modes: boolean[] = [];
  const setRawMode = (isRaw: boolean) => {
    if (fails) throw new Error('setRawMode EIO');
    modes.push(isRaw);
  };
  return { input: Object.assign(new PassThrough(), { setRawMode }), modes };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('keys act, a line is shown while it is typed, and the terminal is put back', async () => {
  const { input, modes } = makeInput();
  const deeds: KeyDeed[] = [];
  const shown: unknown[] = [];
  {
    using keys = openKeys(input, {
      deed: (deed) => deeds.push(deed),
      show: (typing) => shown.push(typing?.text),
    });
    expect(modes).toEqual([true]);
    input.write('p');
    // A character that comes in two pieces.
    input.write(Buffer.from('sü\r').subarray(0, 2));
    await settle();
    input.write(Buffer.from('sü\r').subarray(2));
    await settle();
    expect(deeds).toEqual([{ do: 'toggle-pause' }, { do: 'steer', text: 'ü', now: false }]);
    expect(shown).toEqual(['', 'ü', undefined]);
    keys.release();
    input.write('q');
    await settle();
    expect(deeds).toHaveLength(2);
    keys.grab();
    await settle();
    expect(modes).toEqual([true, false, true]);
    expect(deeds.at(-1)).toEqual({ do: 'stop' });
  }
  expect(modes).toEqual([true, false, true, false]);
  expect(input.listenerCount('data')).toBe(0);
});

test.each([
  ['s', 'use the queue', 'steer'],
  ['a', 'quick', 'say'],
])('a line begun by %s stays when a question is over: its letters are no keys', async (key, text, deed) => {
  const { input } = makeInput();
  const deeds: KeyDeed[] = [];
  using keys = openKeys(input, { deed: (each) => deeds.push(each), show: () => {} });
  input.write(key + text.slice(0, 1));
  await settle();
  keys.type(undefined);
  input.write(`${text.slice(1)}\r`);
  await settle();
  expect(deeds).toMatchObject([{ do: deed, text }]);
  keys.type({ text: '', now: false, answer: true });
  keys.type(undefined);
  input.write('q');
  await settle();
  expect(deeds.at(-1)).toEqual({ do: 'stop' });
});

test('a terminal that went away is no keyboard and no error', () => {
  const { input } = makeInput(true);
  using keys = openKeys(input, { deed: () => {}, show: () => {} });
  keys.grab();
  keys.release();
  expect(input.listenerCount('data')).toBe(0);
});
