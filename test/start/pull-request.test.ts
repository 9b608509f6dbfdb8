// `--pr`: what it refuses before a run, what it pushes and asks of gh after one. gh is a script that records its words; the
// remote is a bare repository beside it.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { openRepo } from '../../src/git/run/repo.ts';
import { childEnvironment } from '../../src/process/environment.ts';
import { createSweep } from '../../src/process/host-sweep.ts';
import { createSpawn } from '../../src/process/spawn.ts';
import { openPull, type PullOptions, preparePull } from '../../src/start/pull-request.ts';
import { makeWorld, type Ran, type World } from '../cli/world.ts';
import { fact } from '../helpers/facts.ts';
import { stateOf } from '../report/review-state.ts';

let world: World;

beforeEach(() => {
  world = makeWorld();
  git('init', '-q', '--initial-branch=main');
  commit('start');
  git('switch', '-q', '-c', 'auth');
});
afterEach(() => world[Symbol.dispose]());

const remote = () => path.join(world.top, 'remote.git');

function git(...args: readonly string[]): string {
  return execFileSync('git', ['-C', world.cwd, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();
}

function commit(message: string): void {
  const person = ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid'];
  git(...person, 'commit', '-q', '--allow-empty', '-m', message);
}

function addRemote(): void {
  execFileSync('git', ['init', '-q', '--bare', remote()]);
  git('remote', 'add', 'origin', remote());
}

/** A gh that records what it is called with; `create` and `list` are what those print or do. */
function addGh({ create = 'echo https://example.invalid/pull/7', list = ':' } = {}): void {
  world.program(
    'gh',
    `log="${world.top}/gh.log"
case "$1 $2" in
  "pr list") ${list};;
  "pr create") printf '%s\\n' "$@" >"$log"; cat >"$log.text"; ${create};;
esac`,
  );
}

const asked = () => readFileSync(path.join(world.top, 'gh.log'), 'utf8').trimEnd().split('\n');
const finished = stateOf(fact('run-ended', { exit: 0, reasons: [], finished: true }));

/** Prepares, commits something, and makes the pull request, as a run does; `state` is how the run ended. */
function play(
  options: PullOptions,
  { branch = 'auth', state = finished, text = '# Receipt\n', env = {} } = {},
): Promise<Ran> {
  return world.run(
    async (context) => {
      const tools = { spawn: createSpawn(), sweep: createSweep(), env: childEnvironment(context.env) };
      const repo = await openRepo(world.cwd, { ...tools, gitMs: 60_000, commitMs: 60_000 });
      const found = { repo, branch, defaultBranch: { name: 'main', why: '' } };
      const pull = await preparePull(context, () => found, options);
      commit('work');
      return pull ? openPull(context, pull, { state, text }) : 99;
    },
    {},
    [],
    { env: { ...world.context().env, ...env } },
  );
}

describe('before the run it refuses', () => {
  it('a machine without gh', async () => {
    addRemote();
    // Some machines have one beside git.
    for (const name of ['git', 'setpriv'])
      for (const folder of ['/usr/bin', '/bin'])
        if (existsSync(path.join(folder, name)) && !existsSync(path.join(world.bin, name)))
          symlinkSync(path.join(folder, name), path.join(world.bin, name));
    const refused = play({ pr: true, push: true }, { env: { PATH: world.bin } });
    await expect(refused).rejects.toMatchObject({
      message: expect.stringMatching(/needs GitHub’s gh/),
      hint: expect.stringMatching(/cli\.github\.com/),
      exit: 2,
    });
  });

  test.each<[string, PullOptions, () => void, RegExp, RegExp]>([
    ['no remote', { pr: true, push: true }, () => addGh(), /needs a remote/, /git remote add/],
    [
      'a branch the remote does not have',
      { pr: true },
      () => {
        addGh();
        addRemote();
      },
      /needs the branch auth on origin/,
      /--push.*git push -u origin auth/s,
    ],
  ])('%s', async (_, options, set, sentence, hint) => {
    set();
    await expect(play(options)).rejects.toMatchObject({
      message: expect.stringMatching(sentence),
      hint: expect.stringMatching(hint),
      exit: 2,
    });
    expect(git('log', '--format=%s')).toBe('start');
  });

  it('the branch it would go into', async () => {
    addGh();
    addRemote();
    const refused = play({ pr: true, push: true }, { branch: 'main' });
    await expect(refused).rejects.toThrow(/a branch other than main/);
  });

  it('a remote that cannot be reached', async () => {
    addGh();
    git('remote', 'add', 'origin', path.join(world.top, 'nowhere.git'));
    await expect(play({ pr: true, push: true })).rejects.toMatchObject({ code: 'git' });
  });
});

describe('after the run', () => {
  beforeEach(() => addRemote());

  it('pushes a new branch with --push, and hands gh the title and the text', async () => {
    addGh();
    const { exit, stderr } = await play({ pr: true, push: true });
    expect(exit).toBe(0);
    expect(asked()).toEqual([
      ...['pr', 'create', '--head', 'auth', '--title', 'Add user authentication', '--body-file', '-'],
    ]);
    expect(readFileSync(path.join(world.top, 'gh.log.text'), 'utf8')).toBe('# Receipt\n');
    expect(stderr).toBe('Pull request: https://example.invalid/pull/7\n');
    expect(git('ls-remote', 'origin', 'refs/heads/auth')).toContain(git('rev-parse', 'auth'));
    expect(git('rev-parse', '--abbrev-ref', 'auth@{upstream}')).toBe('origin/auth');
  });

  it('pushes to a branch that is there without being told to, and adds to the pull request there is', async () => {
    addGh({ list: 'echo https://example.invalid/pull/3' });
    git('push', '-q', 'origin', 'auth');
    const { exit, stderr } = await play({ pr: true });
    expect(exit).toBe(0);
    expect(stderr).toBe(
      'The pull request has the new commits, and its text stays: https://example.invalid/pull/3\n',
    );
    expect(existsSync(path.join(world.top, 'gh.log'))).toBe(false);
    expect(git('ls-remote', 'origin', 'refs/heads/auth')).toContain(git('rev-parse', 'auth'));
  });

  it('never forces: a branch that went another way stays, and what to do is said', async () => {
    addGh();
    git('push', '-q', 'origin', 'auth');
    const elsewhere = git(
      '-c',
      'user.name=T',
      '-c',
      'user.email=t@example.invalid',
      'commit-tree',
      '-m',
      'theirs',
      'HEAD^{tree}',
    );
    git('push', '-q', '--force', 'origin', `${elsewhere}:refs/heads/auth`);
    const { exit, stderr } = await play({ pr: true });
    expect(exit).toBe(8);
    expect(stderr).toMatch(/could not be pushed to origin[\s\S]*git push origin auth && gh pr create/);
    const state = stateOf(fact('run-squashed'), fact('run-ended', { exit: 0, reasons: [], finished: true }));
    const finalized = await play({ pr: true }, { state });
    expect(finalized.stderr).toContain('git push --force-with-lease origin auth');
    expect(git('ls-remote', 'origin', 'refs/heads/auth')).toContain(elsewhere);
  });

  it('says what gh says when it makes none', async () => {
    addGh({ create: 'echo "GraphQL: not allowed" >&2; exit 1' });
    const { exit, stderr } = await play({ pr: true, push: true });
    expect(exit).toBe(8);
    expect(stderr).toMatch(/^gh could not open a pull request: GraphQL: not allowed\n/);
  });

  it('makes none of a run that is not finished, and pushes nothing', async () => {
    addGh();
    const state = stateOf(fact('run-ended'));
    const { exit, stderr } = await play({ pr: true, push: true }, { state });
    expect(exit).toBe(0);
    expect(stderr).toMatch(/the run is not finished/);
    expect(git('ls-remote', 'origin')).toBe('');
  });

  it('cuts off a text longer than GitHub takes, between lines', async () => {
    addGh();
    await play({ pr: true, push: true }, { text: 'a line\n'.repeat(20_000) });
    const text = readFileSync(path.join(world.top, 'gh.log.text'), 'utf8');
    expect(text.length).toBeLessThan(65_536);
    expect(text).toMatch(/\na line\n\nThe rest is in `pawl report`\.\n$/);
  });

  it('without --pr there is nothing', async () => {
    addGh();
    rmSync(remote(), { recursive: true });
    expect((await play({})).exit).toBe(99);
  });
});
