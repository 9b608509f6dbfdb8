// Whether an agent that wants to stop is sent back.
import { expect, test } from 'vitest';
import { judgeStop } from '../../../src/start/prove/judge-stop.ts';

const bad = { word: 'unchecked', reasons: ['`npm test` ran no test'], output: '' } as const;
const past = (...decisions: ('block' | 'allow')[]) =>
  decisions.map((decision) => ({ decision, at: '', word: '', reasons: [] }));

test.each([
  ['proven', { ...bad, word: 'proven' } as const, past(), 'allow', undefined],
  ['passed', { ...bad, word: 'passed' } as const, past(), 'allow', undefined],
  ['unchecked', bad, past(), 'block', undefined],
  ['for the second time', bad, past('block'), 'block', undefined],
  ['too often', bad, past('block', 'block'), 'allow', /after 2 corrections `npm test` ran no test/],
  ['anew after it was let go', bad, past('block', 'block', 'allow'), 'block', undefined],
])('%s', (_, proof, stops, decision, told) => {
  const answer = judgeStop(proof, stops, 2);
  expect(answer.decision).toBe(decision);
  if (told) expect(answer.decision === 'allow' ? answer.told : '').toMatch(told);
});
