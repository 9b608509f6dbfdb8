// When lives that were cut off fail a task, or the whole run.
import { expect, test } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import { listSuspects, whyRunCutOff, whyTaskCutOff } from '../../../src/work/judge/progress.ts';

test.each([
  [0, [], undefined],
  [1, [], undefined],
  [2, ['2'], undefined],
  [3, ['2'], 'pawl was killed 3 times in a row'],
] as const)('after %i lives that were cut off in a task, or outside of any', (times, suspects, says) => {
  const known = {
    config: configSchema.parse({}),
    state: () => ({ cutOffs: { times: new Map([['2', times]]), beside: times } }),
  } as unknown as Parameters<typeof whyTaskCutOff>[0];
  expect(listSuspects(known)).toEqual(suspects);
  const told = [whyTaskCutOff(known, '2'), whyRunCutOff(known)];
  expect(told).toEqual(
    says === undefined ? [undefined, undefined] : told.map(() => expect.stringContaining(says)),
  );
  expect(whyTaskCutOff(known, '1')).toBeUndefined();
});
