// Which clones of a job go once it is over, with the grounds of their runs: never one with commits that its remote does not have.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { removeClones } from '../../../src/start/fleet/housekeeping.ts';
import { groundsOf } from '../../../src/start/ground/make-own.ts';
import { makeWorld } from '../../cli/world.ts';
import { openTemp } from '../../git/open.ts';

test('a clone goes when its remote has all that was committed in it', async () => {
  using world = makeWorld();
  await using opened = await openTemp({ files: { 'a.txt': 'a\n' } });
  const { temp: repo } = opened;
  const job = path.join(world.top, 'job');
  const remote = path.join(world.top, 'remote.git');
  await repo.git('clone', '-q', '--bare', opened.repo.root, remote);
  const clone = async (name: string) => {
    const root = path.join(job, name);
    await repo.git('clone', '-q', remote, root);
    const git = (...args: string[]) =>
      repo.git('-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args);
    mkdirSync(groundsOf(world.context().folders.state, path.join(root, '.git')), { recursive: true });
    return git;
  };
  const commit = ['commit', '-q', '--allow-empty', '-m'];
  const pushed = await clone('pushed');
  await pushed('switch', '-qc', 'login');
  await pushed(...commit, 'pushed');
  await pushed('push', '-q', 'origin', 'login');
  const local = await clone('local');
  await local('switch', '-qc', 'other');
  await local(...commit, 'local');
  const fenced = await clone('fenced');
  await fenced('update-ref', 'refs/pawl/20260102-031000-login/fenced-w1', 'HEAD');
  await clone('as-it-was');
  // A worker died while it cloned.
  await repo.git('init', '-q', path.join(job, 'cut'));
  await repo.git('-C', path.join(job, 'cut'), 'remote', 'add', 'origin', remote);
  const left = () =>
    ['pushed', 'local', 'fenced', 'as-it-was', 'cut'].filter((name) => existsSync(path.join(job, name)));
  await rename(remote, `${remote}-away`);
  expect(await removeClones(world.context(), job)).toBe(false);
  expect(left()).toHaveLength(5);
  await rename(`${remote}-away`, remote);
  expect(await removeClones(world.context(), job)).toBe(false);
  expect(left()).toEqual(['local', 'fenced']);
  await local('push', '-q', 'origin', 'other');
  await fenced('update-ref', '-d', 'refs/pawl/20260102-031000-login/fenced-w1');
  expect(await removeClones(world.context(), job)).toBe(true);
  expect(readdirSync(path.join(world.context().folders.state, 'grounds'))).toEqual([]);
});
