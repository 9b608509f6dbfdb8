// Taking a run up: what is refused before the remote is told that it is this machine's.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeCarried } from '../../../src/git/carry/carried-commit.ts';
import { openRepo } from '../../../src/git/run/repo.ts';
import { formatOwner } from '../../../src/phase/carry/owner.ts';
import { takeRun } from '../../../src/start/carry/take.ts';
import { makeWorld, type World } from '../../cli/world.ts';
import { depsOf } from '../../git/open.ts';
import { sampleFacts } from '../../helpers/facts.ts';

const { 'run-started': started } = sampleFacts;
const ref = 'refs/pawl/r/carried';
let world: World;

beforeEach(() => {
  world = makeWorld();
});
afterEach(() => world[Symbol.dispose]());

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: world.cwd, env: world.context().env, encoding: 'utf8' }).trim();
}

/** A clone of a remote that holds a run of another machine. */
async function makeCarried() {
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'A');
  git('config', 'user.email', 'a@b');
  git('commit', '-q', '--allow-empty', '-m', 'a');
  const bare = path.join(world.top, 'bare.git');
  git('init', '-q', '--bare', bare);
  git('remote', 'add', 'origin', bare);
  const head = git('rev-parse', 'HEAD');
  const own = {
    owner: 'abcdefgh',
    host: 'laptop',
    pawl: '0',
    at: '2026-01-01T00:00:00.000Z',
    head,
    ended: false,
  };
  const line = JSON.stringify({ v: 1, at: own.at, ...started });
  const files = new Map([
    ['journal/0001', Buffer.from(`${line}\n`)],
    ['owner.json', formatOwner({ ...own, state: { started } })],
  ]);
  const repo = await openRepo(world.cwd, depsOf(path.join(world.top, 'home')));
  const oid = await writeCarried(repo, { files, parents: [head], message: 'carried\n' }, new Map());
  git('push', '-q', 'origin', `${oid}:${ref}`);
  return { oid, held: () => git(`--git-dir=${bare}`, 'rev-parse', ref) };
}

test('in a repository that nobody has trusted, also where somebody could be asked: nothing of it is run, and the remote is told nothing', async () => {
  const { oid, held } = await makeCarried();
  world.program('evil', `touch '${world.top}/ran'`);
  git('config', 'remote.origin.receivepack', path.join(world.bin, 'evil'));
  for (const canAsk of [true, false])
    await expect(takeRun(world.context({ canAsk }), started.run, {})).rejects.toMatchObject({
      code: 'trust',
      message: 'this repository is not trusted here',
    });
  expect(held()).toBe(oid);
  expect(existsSync(path.join(world.top, 'ran'))).toBe(false);
});
