// Runs in working trees of their own: side by side, taken up again by themselves, kept while anything is in them.
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { killAt, makeNight } from '../helpers/night.ts';
import { type Ended, factsOf, type Scene, tell } from '../helpers/pawl.ts';
import { inSoak, share } from '../helpers/share.ts';

const files = { 'a.md': letterPlan('a'), 'b.md': letterPlan('b') };
const runIn = (scene: Scene, plan: string, ...args: string[]) =>
  scene.start('run', plan, '--json', '--trust', '--worktree', ...args);
const treeOf = (ended: Pick<Ended, 'events'>) => factsOf(ended, 'run-started')[0]?.worktree?.path ?? '';

/** Working trees of the repository, its own first. */
async function treesOf({ repo }: Scene): Promise<readonly string[]> {
  const list = await repo.git('worktree', 'list', '--porcelain');
  return list.split('\n').flatMap((line) => (line.startsWith('worktree ') ? [line.slice(9)] : []));
}

test('two plans at once, each to done on its own branch, while the person goes on in their tree; what git ignored there and was made there is saved and can be had back', async () => {
  // Each waits for the other to have begun.
  const meet = (own: string, other: string) =>
    onTask(own, [
      { bash: `touch "$HOME/${own}"; until test -e "$HOME/${other}"; do sleep 0.1; done` },
      { bash: `echo $PAWL_PORT_OFFSET > port-${own}` },
      { bash: own === 'a' ? 'mkdir out; printf "\\1" > out/result.bin; echo mine >> .env' : ':' },
      write(own),
      done,
    ]);
  await using scene = await makeNight({
    files: { ...files, '.gitignore': 'out/\n.env\nnode_modules/\n' },
    turns: [meet('a', 'b'), meet('b', 'a')],
    env: {
      PAWL_WORKTREE_COPY: '.env',
      PAWL_WORKTREE_SETUP: 'mkdir node_modules && echo x > node_modules/x.js',
    },
  });
  const { repo } = scene;
  await repo.write('README.md', 'by the person\n');
  await repo.write('.env', 'KEY=1\n');
  await repo.write('b.md', `${letterPlan('b')}\nNot committed yet.\n`);
  const a = runIn(scene, 'a.md');
  await a.until('run-started');
  const [first, second] = await Promise.all([a.ended, runIn(scene, 'b.md').ended]);
  expect(first.exit, tell(first)).toBe(0);
  expect(second.exit, tell(second)).toBe(0);
  expect(await repo.git('log', '--format=%s', 'main..a')).toBe('Write a');
  expect(await repo.git('log', '--format=%s', 'main..b')).toBe('Write b\nplan: b.md');
  expect(await repo.git('show', 'b:b.md')).toContain('Not committed yet.');
  const offsets = [await repo.git('show', 'a:port-a'), await repo.git('show', 'b:port-b')];
  expect(offsets).toEqual(['100', '200']);
  // It made another of its copy.
  expect(factsOf(first, 'act-found').map(({ detail }) => detail.split(';')[0])).toEqual(['.env']);
  expect(factsOf(second, 'act-found')).toEqual([]);
  expect(await repo.git('status', '--porcelain')).toBe(' M README.md\n M b.md');
  expect(await repo.git('branch', '--show-current')).toBe('main');
  expect(await treesOf(scene)).toEqual([repo.path]);
  // Copies and installed files are not.
  const [, words = ''] =
    /files that git ignored there are saved: pawl (rescue restore .*)$/m.exec(first.stderr) ?? [];
  expect(words, tell(first)).toMatch(/ out$/);
  await repo.write('.env', '');
  const back = await scene.pawl(...words.split(' '));
  expect(back.exit, tell(back)).toBe(0);
  expect(await repo.read('out/result.bin')).toBe('\u0001');
  expect(await repo.read('.env')).toBe('KEY=1\nmine\n');
  expect(await repo.exists('node_modules')).toBe(false);
  const again = await runIn(scene, 'a.md').ended;
  expect(again.exit, tell(again)).toBe(0);
  expect(again.events.map(({ type }) => type)).toEqual(['run-ended']);
  const state = path.join(scene.home, '.local/state/pawl/worktrees');
  expect(await readdir(state, { recursive: true })).toHaveLength(1);
});

describe('a tree that is not needed, or still is', () => {
  const env = {
    PAWL_WORKTREE_COPY: '/.env,local/*.json',
    PAWL_WORKTREE_SETUP: 'test -e "$HOME/set-up" && cat .env local/x.json > made.txt',
    PAWL_ARCHIVE: 'true',
  };
  const plan = letterPlan('a').replace(
    'grep -qx a a.txt',
    'cat a.txt made.txt | tr -d "\\n" | grep -qx aenvjson',
  );

  inSoak(
    'copies, a set-up that fails first, a tree removed by hand in between, and an untracked plan: one night',
    async () => {
      await using scene = await makeNight({ files: { '.gitignore': '.env\n' }, turns: honest('a'), env });
      const { repo } = scene;
      const own = { '.env': 'env\n', 'local/x.json': 'json\n', 'plans/mine.md': plan };
      for (const [file, text] of Object.entries(own)) await repo.write(file, text);
      const red = await runIn(scene, 'plans/mine.md').ended;
      expect(red.exit, tell(red)).toBe(8);
      expect(red.stdout).toContain('worktree.setup failed: test -e');
      const tree = treeOf(red);
      expect(existsSync(path.join(tree, '.env'))).toBe(true);
      // Somebody takes it away: it is made again, and set up.
      await repo.git('worktree', 'remove', '--force', tree);
      await writeFile(path.join(scene.home, 'set-up'), '');
      const ended = await scene.pawl('run', 'plans/mine.md', '--json');
      expect(ended.exit, tell(ended)).toBe(0);
      expect(factsOf(ended, 'phase-ended').map(({ phase }) => phase)).toContain('setup');
      expect(await repo.git('log', '--format=%s', 'main..mine')).toBe(
        'plan: archive mine.md\nWrite a\nplan: mine.md',
      );
      expect(await repo.git('ls-tree', '-r', '--name-only', 'mine')).toBe(
        '.gitignore\nREADME.md\na.txt\ndocs/plans/plan.md\nplans/completed/mine.md',
      );
      expect(await repo.git('status', '--porcelain')).toBe('?? local/\n?? plans/');
      // made.txt is in nobody's list and in no commit.
      expect(ended.stderr).toContain('The working tree stays, it has files that git does not know: made.txt');
      const kept = await scene.pawl('clean');
      expect(kept.stdout).toMatch(/^kept {2}\S+mine {2}\(\d+ \w+, of run \S+\): it has files .* made\.txt\n/);
      const [resumed] = factsOf(ended, 'run-resumed');
      await rm(path.join(resumed?.worktree?.path ?? '', 'made.txt'));
      const cleaned = await scene.pawl('clean');
      expect(cleaned.stdout).toMatch(/^removed {2}\S+mine/);
      expect(await treesOf(scene)).toEqual([repo.path]);
    },
  );

  inSoak(
    'a tree that is gone and whose branch a person has checked out: the run goes on in theirs, as it is',
    async () => {
      await using scene = await makeNight({ files, turns: honest('a'), env });
      const red = await runIn(scene, 'a.md').ended;
      expect(red.exit, tell(red)).toBe(8);
      await scene.repo.git('worktree', 'remove', treeOf(red));
      await scene.repo.git('switch', '-q', 'a');
      const ended = await scene.pawl('run', 'a.md', '--json');
      expect(ended.exit, tell(ended)).toBe(0);
      expect(factsOf(ended, 'run-resumed')).toHaveLength(1);
      expect(factsOf(ended, 'phase-started').map(({ phase }) => phase)).not.toContain('setup');
      expect(await scene.repo.log()).toEqual(['plan: archive a.md', 'Write a', 'start']);
      expect(await treesOf(scene)).toEqual([scene.repo.path]);
    },
  );

  test('a start that comes to nothing leaves no tree and no slot', async () => {
    await using scene = await makeNight({ files, turns: [] });
    const missing = ['--set', 'agent.claude.command=missing'];
    const refused = await scene.pawl('run', 'a.md', '--worktree', '--trust', ...missing);
    expect(refused.exit, tell(refused)).toBe(7);
    expect(await treesOf(scene)).toEqual([scene.repo.path]);
    const two = await scene.pawl('run', 'a.md', 'b.md', '--worktree', '--trust');
    expect(two.exit).toBe(2);
    expect(two.stderr).toContain('--worktree works with one plan only, and 2 were given');
    const told = await scene.pawl('run', 'a.md', '--worktree', '--dry-run');
    expect(told.stdout).toContain('Branch: a (new)\nIn a separate working tree.\n');
  });
});

describe('what git ignores in a tree that may go, beside what the first story tells', () => {
  const ignoring = { ...files, '.gitignore': 'out/\n.env\nnode_modules/\nnested/\n' };
  const env = {
    PAWL_WORKTREE_COPY: '.env',
    ...{ PAWL_WORKTREE_SETUP: 'mkdir node_modules && echo x > node_modules/x.js' },
  };
  const turns = (bash: string) => [onTask('a', [{ bash }, write('a'), done])];

  inSoak('a repository of its own keeps the tree', async () => {
    const nested =
      'git init -q nested && git -C nested -c user.name=a -c user.email=a@b commit -q --allow-empty -m only-here';
    await using scene = await makeNight({ files: ignoring, turns: turns(nested), env });
    const ended = await runIn(scene, 'a.md').ended;
    expect(ended.exit, tell(ended)).toBe(0);
    expect(ended.stderr).toContain('The working tree stays, it contains a nested repository: nested/: ');
    expect(existsSync(path.join(treeOf(ended), 'nested/.git'))).toBe(true);
  });
});

test.each(
  share(
    [
      ['git worktree a#1+1', files],
      ['journal run-started#1+1', { '.gitignore': 'a.md\n' }],
      ['journal run-ended#1+1', files],
      ['git remove worktree a#1', files],
    ],
    4,
  ),
)('killed at %s, the same command does the rest once, also of an ignored plan', async (at, committed) => {
  await using scene = await makeNight({ files: committed, turns: honest('a'), env: killAt(at) });
  await scene.repo.write('a.md', letterPlan('a'));
  const killed = await runIn(scene, 'a.md').ended;
  expect(killed.signal, tell(killed)).toBe('SIGKILL');
  delete (scene.env as Record<string, string>)['NODE_OPTIONS'];
  const again = await runIn(scene, 'a.md').ended;
  // After its end there is nothing to do, and the next command is a new run of a plan whose tasks are closed.
  expect(again.exit, tell(again)).toBe(0);
  expect(await scene.repo.git('log', '--format=%s', 'main..a')).toBe('Write a');
  expect(await treesOf(scene)).toEqual([scene.repo.path]);
});

test('interrupted it is kept and named, and goes on in it; a person restores, takes back, edits and answers from their own tree; a queue goes on in the run’s', async () => {
  const parked = onTask('a', [
    { bash: 'echo half > half.txt' },
    { say: 'Which?\n\n{{marker NEEDS_INPUT which colour?}}' },
  ]);
  const hangs = onTask('a', [{ bash: 'touch "$HOME/at-work"; sleep 60' }], true);
  await using scene = await makeNight({
    files: { ...files, 'a.md': letterPlan('c', 'a') },
    turns: [...honest('c'), hangs, parked, ...honest('b')],
  });
  const { repo } = scene;
  const running = runIn(scene, 'a.md');
  await expect.poll(() => existsSync(path.join(scene.home, 'at-work')), { timeout: 60_000 }).toBe(true);
  const started = await running.until('run-started');
  const tree = treeOf({ events: [started] });
  const second = await scene.pawl('run', 'a.md', '--worktree', '--fresh');
  expect(second.exit, tell(second)).toBe(2);
  expect(second.stderr).toContain(
    `pawl (process ${running.child.pid}) has been working on a.md since ${started.at.slice(0, 10)}`,
  );
  expect(second.stderr).toContain(` in ${tree}\n`);
  const third = await scene.pawl('run', 'a.md');
  expect(third.exit, tell(third)).toBe(2);
  expect(third.stderr).toContain(`, in ${tree}\n`);
  expect((await scene.pawl('status', '--all')).stdout).toContain(tree);
  running.child.kill('SIGINT');
  const stopped = await running.ended;
  expect(stopped.exit, tell(stopped)).toBe(130);
  expect(stopped.stderr).toContain(`The working tree stays for the next start: ${tree}\n`);
  expect(await repo.git('status', '--porcelain')).toBe('');
  const asks = await scene.pawl('run', 'a.md', '--json');
  expect(asks.exit, tell(asks)).toBe(3);
  expect(factsOf(asks, 'run-resumed')).toHaveLength(1);
  const inTree = (file: string) => readFile(path.join(tree, file), 'utf8');

  await rm(path.join(tree, 'c.txt'));
  const restored = await scene.pawl('rescue', 'restore', '2', 'c.txt');
  expect(restored.exit, tell(restored)).toBe(0);
  expect(await inTree('c.txt')).toBe('c\n');
  const undone = await scene.pawl('undo', '1');
  expect(undone.exit, tell(undone)).toBe(0);
  expect(await repo.git('log', '--format=%s', 'main..a')).toBe('');
  expect(await repo.git('status', '--porcelain')).toBe('');
  // Its own tree is what is edited, where the undo has been.
  Object.assign(scene.env, { EDITOR: "sed -i 's/to a.txt/to a.txt, in blue/'" });
  const edited = await scene.pawl('edit', 'a.md');
  expect(edited.exit, tell(edited)).toBe(0);
  expect(edited.stderr).toContain(`The run works in ${tree}.`);
  expect(await inTree('a.md')).toMatch(/\[ \] Write c[\s\S]*a\.txt, in blue/);
  expect((await scene.pawl('answer', '2', 'blue')).exit).toBe(0);

  await scene.rewrite(honest('a', 'b', 'c'));
  const both = await scene.pawl('run', 'b.md', 'a.md', '--json', '--trust');
  expect(both.exit, tell(both)).toBe(0);
  expect(factsOf(both, 'run-resumed')).toMatchObject([{ plan: 'a.md' }]);
  expect(await repo.git('log', '--format=%s', 'main..b')).toBe('Write b');
  expect(await repo.git('log', '--format=%s', 'main..a')).toBe('Write a\nWrite c');
  expect(await repo.git('branch', '--show-current')).toBe('main');
  expect(existsSync(tree)).toBe(false);
});

inSoak(
  'the repository is made anew at the same path: the run goes on in another tree, and the old one is saved and removed',
  async () => {
    const setup = 'test -e "$HOME/set-up"';
    await using scene = await makeNight({ files, turns: honest('a'), env: { PAWL_WORKTREE_SETUP: setup } });
    const { repo } = scene;
    const red = await runIn(scene, 'a.md').ended;
    expect(red.exit, tell(red)).toBe(8);
    const tree = treeOf(red);
    await writeFile(path.join(tree, 'half.txt'), 'half\n');
    await rm(path.join(repo.path, '.git'), { recursive: true });
    await repo.git('init', '-q', '-b', 'main');
    await repo.git('config', 'user.name', 'A Person');
    await repo.git('config', 'user.email', 'person@example.org');
    await repo.git('add', '-A');
    await repo.git('commit', '-qm', 'made anew');
    await writeFile(path.join(scene.home, 'set-up'), '');
    const ended = await runIn(scene, 'a.md').ended;
    expect(ended.exit, tell(ended)).toBe(0);
    expect(await repo.git('log', '--format=%s', 'main..a')).toBe('Write a');
    expect((await scene.pawl('clean', '--dry-run')).stdout).toContain(`would remove  ${tree}`);
    const cleaned = await scene.pawl('clean');
    expect(cleaned.exit, tell(cleaned)).toBe(0);
    const [, ref = ''] =
      /of a repository that is gone; its files: git worktree add \S+ (\S+)\)/.exec(cleaned.stdout) ?? [];
    expect(await repo.git('show', `${ref}:half.txt`)).toBe('half');
    expect(existsSync(tree)).toBe(false);
    expect(
      await readdir(path.join(scene.home, '.local/state/pawl/worktrees'), { recursive: true }),
    ).toHaveLength(1);
  },
);
