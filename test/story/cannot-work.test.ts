// The real CLI with settings that let an agent do nothing: the run ends before it has paid for more sessions, and says why.
import { expect, test } from 'vitest';
import { letterPlan } from '../helpers/letters.ts';
import { makeNight } from '../helpers/night.ts';
import { expectExit, factsOf, tell } from '../helpers/pawl.ts';
import { share } from '../helpers/share.ts';

const hook = (event: string) => ({
  hooks: { [event]: [{ matcher: '*', hooks: [{ type: 'command', command: 'echo no >&2; exit 2' }] }] },
});

const forbidding = { permissions: { disableBypassPermissionsMode: 'disable' } };
const cases: readonly [object, RegExp][] = [
  [forbidding, /permission mode default/],
  [hook('UserPromptSubmit'), /without asking the model/],
];

test.concurrent.each(share(cases, 2))('settings as %j', async (settings, reason) => {
  await using scene = await makeNight({
    plan: letterPlan('a'),
    cast: 'claude',
    files: { '.claude/settings.json': JSON.stringify(settings) },
  });
  const ended = await expectExit(7, scene.run());
  expect(factsOf(ended, 'session-started')).toHaveLength(1);
  expect(factsOf(ended, 'run-ended')[0]?.reasons[0]?.text, tell(ended)).toMatch(reason);
});
