// The step language in its file.
import { expect, test } from 'vitest';
import { parseScript, type Script } from '../fixtures/agents/scripted/script.ts';

test.each([
  ['[]', 'a script needs "turns"'],
  ['{"turns":[{}]}', 'turn 0 needs "steps"'],
  ['{"turns":[{"steps":[{"says":"x"}]}]}', 'turn 0 has an unknown step: {"says":"x"}'],
  ['{"turns":[{"steps":["x"]}]}', 'turn 0 has an unknown step: "x"'],
  ['{', 'JSON'],
])('%s is refused: %s', (text, message) => {
  expect(() => parseScript(text)).toThrow(message);
});

test('a script survives its file', () => {
  const script: Script = {
    turns: [{ when: { regex: '^a' }, once: true, steps: [{ hang: true }, { exit: 3 }] }],
  };
  expect(parseScript(JSON.stringify(script))).toEqual(script);
});
