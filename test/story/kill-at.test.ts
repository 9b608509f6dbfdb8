// A shard of `npm run soak`: pawl killed at durable effects of a run; each time tree, plan, commits, money and processes are
// those of a run that nobody killed.
import { expect, test } from 'vitest';
import { killAt } from '../helpers/night.ts';
import { expectExit, tell } from '../helpers/pawl.ts';
import { isSoak } from '../helpers/share.ts';
import { findDifferences, findProcesses, readResult } from '../soak/judge.ts';
import { commandOf, lanesApart, threeTasks } from '../soak/scenarios.ts';
import { openTheatre } from '../soak/stage.ts';

/** One of each kind, each in a life of its own: as the run begins, in an attempt, in a close. */
const here: readonly string[] = [
  'file write trust.json#1@during',
  'journal attempt-started#1',
  'git commit#1@during',
];

/** Whichever task is the first there: a lane is made, work lands; in a soak the person's files follow, too, and a second one has landed. */
const inLanes: readonly string[] = [
  'journal lane-opened#1',
  'git land#1@during',
  ...(isSoak ? ['git rewrite files#1', 'journal task-closed#2'] : []),
];

test.each([
  ['in the person’s tree', threeTasks, here],
  ['in lanes of the run’s own ground', lanesApart, inLanes],
] as const)('three tasks %s, killed in each life but the last', async (_, scenario, effects) => {
  const command = commandOf(scenario);
  using theatre = await openTheatre(scenario);
  await using alone = await theatre.copy();
  expect((await alone.pawl(command)).exit).toBe(0);
  const expected = await readResult(alone);
  await using stage = await theatre.copy();
  for (const effect of effects) {
    const life = await stage.pawl(command, killAt(effect));
    expect(life.signal, `${effect}: ${tell(life)}`).toBe('SIGKILL');
    expect(await findProcesses(stage), effect).toEqual([]);
  }
  await expectExit(0, stage.pawl(command));
  expect(await findDifferences(stage, expected)).toEqual([]);
});
