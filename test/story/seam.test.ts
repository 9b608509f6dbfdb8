// The one door of durable effects is the only one: whatever pawl writes or has git write in whole runs happens inside an
// effect, so that the kill tests try it. A planted breach is seen.

import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { letterPlan } from '../helpers/letters.ts';
import { preload } from '../helpers/night.ts';
import { expectExit } from '../helpers/pawl.ts';
import { share } from '../helpers/share.ts';
import { commandOf, lanesReviewed, scenarios } from '../soak/scenarios.ts';
import { makeList, openTheatre, type Scenario } from '../soak/stage.ts';

/** The one that does most first: it is played each time. */
const inOrder = [lanesReviewed, ...scenarios.filter((each) => each !== lanesReviewed)];

const oneTask: Scenario = { name: 'one task', plan: letterPlan('a'), work: { 1: 'echo a > a.txt' } };

async function findBreaches(
  scenario: Scenario,
  env: Record<string, string> = {},
): Promise<readonly string[]> {
  using theatre = await openTheatre(scenario);
  await using stage = await theatre.copy();
  const file = await makeList(stage, 'breaches');
  await expectExit(
    scenario.exit ?? 0,
    stage.pawl(commandOf(scenario), {
      ...preload('watch-seam'),
      SEAM_BREACHES_TO: file,
      ...env,
    }),
  );
  return (await readFile(file, 'utf8')).split('\n').filter(Boolean);
}

describe.concurrent('nothing durable happens beside the door', () => {
  test.each(share(inOrder, scenarios.length))('$name', async (scenario) => {
    expect(await findBreaches(scenario)).toEqual([]);
  });

  test('what does is seen', async () => {
    const found = await findBreaches(oneTask, { PLANT_BREACH_AT: 'attempt-started' });
    const names = found.map((line) => line.split(' ', 2).join(' '));
    expect(names.slice(0, 3)).toEqual([
      expect.stringMatching(/^writeFileSync .*planted\.log$/),
      'git -c',
      'git update-ref',
    ]);
  });
});
