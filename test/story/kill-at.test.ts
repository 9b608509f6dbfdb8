// A shard of `npm run soak`: pawl killed at durable effects of a run; each time tree, plan, commits, money and processes are
// those of a run that nobody killed.
import { expect, test } from 'vitest';
import { killAt } from '../helpers/night.ts';
import { tell } from '../helpers/pawl.ts';
import { isSoak } from '../helpers/share.ts';
import { findDifferences, findProcesses, readResult } from '../soak/judge.ts';
import { commandOf, lanesApart, threeTasks } from '../soak/scenarios.ts';
import { openTheatre } from '../soak/stage.ts';
import { formatTried, tryEverything } from '../soak/try.ts';

/** One of each kind: as the run begins, in an attempt, in a close. */
const effects: readonly string[] = [
  'start: file write trust.json#1 @during',
  'task-started: journal attempt-started#1 @before',
  'closing: git commit#1 @during',
];

test('killed at effects, one of each kind', async () => {
  const only = new RegExp(`^(?:${effects.join('|')})$`);
  const tried = await tryEverything({ ...threeTasks, only }, { chains: 1 });
  process.stdout.write(`${formatTried(tried)}\n`);
  expect(tried.differences, formatTried(tried)).toEqual([]);
  expect([...tried.killed].sort()).toEqual([...effects].sort());
});

/** In each life one, whichever task is the first there: a lane is made, work lands; in a soak the person's files follow, too, and a second one has landed. */
const inLanes: readonly string[] = [
  'journal lane-opened#1',
  'git land#1@during',
  ...(isSoak ? ['git rewrite files#1', 'journal task-closed#2'] : []),
];

test('three tasks in lanes of the run’s own ground, killed in each life but the last', async () => {
  await using theatre = await openTheatre(lanesApart);
  await using alone = await theatre.copy();
  expect((await alone.pawl(commandOf(lanesApart))).exit).toBe(0);
  const expected = await readResult(alone);
  await using stage = await theatre.copy();
  for (const effect of inLanes) {
    const life = await stage.pawl(commandOf(lanesApart), killAt(effect));
    expect(life.signal, `${effect}: ${tell(life)}`).toBe('SIGKILL');
    expect(await findProcesses(stage), effect).toEqual([]);
  }
  const last = await stage.pawl(commandOf(lanesApart));
  expect(last.exit, tell(last)).toBe(0);
  expect(await findDifferences(stage, expected)).toEqual([]);
});
