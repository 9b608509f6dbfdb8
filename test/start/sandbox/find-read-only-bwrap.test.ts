// Where there can be no sandbox of bubblewrap, a run is refused in plain words.
import { expect, test } from 'vitest';
import { judgeBwrap } from '../../../src/start/sandbox/find-read-only.ts';
import { eachWorld } from '../../cli/world.ts';

const world = eachWorld();

const judge = (more = {}) => judgeBwrap(world.context({ env: { PATH: world.bin }, ...more }));

test('on another system', async () => {
  await expect(judge({ platform: 'darwin' })).rejects.toMatchObject({
    code: 'environment',
    message: '--sandbox process needs bubblewrap, which runs on Linux only',
  });
});

test('without bubblewrap', async () => {
  await expect(judge()).rejects.toMatchObject({
    message: expect.stringContaining('bubblewrap was not found'),
  });
});

test('where the system forbids it, with its own words', async () => {
  world.program('bwrap', 'echo "bwrap: setting up uid map: Permission denied" >&2; exit 1');
  await expect(judge()).rejects.toMatchObject({
    message: 'bubblewrap cannot create a sandbox here: bwrap: setting up uid map: Permission denied',
    hint: expect.stringContaining('--sandbox docker'),
  });
});

test('and is not where it works', async () => {
  world.program('bwrap', 'exit 0');
  await judge();
});
