// Lock files in the way of a run that was killed, and of a person: a git of pawl's gives its own up without pawl, that of a
// person's living git is left and named, those of dead ones go.
import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { letterPlan } from '../helpers/letters.ts';
import { killAt, makeNight, resultOf, untilFile } from '../helpers/night.ts';
import { expectExit, factsOf } from '../helpers/pawl.ts';

test('pawl leaves no lock in a person’s way; a living git keeps its own, a dead one does not', async () => {
  // With the index set to what is to be committed, and not committed yet.
  const env = killAt('git commit#1');
  await using scene = await makeNight({ plan: letterPlan('a'), env });
  const { repo } = scene;
  expect((await scene.run()).signal).toBe('SIGKILL');
  await untilFile(scene, '.git/index.lock', false);
  const editing = spawn('git', ['-c', 'core.editor=sleep 600 #', 'commit', '-a'], {
    cwd: repo.path,
    env: { ...scene.env },
    stdio: 'ignore',
    detached: true,
  });
  await untilFile(scene, '.git/index.lock');
  const refused = await expectExit(8, scene.again());
  const reasons = factsOf(refused, 'run-ended').flatMap((fact) => fact.reasons.map(({ text }) => text));
  expect(`${reasons} ${refused.stderr}`).toContain(
    `index.lock is held by another git (process ${editing.pid}`,
  );
  expect(await repo.exists('.git/index.lock')).toBe(true);
  const gone = new Promise((resolve) => editing.on('exit', resolve));
  process.kill(-(editing.pid ?? 0), 'SIGKILL');
  await gone;
  await repo.write('.git/refs/heads/plan.lock', '');
  const again = await expectExit(0, scene.run());
  const told = factsOf(again, 'noticed').filter(({ code }) => code === 'dead-lock');
  expect(told.map(({ text }) => text)).toEqual([
    expect.stringContaining('left index.lock'),
    expect.stringContaining('left refs/heads/plan.lock'),
  ]);
  expect(await resultOf(scene)).toMatchObject({ log: ['Write a', 'start'], status: '' });
});
