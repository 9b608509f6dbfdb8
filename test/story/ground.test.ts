// Runs in grounds of their own: side by side, taken up again by themselves; their branch comes home, and whoever has it
// checked out keeps what they edited.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { listRepositories } from '../../src/start/known-repositories.ts';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { faultAt, killAt, makeNight } from '../helpers/night.ts';
import { type Ended, expectExit, factsOf, type Scene, startPawl, tell } from '../helpers/pawl.ts';
import { inSoak, share } from '../helpers/share.ts';
import { readRun } from '../helpers/story.ts';

const files = { 'a.md': letterPlan('a'), 'b.md': letterPlan('b') };
const runIn = (scene: Scene, plan: string, ...args: string[]) =>
  scene.start('run', plan, '--json', '--trust', '--worktree', ...args);
const groundOf = (ended: Pick<Ended, 'events'>) => factsOf(ended, 'run-started')[0]?.worktree?.path ?? '';

/** The grounds and lanes that exist, by path below the folder of all. */
async function groundsOf({ home }: Scene): Promise<readonly string[]> {
  const all = path.join(home, '.local/state/pawl/grounds');
  const names = existsSync(all) ? await readdir(all, { recursive: true, withFileTypes: true }) : [];
  return names.filter((each) => each.isDirectory() && each.name === '.git').map((each) => each.parentPath);
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
    files: { ...files, '.gitignore': 'out/\n.env\nnode_modules/\ncache/\n' },
    turns: [meet('a', 'b'), meet('b', 'a')],
    env: {
      PAWL_WORKTREE_COPY: '.env',
      PAWL_WORKTREE_CLONE: 'cache',
      PAWL_WORKTREE_SETUP: 'mkdir node_modules && cat cache/x > node_modules/x.js',
    },
  });
  const { repo } = scene;
  await repo.write('README.md', 'by the person\n');
  await repo.write('.env', 'KEY=1\n');
  await repo.write('cache/x', 'x\n');
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
  expect(await repo.git('status', '--porcelain')).toBe(' M README.md\n M b.md');
  expect(await repo.git('branch', '--show-current')).toBe('main');
  expect(await groundsOf(scene)).toEqual([]);
  // Copies and installed files are not.
  const [, words = ''] = /pawl (rescue restore .*)$/m.exec(first.stderr) ?? [];
  await repo.write('.env', '');
  await expectExit(0, scene.pawl(...words.split(' ')));
  expect(await repo.read('out/result.bin')).toBe('\u0001');
  expect(await repo.read('.env')).toBe('KEY=1\nmine\n');
  expect(await repo.exists('node_modules')).toBe(false);
  const again = await expectExit(0, runIn(scene, 'a.md').ended);
  expect(again.events.map(({ type }) => type)).toEqual(['run-ended']);
  // The dashboard knows the repository, not the grounds, which are gone.
  const known = listRepositories({ state: path.join(scene.home, '.local/state/pawl') });
  expect(known.map(({ root }) => root)).toEqual([repo.path]);
});

describe('a person has the branch of the run checked out', () => {
  inSoak('they commit on it while the run is stopped: the run goes on from there', async () => {
    const hangs = onTask('b', [{ bash: 'touch "$HOME/at-work"; sleep 60' }], true);
    await using scene = await makeNight({
      files: { 'p.md': letterPlan('a', 'b') },
      turns: [...honest('a'), hangs, ...honest('b')],
    });
    const { repo } = scene;
    const running = runIn(scene, 'p.md');
    await expect.poll(() => existsSync(path.join(scene.home, 'at-work')), { timeout: 240_000 }).toBe(true);
    running.child.kill('SIGINT');
    expect((await running.ended).exit).toBe(130);
    await repo.git('switch', '-q', 'p');
    await repo.write('mine.txt', 'mine\n');
    await repo.git('add', 'mine.txt');
    await repo.git('commit', '-qm', 'By hand');
    await expectExit(0, scene.pawl('run', 'p.md', '--json'));
    expect(await repo.git('log', '--format=%s', 'main..p')).toBe('Write b\nBy hand\nWrite a');
    expect(await repo.git('status', '--porcelain')).toBe('');
    expect(await repo.read('b.txt')).toBe('b\n');
  });

  test('both commit: nothing is lost, and a merge of both is gone on from', async () => {
    const commit = 'git -C "$(cat "$HOME/repo")" commit -q --allow-empty -m "By hand"';
    const turns = [onTask('a', [write('a'), { bash: commit }, done]), ...honest('b')];
    await using scene = await makeNight({ files: { 'p.md': letterPlan('a', 'b') }, turns });
    const { repo } = scene;
    await writeFile(path.join(scene.home, 'repo'), repo.path);
    await repo.git('switch', '-q', '-c', 'mine');
    const parted = await runIn(scene, 'p.md', '--branch', 'mine').ended;
    expect(parted.exit, tell(parted)).not.toBe(0);
    expect(parted.events.at(-1)).toMatchObject({ reasons: [{ code: 'history' }] });
    expect(await repo.git('log', '--format=%s', 'main..mine')).toBe('By hand');
    const run = factsOf(parted, 'run-started')[0]?.run;
    await repo.git('merge', '-q', '--no-edit', `refs/pawl/${run}/head`);
    await expectExit(0, scene.pawl('run', 'p.md', '--json'));
    expect(await repo.read('b.txt')).toBe('b\n');
    expect(await repo.git('status', '--porcelain')).toBe('');
  });
});

describe('a ground that is not needed, or still is', () => {
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
    'copies, a set-up that fails first, a ground removed by hand in between, and an untracked plan: one night',
    async () => {
      await using scene = await makeNight({ files: { '.gitignore': '.env\n' }, env });
      const { repo } = scene;
      const own = { '.env': 'env\n', 'local/x.json': 'json\n', 'plans/mine.md': plan };
      for (const [file, text] of Object.entries(own)) await repo.write(file, text);
      const red = await expectExit(8, runIn(scene, 'plans/mine.md').ended);
      const ground = groundOf(red);
      expect(existsSync(path.join(ground, '.env'))).toBe(true);
      // Somebody takes it away: it is made again, and set up.
      await rm(ground, { recursive: true });
      await writeFile(path.join(scene.home, 'set-up'), '');
      const ended = await expectExit(0, scene.pawl('run', 'plans/mine.md', '--json'));
      expect(factsOf(ended, 'phase').map(({ phase }) => phase)).toContain('setup');
      expect(await repo.git('log', '--format=%s', 'main..mine')).toBe(
        'plan: archive mine.md\nWrite a\nplan: mine.md',
      );
      expect(await repo.git('ls-tree', '-r', '--name-only', 'mine')).toBe(
        '.gitignore\nREADME.md\na.txt\ndocs/plans/plan.md\nplans/completed/mine.md',
      );
      expect(await repo.git('status', '--porcelain')).toBe('?? local/\n?? plans/');
      // made.txt is in nobody's list and in no commit: it is saved.
      const [, oid = ''] = /rescue restore (\w+) /.exec(ended.stderr) ?? [];
      expect(await repo.git('show', `${oid}:made.txt`)).toBe('env\njson');
      expect(await groundsOf(scene)).toEqual([]);
    },
  );

  test('a start that comes to nothing leaves no ground and no branch', async () => {
    await using scene = await makeNight({ files, turns: [] });
    const missing = ['--set', 'agent.claude.command=missing'];
    await expectExit(7, scene.pawl('run', 'a.md', '--worktree', '--trust', ...missing));
    expect(await groundsOf(scene)).toEqual([]);
    expect(await scene.repo.git('branch', '--list', 'a')).toBe('');
  });

  test('stopped while what is installed is copied, a start leaves no ground and no branch', async () => {
    const more =
      'for at in $(seq 500); do mkdir -p node_modules/p$at; echo $at > node_modules/p$at/i.js; done';
    await using scene = await makeNight({
      files: { ...files, '.gitignore': 'node_modules\n' },
      more,
      turns: [],
      env: faultAt('file clone node_modules#1', 'kill -INT $PPID'),
    });
    await expectExit(130, scene.pawl('run', 'a.md', '--worktree', '--trust'));
    expect(await groundsOf(scene)).toEqual([]);
    expect(await scene.repo.git('branch', '--list', 'a')).toBe('');
  });

  test('one that cannot be made leaves no branch', async () => {
    const home = '$(tr "\\0" "\\n" < /proc/$PPID/environ | sed -n s/^HOME=//p)';
    const breaks = `rm -rf ${home}/.local/state/pawl/grounds/*/*/*/.git`;
    await using scene = await makeNight({ files, turns: [], env: faultAt('git fill ground#1', breaks) });
    await expectExit(8, scene.pawl('run', 'a.md', '--worktree', '--trust'));
    expect(await groundsOf(scene)).toEqual([]);
    expect(await scene.repo.git('branch', '--list', 'a')).toBe('');
  });

  inSoak('a repository of its own in it keeps it', async () => {
    const nested =
      'git init -q nested && git -C nested -c user.name=a -c user.email=a@b commit -q --allow-empty -m only-here';
    await using scene = await makeNight({
      files: { ...files, '.gitignore': 'nested/\n' },
      turns: [onTask('a', [{ bash: nested }, write('a'), done])],
    });
    const ended = await expectExit(0, runIn(scene, 'a.md').ended);
    expect(existsSync(path.join(groundOf(ended), 'nested/.git'))).toBe(true);
  });
});

test.each(
  share(
    [
      ['git land#1', files],
      ['journal run-started#1+1', { '.gitignore': 'a.md\n' }],
      ['git commit#1+1', files],
      ['git branch a#1+1', files],
      ['git land#1+1', files],
      ['journal run-ended#1+1', files],
    ],
    7,
  ),
)('killed at %s, the same command does the rest once, also of an ignored plan', async (at, committed) => {
  await using scene = await makeNight({ files: committed, env: killAt(at) });
  await scene.repo.write('a.md', letterPlan('a'));
  await expectExit('SIGKILL', runIn(scene, 'a.md').ended);
  delete scene.env['NODE_OPTIONS'];
  const again = await runIn(scene, 'a.md').ended;
  // After its end there is nothing to do, and the next command is a new run of a plan whose tasks are closed.
  expect(again.exit, tell(again)).toBe(0);
  expect(await scene.repo.git('log', '--format=%s', 'main..a')).toBe('Write a');
  expect(await groundsOf(scene)).toEqual([]);
});

test('what a session committed in its ground does not come home with a kill, only what checks saw; what a person commits on its branch meanwhile is theirs, also a mended check', async () => {
  const commits = onTask(
    'a',
    [{ bash: 'echo bad > a.txt; git add -A; git commit -qm "by the agent"; sleep 60' }],
    true,
  );
  const checked = letterPlan('a').replace('`grep', '`sh check.sh && grep');
  await using scene = await makeNight({
    files: { 'a.md': checked, 'check.sh': 'exit 1\n' },
    turns: [commits, ...honest('a')],
  });
  const { repo } = scene;
  const running = runIn(scene, 'a.md');
  const started = await running.until('run-started');
  const ground = groundOf({ events: [started] });
  const head = () => readFile(path.join(ground, '.git/logs/HEAD'), 'utf8').catch(() => '');
  await expect.poll(head, { timeout: 240_000 }).toContain('by the agent');
  running.child.kill('SIGKILL');
  await running.ended;
  expect(await repo.git('log', '--format=%s', 'main..a')).toBe('');
  await repo.git('switch', '-q', 'a');
  await repo.write('check.sh', 'sleep 1\n');
  await repo.git('commit', '-qam', 'mend the check');
  // Killed again while that is judged.
  const again = runIn(scene, 'a.md');
  expect(await again.until('definitions-taken')).toMatchObject({ task: '1', changed: ['check.sh'] });
  again.child.kill('SIGKILL');
  await again.ended;
  const ended = await expectExit(0, scene.pawl('run', 'a.md', '--json'));
  expect(factsOf(ended, 'definitions-taken')).toMatchObject([{ task: '1', changed: ['check.sh'] }]);
  expect(factsOf(ended, 'session-started')).toHaveLength(1);
  expect(await repo.git('log', '--format=%s', 'main..a')).toBe('Write a\nmend the check');
});

test.each(share(['git take over#1+1', 'git rewrite files#1+1', 'journal task-set-aside#1'], 3))(
  'what a person commits where work is half done is not taken back, even killed at %s: that work returns but for the same file, and its session is told',
  async (at) => {
    const half = 'echo half > shared.txt; echo half > own.txt; rm gone.txt; touch "$HOME/at-work"; sleep 60';
    const told = { when: 'Others changed gone.txt, shared.txt meanwhile', steps: [write('a'), done] };
    await using scene = await makeNight({
      files: { 'a.md': letterPlan('a'), 'shared.txt': 'start\n', 'gone.txt': 'start\n' },
      turns: [onTask('a', [{ bash: half }], true), told],
    });
    const { repo } = scene;
    const running = runIn(scene, 'a.md');
    await expect.poll(() => existsSync(path.join(scene.home, 'at-work')), { timeout: 240_000 }).toBe(true);
    running.child.kill('SIGKILL');
    await running.ended;
    await repo.git('switch', '-q', 'a');
    for (const file of ['shared.txt', 'gone.txt', 'new.txt']) await repo.write(file, 'mine\n');
    await repo.git('add', '.');
    await repo.git('commit', '-qm', 'By hand');
    Object.assign(scene.env, killAt(at));
    await expectExit('SIGKILL', scene.pawl('run', 'a.md'));
    delete scene.env['NODE_OPTIONS'];
    await expectExit(0, scene.pawl('run', 'a.md', '--json'));
    expect(await repo.git('log', '--format=%s', 'main..a')).toBe('Write a\nBy hand');
    expect(await repo.git('show', '--format=', '--name-status', 'a')).toBe('M\ta.md\nA\ta.txt\nA\town.txt');
  },
);

test('paused in the midst of a task, what a person commits on the branch is gone on from, also another plan', async () => {
  const half = 'echo half > shared.txt; touch "$HOME/at-work"; sleep 60';
  await using scene = await makeNight({
    files: { 'a.md': letterPlan('a'), 'shared.txt': 'start\n' },
    more: 'git branch a',
    turns: [onTask('a', [{ bash: half }], true), ...honest('a', 'b')],
  });
  const { repo } = scene;
  const running = runIn(scene, 'a.md');
  await expect.poll(() => existsSync(path.join(scene.home, 'at-work')), { timeout: 240_000 }).toBe(true);
  await expectExit(0, scene.pawl('pause', '--now'));
  await running.until('paused');
  await repo.git('switch', '-q', 'a');
  await repo.write('a.md', letterPlan('a', 'b'));
  await repo.write('shared.txt', 'mine\n');
  await repo.git('commit', '-qam', 'By hand');
  await expectExit(0, scene.pawl('continue'));
  await expectExit(0, running.ended);
  expect(await repo.git('log', '--format=%s', 'main..a')).toBe('Write b\nWrite a\nBy hand');
  expect(await repo.read('shared.txt')).toBe('mine\n');
});

test('interrupted it is kept, and goes on in it; a person restores, takes back, edits and answers from their own tree', async () => {
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
  await expect.poll(() => existsSync(path.join(scene.home, 'at-work')), { timeout: 240_000 }).toBe(true);
  const ground = groundOf({ events: [await running.until('run-started')] });
  await expectExit(2, scene.pawl('run', 'a.md', '--worktree', '--fresh'));
  await expectExit(2, scene.pawl('run', 'a.md'));
  expect((await scene.pawl('status', 'a.md')).stdout).toContain(ground);
  running.child.kill('SIGINT');
  await expectExit(130, running.ended);
  expect(await groundsOf(scene)).toEqual([ground]);
  expect(await repo.git('status', '--porcelain')).toBe('');
  const asks = await expectExit(3, scene.pawl('run', 'a.md', '--json'));
  expect(factsOf(asks, 'run-resumed')).toHaveLength(1);
  const inGround = (file: string) => readFile(path.join(ground, file), 'utf8');
  // What is fixed or begun there would not come home.
  for (const words of [
    ['review', '--trust'],
    ['run', 'b.md', '--trust'],
  ])
    expect((await startPawl(words, { cwd: ground, env: scene.env }).ended).exit).toBe(2);

  await rm(path.join(ground, 'c.txt'));
  await expectExit(0, scene.pawl('rescue', 'restore', '2', 'c.txt'));
  expect(await inGround('c.txt')).toBe('c\n');
  const undone = await expectExit(0, scene.pawl('undo', '1'));
  expect(await repo.git('log', '--format=%s', 'main..a')).toBe('');
  expect(await repo.git('status', '--porcelain')).toBe('');
  const [main, a] = [await repo.git('rev-parse', 'main'), await repo.git('rev-parse', 'a')];
  const [, back = ''] = /back: git (.+)/.exec(undone.stdout) ?? [];
  await repo.git(...back.split(' '));
  expect(await repo.git('log', '--format=%s', 'main..a')).toBe('Write c');
  expect(await repo.git('rev-parse', 'main')).toBe(main);
  await repo.git('update-ref', 'refs/heads/a', a);
  expect((await scene.pawl('answer', '2', 'blue')).exit).toBe(0);

  await scene.rewrite(honest('a', 'b', 'c'));
  await expectExit(0, scene.pawl('run', 'a.md', '--json', '--trust'));
  expect(await repo.git('log', '--format=%s', 'main..a')).toBe('Write a\nWrite c');
  expect(await repo.git('branch', '--show-current')).toBe('main');
  expect(await groundsOf(scene)).toEqual([]);
});

test('what is red only in the ground stops the run before a session, and a setting mends it', async () => {
  const plan = `${letterPlan('a')}`.replace(
    '### Task 1',
    '## Validation Commands\n- `test -e tools/x`\n\n### Task 1',
  );
  await using scene = await makeNight({
    files: { 'p.md': plan, '.gitignore': 'tools/\n' },
    env: { PAWL_BASELINE: 'auto' },
  });
  await scene.repo.write('tools/x', 'x\n');
  const red = await runIn(scene, 'p.md').ended;
  expect(red.exit, tell(red)).not.toBe(0);
  expect(red.events.at(-1), tell(red)).toMatchObject({ reasons: [{ code: 'environment' }] });
  expect(factsOf(red, 'session-started')).toEqual([]);
  await expectExit(0, scene.pawl('run', 'p.md', '--json', '--set', 'worktree.clone=tools'));
});

inSoak.each(['a bare layout', 'a linked working tree'])('started from %s it works alike', async (kind) => {
  await using scene = await makeNight({ files: { 'p.md': letterPlan('a') } });
  const { repo, home } = scene;
  const tree = path.join(home, 'linked');
  const from = kind === 'a bare layout' ? path.join(home, 'bare.git') : repo.path;
  if (kind === 'a bare layout') await repo.git('clone', '-q', '--bare', repo.path, from);
  await repo.git('-C', from, 'worktree', 'add', '-q', '-b', 'side', tree);
  for (const [key, value] of [
    ['user.name', 'A Person'],
    ['user.email', 'person@example.org'],
  ] as const)
    await repo.git('-C', tree, 'config', key, value);
  await expectExit(
    0,
    startPawl(['run', 'p.md', '--json', '--trust', '--worktree'], {
      cwd: tree,
      env: scene.env,
    }).ended,
  );
  expect(await repo.git('-C', tree, 'log', '--format=%s', 'side..p')).toBe('Write a');
  expect(await repo.git('-C', tree, 'status', '--porcelain')).toBe('');
  expect(await groundsOf(scene)).toEqual([]);
});

inSoak(
  'the repository is made anew at the same path: the run goes on in another ground, and the old one stays',
  async () => {
    const setup = 'test -e "$HOME/set-up"';
    await using scene = await makeNight({ files, env: { PAWL_WORKTREE_SETUP: setup } });
    const { repo } = scene;
    const red = await expectExit(8, runIn(scene, 'a.md').ended);
    const ground = groundOf(red);
    await writeFile(path.join(ground, 'half.txt'), 'half\n');
    await rm(path.join(repo.path, '.git'), { recursive: true });
    await repo.git('init', '-q', '-b', 'main');
    await repo.git('config', 'user.name', 'A Person');
    await repo.git('config', 'user.email', 'person@example.org');
    await repo.commit('made anew');
    await writeFile(path.join(scene.home, 'set-up'), '');
    await expectExit(0, runIn(scene, 'a.md').ended);
    expect(await repo.git('log', '--format=%s', 'main..a')).toBe('Write a');
    expect(await readFile(path.join(ground, 'half.txt'), 'utf8')).toBe('half\n');
  },
);

test.each(['untracked', 'changed'])(
  'the command that is printed takes the work over, with one plan, which is completed: %s',
  async (kind) => {
    await using scene = await makeNight({
      ...(kind === 'changed' ? { files } : {}),
      env: { PAWL_ARCHIVE: 'true' },
    });
    await scene.repo.write('a.md', `${letterPlan('a')}\nNot committed yet.\n`);
    await expectExit(0, runIn(scene, 'a.md').ended);
    const [, command = 'false'] = /`([^`]*git merge a)`/.exec(await readRun(scene)) ?? [];
    await promisify(execFile)('sh', ['-c', command], { cwd: scene.repo.path });
    expect(await scene.repo.git('status', '--porcelain')).toBe('');
    expect(await scene.repo.git('ls-files', '*a.md')).toBe('completed/a.md');
    expect(existsSync(path.join(scene.repo.path, 'a.md'))).toBe(false);
    expect(JSON.parse((await scene.pawl('status', '--json')).stdout)).not.toHaveProperty('worktree');
  },
);
