// The repository as commands that repair it open it.
import { expect, test } from 'vitest';
import { listDirt } from '../../src/git/tree/tree.ts';
import { findPlaceAt } from '../../src/start/locate.ts';
import { openPlace } from '../../src/start/open-place.ts';
import { eachWorld } from '../cli/world.ts';

const world = eachWorld({ git: true });

test.each([
  ['was trusted keeps its filters, though files have changed since', true, []],
  ['was never trusted runs none of them', false, ['f.up']],
])('one that %s', async (_, isTrusted, dirt) => {
  world.git('config', 'filter.up.clean', 'tr a-z A-Z');
  world.write('.gitattributes', '*.up filter=up\n');
  world.write('f.up', 'hello\n');
  world.commit('in capitals');
  if (isTrusted) world.trust();
  world.write('.pawl/config.yaml', 'jobs: 2\n');
  world.write('f.up', 'hello\n');
  const { repo } = await openPlace(world.context(), findPlaceAt(world.cwd) ?? expect.fail());
  expect(await listDirt(repo)).toEqual(dirt);
});
