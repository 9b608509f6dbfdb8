// A git of pawl's that dies while it looks at what a session left, as by the OOM killer: the run stops, and the same command
// takes the session's work up as after a kill of pawl itself, without another session.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeNight } from '../helpers/night.ts';
import { expectExit, factsOf, putPrograms } from '../helpers/pawl.ts';
import { share } from '../helpers/share.ts';

/** A git that kills itself at its call of that number after `b.txt` is there, once. */
const fragile = (real: string) => `if [ -e b.txt ] && [ -e .git/fragile ]; then
  n=$(( $(cat .git/gits 2>/dev/null || echo 0) + 1 )); echo $n > .git/gits
  if [ $n = "$(cat .git/fragile)" ]; then rm .git/fragile; kill -9 $$; fi
fi
exec ${real} "$@"`;

test.each(share([1, 3, 5, 8], 4))('at call %i', async (call) => {
  await using scene = await makeNight({ env: { PAWL_TASK_ATTEMPTS: '1' } });
  const real = (process.env['PATH'] ?? '').split(':').map((folder) => path.join(folder, 'git'));
  await scene.repo.write('.git/fragile', String(call));
  const git = fragile(real.find((file) => existsSync(file)) ?? 'git');
  await putPrograms(scene.env, path.join(scene.home, 'fragile'), { git });
  await expectExit(8, scene.run());
  const second = await expectExit(0, scene.again());
  expect(factsOf(second, 'session-started')).toEqual([]);
  expect(await scene.repo.git('log', '--format=%s', 'plan')).toBe('Write b\nWrite a\nstart');
});
