// Whether commands that a planner wrote may run without being shown: only where the repository is trusted.
import { expect, test } from 'vitest';
import type { CliContext } from '../../src/start/context.ts';
import { makePerson } from '../../src/start/dialogue/choose-person.ts';
import type { PlanOptions } from '../../src/start/dialogue/plan-options.ts';

test.each<[string, boolean, PlanOptions, boolean]>([
  ['trusted', true, {}, true],
  ['not trusted', false, {}, false],
  // So it says when the switch is not there.
  ['not trusted, as the command line reads', false, { tryChecks: true }, false],
  ['trusted, and not wanted', true, { tryChecks: false }, false],
])('with --yes: %s', async (_, trusted, options, allowed) => {
  const person = makePerson({} as CliContext, 'yes', {
    screen: undefined,
    options,
    answers: undefined,
    open: undefined,
    trusted,
  });
  expect(await person.allowsChecks(['npm test'])).toBe(allowed);
});
