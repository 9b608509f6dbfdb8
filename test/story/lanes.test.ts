// Tasks side by side: lanes, and the gate at which each landing is checked again on what landed before it. Each commit of the
// branch is taken out on its own, and its checks are run there.
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Step, Turn } from '../fixtures/agents/scripted/script.ts';
import { reach, waitFor, waitLanded } from '../helpers/letters.ts';
import { makeMounts } from '../helpers/mounts.ts';
import { has } from '../helpers/needs.ts';
import { faultAt } from '../helpers/night.ts';
import {
  type Cast,
  type Ended,
  expectExit,
  factsOf,
  makeScene,
  type Scene,
  type SceneOptions,
} from '../helpers/pawl.ts';
import { redCommits } from '../helpers/red-commits.ts';
import { inSoak, isSoak } from '../helpers/share.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const numbers = ['1', '2', '3'];

/** A plan whose tasks do not wait for each other, with one check for all. */
function planOf(tasks: readonly string[], check = 'sh check.sh'): string {
  const sections = tasks.map(
    (id) =>
      `### Task ${id}: Write ${id}\n- depends: none\n- check: \`test -f ${id}.txt\`\n- [ ] Write ${id}.txt\n`,
  );
  return `# Plan: Many\n\n## Checks\n- \`${check}\`\n\n${sections.join('\n')}`;
}

const done: Step = { say: 'Done.\n\n{{marker TASK_DONE wrote it}}' };

/** What the session of a task does: when its first message comes, and on any later one. */
function turnsOf(id: string, ...steps: readonly Step[]): Turn {
  return { when: { regex: `^#+ Task ${id}:(?![\\s\\S]*^#+ Task ${id}:)` }, steps: [...steps, done] };
}

const write = (file: string, text: string): Step => ({ bash: `echo '${text}' > ${file}` });

/** On a branch of the person's, which follows. */
function makeMine(options: SceneOptions): Promise<Scene> {
  return makeScene({
    more: 'git switch -qc mine\n',
    ...options,
    files: { 'check.sh': 'true\n', ...options.files },
    env: { ...settings, ...options.env },
  });
}

function closedOf(ended: Ended): readonly string[] {
  return factsOf(ended, 'task-closed').map(({ task }) => task);
}

/** What `pawl rescue list` has to tell from. */
async function rescuesOf({ repo }: Scene): Promise<readonly string[]> {
  const refs = ['refs/pawl/*/rescue', 'refs/pawl/*/lanes/*/rescue', 'refs/pawl/*/lanes/*/earlier/*'];
  const tips = (await repo.git('for-each-ref', '--format=%(objectname)', ...refs)).split('\n');
  return (await repo.git('rev-list', '--first-parent', ...tips)).split('\n');
}

function lanesOf(ended: Ended): ReadonlySet<number | undefined> {
  return new Set(ended.events.flatMap((event) => (event.type === 'task-started' ? [event.lane] : [])));
}

/** The real CLI in the soak. */
const cast: Cast = isSoak ? 'claude' : 'scripted';

const settings = { PAWL_ARCHIVE: 'false', PAWL_REVIEW_STAGES: 'none', PAWL_BRANCH: 'mine' };

test('three tasks that do not wait for each other make the commits of one by one, in another order', async () => {
  // The plan's check alone decides, so that landing again asks for no more checks.
  const plan = planOf(numbers).replaceAll(/- check: .*\n/g, '');
  await using scene = await makeMine({
    plan,
    files: {
      'check.sh': 'test ! -e bad.txt\n',
      'old.txt': 'moved\n',
      '.gitignore': '.env*\nlocal/\n',
      '.gitattributes': '[0-9].txt filter=shift\n',
    },
    // One of them moves a file, which is no person’s loss; two make some that git ignores and their lanes alone have.
    turns: numbers.map((id) =>
      turnsOf(id, { think: 300 }, write(`${id}.txt`, id), {
        bash: `mkdir local; case ${id} in 1) mv old.txt new.txt; echo KEY=1 > .env.made; echo 1 > local/made;; 2) truncate -s 101M local/big;; esac`,
      }),
    ),
  });
  const { repo } = scene;
  // What git keeps of the files is not what stands in the tree.
  await repo.git('config', 'filter.shift.clean', 'tr 0-9 5-90-4');
  await repo.git('config', 'filter.shift.smudge', 'tr 5-90-4 0-9');
  await repo.git('config', 'filter.shift.required', 'true');
  const ended = await expectExit(0, scene.run('--jobs', '3'));
  expect([...closedOf(ended)].sort()).toEqual(numbers);
  const changed = await repo.git('diff', '--name-status', '-M', 'main', 'HEAD');
  expect(changed.split('\n')).toEqual([
    ...numbers.map((id) => `A\t${id}.txt`),
    'M\tdocs/plans/plan.md',
    'R100\told.txt\tnew.txt',
  ]);
  expect(await repo.read('docs/plans/plan.md')).toBe(plan.replaceAll('[ ]', '[x]'));
  expect([await repo.git('show', 'HEAD:1.txt'), await repo.read('1.txt')]).toEqual(['6', '1\n']);
  // One each, and before them all, and once more at the end.
  expect(factsOf(ended, 'check-ended').length).toBeLessThanOrEqual(numbers.length * 2 + 1);
  expect(lanesOf(ended).size).toBe(3);
  expect(await redCommits(repo)).toEqual([]);
  // What is judged after work was merged with what landed is the merged tree.
  const merged = ended.events.flatMap((event, at) =>
    event.type === 'lane' && event.state === 'catching-up'
      ? [{ ...event, later: ended.events.slice(at) }]
      : [],
  );
  expect(merged).not.toEqual([]);
  for (const { task, merged: tree, later } of merged)
    expect(later.find((event) => event.type === 'tree-written' && event.task === task)).toMatchObject({
      tree,
    });
  expect(factsOf(ended, 'act-found')).toEqual([]);
  const atEnd = factsOf(ended, 'rescue-saved').filter(
    ({ reason }) => reason === 'what a lane held at its end',
  );
  expect(atEnd).toHaveLength(1);
  const ofOne = ['.env.made', 'local/made'].map((file) => repo.git('show', `${atEnd[0]?.oid}:${file}`));
  expect(await Promise.all(ofOne)).toEqual(['KEY=1', '1']);
  const told = factsOf(ended, 'noticed').map(({ code, text }) => ({ code, text }));
  expect(told).toContainEqual({
    code: 'lane-saved',
    text: expect.stringContaining(`(.env.made, local): pawl rescue show ${atEnd[0]?.oid.slice(0, 10)}`),
  });
  const kept = told.find(({ code }) => code === 'lane-kept')?.text ?? '';
  expect(kept).toContain('101.0 MB of ignored files is too much to save: local');
  expect(existsSync(path.join(/ in (.*?): /.exec(kept)?.[1] ?? '', 'local/big'))).toBe(true);
  expect(await repo.git('status', '--porcelain')).toBe('');
  expect(await repo.git('rev-list', '--merges', 'HEAD')).toBe('');
});

test('a conflict on the same lines is resolved by the session whose work it is, though others land meanwhile; what is green alone and red with theirs never stands on the branch red', async () => {
  const start = 'first\nlast\n';
  await using scene = await makeMine({
    plan: planOf(['1', '2', '3', '4']),
    files: { 'check.sh': '! { test -e one && test -e two; }\n', 'word.txt': start },
    turns: (root) => [
      {
        // The marks still stand when another task has landed, with which there is no conflict.
        when: 'still holds marks',
        steps: [
          reach('resolved'),
          waitLanded(root, '4'),
          { bash: "printf 'first\\none\\ntwo\\nlast\\n' > word.txt" },
          done,
        ],
      },
      { when: 'Both sides are meant', steps: [reach('both'), waitLanded(root, '3'), done] },
      turnsOf('3', waitFor('both'), write('3.txt', '3')),
      turnsOf('4', waitFor('resolved'), write('4.txt', '4'), write('one', '4')),
      turnsOf('1', waitFor('at-2'), write('1.txt', '1'), {
        bash: "sed -i 's/first/first\\none\\nuno/' word.txt",
      }),
      turnsOf('2', reach('at-2'), waitLanded(root, '1'), write('2.txt', '2'), write('two', '2'), {
        bash: "sed -i 's/first/first\\ntwo/' word.txt",
      }),
      { when: 'sh check.sh', steps: [{ bash: 'rm two' }, done] },
    ],
    cast,
    env: { PAWL_TASK_CORRECTIONS: '3' },
  });
  const ended = await expectExit(0, scene.run('--jobs', '4'));
  expect(factsOf(ended, 'landing-given-back')).toMatchObject([
    { task: '2', why: 'conflict', files: ['word.txt'], landed: ['1'] },
    // The third has landed by then, but has no part in it.
    { task: '2', why: 'conflict', files: ['word.txt'], landed: ['1', '3'] },
    { task: '2', why: 'red', landed: ['1', '3', '4'] },
  ]);
  expect(factsOf(ended, 'correction-sent').map(({ task, kind }) => `${task} ${kind}`)).toEqual([
    '2 conflict',
    '2 conflict',
    '2 red',
  ]);
  // One session each: it was told, not begun anew.
  expect(factsOf(ended, 'session-started')).toHaveLength(4);
  expect(await scene.repo.read('word.txt')).toBe('first\none\ntwo\nlast\n');
  expect(await redCommits(scene.repo)).toEqual([]);
});

inSoak(
  'a conflict without marks that a session leaves as it is closes unchecked, with the way to what is left out',
  async () => {
    await using scene = await makeMine({
      plan: planOf(['1', '2'], 'true'),
      files: { 'logo.png': 'a\0' },
      turns: [
        { when: 'still as the merge left it', steps: [done] },
        { when: 'Both sides are meant', steps: [{ bash: 'mv thing~pawl_landed thing/file' }, done] },
        turnsOf('1', write('1.txt', '1'), { bash: "printf 'a\\0one' > logo.png; echo f > thing" }),
        turnsOf('2', { think: 2_000 }, write('2.txt', '2'), {
          bash: "printf 'a\\0two' > logo.png; mkdir thing; echo x > thing/x",
        }),
      ],
    });
    const ended = await expectExit(4, scene.run('--jobs', '2'));
    expect(factsOf(ended, 'correction-sent').map(({ kind }) => kind)).toEqual(['conflict']);
    const second = factsOf(ended, 'task-closed').find(({ task }) => task === '2');
    expect(second).toMatchObject({
      proof: 'unchecked',
      reason: expect.stringContaining('the conflict over logo.png was left'),
    });
    const [, had = ''] = /`git ls-tree (\w+) -- logo\.png`/.exec(second?.reason ?? '') ?? [];
    expect(await scene.repo.git('show', `${had}:logo.png`)).toBe('a\0two');
    expect(await scene.repo.git('ls-tree', '-r', '--name-only', 'HEAD', 'thing', 'logo.png')).toBe(
      'logo.png\nthing/file\nthing/x',
    );
  },
);

test('a person commits and edits files while tasks are worked on, and none of it gets into a commit of theirs', async () => {
  const late = planOf(['1', '2', '3']).replace('3: Write 3\n- depends: none', '3: Write 3\n- depends: 1, 2');
  await using scene = await makeMine({
    plan: late,
    files: { 'mine.txt': 'old\n', 'both.txt': 'old\n' },
    turns: [
      turnsOf('1', waitFor('go'), write('1.txt', '1'), write('both.txt', 'task'), write('own.txt', 'task')),
      turnsOf('2', waitFor('go'), write('2.txt', '2')),
      turnsOf('3', write('3.txt', '3')),
    ],
    cast,
  });
  const { repo } = scene;
  await repo.write('own.txt', 'own\n');
  const running = scene.startRun('--jobs', '2');
  await running.until('session-ready');
  await repo.write('mine.txt', 'edited\n');
  await repo.write('both.txt', 'edited\n');
  await repo.write('new.txt', 'new\n');
  await repo.write('theirs.txt', 'theirs\n');
  await repo.git('add', 'theirs.txt');
  await repo.git('commit', '-qm', 'by hand', '--', 'theirs.txt');
  await repo.git('config', 'core.pager', 'mine');
  await writeFile(path.join(scene.home, 'go'), '');
  const ended = await expectExit(0, running.ended);
  const files = ['mine.txt', 'both.txt', 'new.txt', 'own.txt'];
  expect(await Promise.all(files.map((file) => repo.read(file)))).toEqual([
    'edited\n',
    'edited\n',
    'new\n',
    'own\n',
  ]);
  expect(await repo.git('show', 'HEAD:both.txt', 'HEAD:own.txt', 'HEAD:mine.txt')).toBe('task\ntask\nold');
  expect((await repo.git('status', '--porcelain')).split('\n').map((line) => line.trim())).toEqual([
    'M both.txt',
    'M mine.txt',
    'M own.txt',
    '?? new.txt',
  ]);
  expect(factsOf(ended, 'landing-kept').flatMap((fact) => fact.files)).toEqual(['both.txt', 'own.txt']);
  expect(factsOf(ended, 'act-found')).toEqual([]);
  expect(factsOf(ended, 'intervention')).toMatchObject([{ kind: 'hand-edit' }]);
  expect((await repo.log()).filter((subject) => subject === 'by hand')).toHaveLength(1);
  // The third works in a lane that another has left.
  expect([...lanesOf(ended)].sort()).toEqual([1, 2]);
  expect(await redCommits(scene.repo)).toEqual([]);
});

/** From its lane, with a commit that looks like one of pawl's that closes task 2. */
const inOwnGround = `cd "$(dirname "$(cat .git/objects/info/alternates)")/.." && sed -i 's/sh check.sh/true/; s/\\[ \\] Write 2/[x] Write 2/' docs/plans/plan.md && env -u GIT_COMMITTER_EMAIL -u GIT_AUTHOR_EMAIL git commit -q --allow-empty -m "Theirs\n\nPawl-Task: 2\nPawl-Close: 0011"; git config core.hooksPath /tmp`;

test('what an agent does to git in its lane, or in the run’s own ground, reaches neither the others nor the repository', async () => {
  const hostile = [
    'git branch -D plan main',
    'git config core.hooksPath /tmp',
    'git stash -u; git stash drop',
    'git gc --prune=now --quiet',
    'git update-ref -d refs/heads/main',
    'git worktree prune',
    'git tag -d keep',
    'git checkout -q -b away',
    'git commit -q --allow-empty -m theirs',
  ].join('; ');
  await using scene = await makeMine({
    plan: planOf(['1', '2']),
    turns: [
      turnsOf('1', { bash: `{ ${hostile}; } 2>/dev/null; true` }, write('1.txt', '1')),
      turnsOf('2', { think: 3_000 }, { bash: inOwnGround }, write('2.txt', '2')),
    ],
    cast,
  });
  await scene.repo.git('tag', 'keep');
  const before = await scene.repo.git('rev-parse', 'main', 'keep');
  const ended = await scene.run('--jobs', '2');
  expect(closedOf(ended), ended.stdout + ended.stderr).toEqual(expect.arrayContaining(['1', '2']));
  expect(await scene.repo.git('rev-parse', 'main', 'keep')).toBe(before);
  expect(await scene.repo.git('config', '--default', 'none', 'core.hooksPath')).toBe('none');
  expect(await scene.repo.git('fsck', '--connectivity-only')).not.toContain('missing');
  // What was taken away can be had by the names that are told.
  const kept = factsOf(ended, 'act-found').flatMap(({ kept }) => kept ?? []);
  expect(kept.length).toBeGreaterThan(0);
  const saved = factsOf(ended, 'rescue-saved').map(({ ref }) => ref);
  for (const ref of [...kept, ...saved]) await scene.repo.git('cat-file', '-e', ref);
  expect(kept.some((ref) => ref.includes('/lanes/'))).toBe(true);
  const acts = factsOf(ended, 'act-found').map(({ act, response }) => `${act} → ${response}`);
  expect(acts).toEqual(expect.arrayContaining(['changed-git-config → put-back', 'committed → put-back']));
  expect(await scene.repo.log()).not.toContain('Theirs');
  expect(await scene.repo.read('docs/plans/plan.md')).toContain('`sh check.sh`');
  expect(await redCommits(scene.repo)).toEqual([]);
});

test('interrupted while another lands, a finished task that no check proves waits for the next start, which judges it without a session', async () => {
  await using scene = await makeMine({
    plan: planOf(['1', '2']).replaceAll(/- check: .*\n|## Checks\n.*\n/g, ''),
    turns: [turnsOf('1', write('1.txt', '1')), turnsOf('2', waitFor('landing'), write('2.txt', '2'))],
  });
  const { repo, home } = scene;
  const first = 'mkdir "$HOME/landing" 2>/dev/null || exit 0; until [ -e "$HOME/go" ]; do sleep 0.05; done';
  await repo.write('.git/hooks/pre-commit', `#!/bin/sh\n${first}\n`);
  const running = scene.startRun('--jobs', '2');
  const { session } = await running.until('session-started', ({ task }) => task === '2');
  await running.until('turn-ended', (turn) => turn.session === session);
  running.child.kill('SIGINT');
  const isSecond = ({ task }: Readonly<{ task: string }>) => task === '2';
  const judged = await Promise.any([
    running.until('task-closed', isSecond),
    running.until('round-ended', isSecond),
  ]);
  expect(judged).toMatchObject({ type: 'round-ended', verdict: 'stop', reason: 'interrupted' });
  await writeFile(path.join(home, 'go'), '');
  const stopped = await running.ended;
  expect([stopped.exit, closedOf(stopped)], stopped.stdout + stopped.stderr).toEqual([130, ['1']]);
  const ended = await scene.run('--jobs', '2');
  expect([ended.exit, closedOf(ended)], ended.stdout + ended.stderr).toEqual([4, ['2']]);
  expect(factsOf(ended, 'session-started')).toEqual([]);
  expect([await repo.read('1.txt'), await repo.read('2.txt')]).toEqual(['1\n', '2\n']);
});

test('interrupted with three open it goes on with one that is named, by the plan as it is now, then with the rest; what lost its folder or its task begins anew', async () => {
  const tasks = ['1', '2', '3'];
  await using scene = await makeMine({
    plan: planOf(tasks),
    turns: tasks.map((id) => turnsOf(id, write(`${id}.txt`, id), { think: 30_000 })),
    cast,
  });
  const running = scene.startRun('--jobs', '3');
  await running.until('session-ready', ({ session }) => session === 3);
  const lane = await running.until('lane-opened', (fact) => fact.lane === 2);
  await until(() => existsSync(path.join(lane.folder, '2.txt')));
  running.child.kill('SIGINT');
  const stopped = await expectExit(130, running.ended);
  expect(closedOf(stopped)).toEqual([]);
  const [first, second] = factsOf(stopped, 'lane-opened').toSorted((one, other) => one.lane - other.lane);
  await rm(first?.folder ?? '', { recursive: true });
  // A lane whose git folder was broken is mended.
  await rm(path.join(second?.folder ?? '', '.git/HEAD'));
  // What a kill left of a plan that was being written.
  await writeFile(path.join(second?.folder ?? '', 'docs/plans/.plan.md.1.tmp'), '');
  const points = await rescuesOf(scene);
  // Task 2 is to do more now, and 3 is another one.
  const edited = planOf(tasks)
    .replace('- [ ] Write 2.txt', '- [ ] Write 2.txt\n- [ ] Write more.txt')
    .replace('3: Write 3', '3: Write three');
  await scene.repo.write('docs/plans/plan.md', edited);
  await scene.repo.git('commit', '-qam', 'other tasks');
  await scene.rewrite([{ when: 'Write more.txt', steps: [write('more.txt', '2'), done] }]);
  const named = await scene.run('--task', '2', '--jobs', '2');
  expect(closedOf(named), named.stdout + named.stderr).toEqual(['2']);
  expect(await scene.repo.git('show', '--name-only', '--format=%s', 'HEAD')).toBe(
    'Write 2\n\n2.txt\ndocs/plans/plan.md\nmore.txt',
  );
  await scene.rewrite(tasks.map((id) => turnsOf(id, write(`${id}.txt`, id))));
  const ended = await expectExit(0, scene.run('--jobs', '2'));
  expect([...closedOf(ended)].sort()).toEqual(['1', '3']);
  expect(factsOf(ended, 'task-reopened')).toMatchObject([{ task: '3', by: 'hand' }]);
  expect(factsOf(named, 'noticed')).toMatchObject([{ code: 'lane-gone' }]);
  expect(await rescuesOf(scene)).toEqual(expect.arrayContaining([...points]));
  expect(await redCommits(scene.repo)).toEqual([]);
  expect(await scene.repo.git('status', '--porcelain')).toBe('');
});

inSoak(
  'what a session commits and writes in the run’s own ground counts for nobody, though pawl is killed then',
  async () => {
    const kill = 'kill -9 "$(cat "$HOME/pawl")"; sleep 30';
    await using scene = await makeMine({
      plan: planOf(['1', '2']),
      turns: [
        {
          ...turnsOf('1', {
            bash: `${inOwnGround}; ${kill}`,
          }),
          once: true,
        },
        turnsOf('1', write('1.txt', '1')),
        turnsOf('2', { think: 3_000 }, write('2.txt', '2')),
      ],
      cast,
    });
    const live = () => liveOf(scene, '2');
    const lives = [await live(), await live()];
    const ended = lives.at(-1) as Ended;
    expect(ended.exit, ended.stdout + ended.stderr).toBe(0);
    expect(lives.flatMap(closedOf).sort()).toEqual(['1', '2']);
    expect(await scene.repo.log()).not.toContain('Theirs');
    expect(lives.flatMap((life) => factsOf(life, 'act-found'))).toMatchObject([
      { act: 'changed-git-config', response: 'put-back' },
      { act: 'committed', response: 'put-back', kept: expect.anything() },
    ]);
    expect(lives.flatMap((life) => factsOf(life, 'intervention')).map(({ kind }) => kind)).not.toContain(
      'hand-edit',
    );
    expect(await scene.repo.read('docs/plans/plan.md')).toContain('`sh check.sh`');
    expect(await redCommits(scene.repo)).toEqual([]);
    expect(await scene.repo.git('status', '--porcelain')).toBe('');
  },
);

inSoak(
  'hooks in an ignored folder run in lanes, and a file that a lane ignores makes way for one that lands',
  async () => {
    await using scene = await makeMine({
      plan: planOf(['1', '2']),
      files: { '.gitignore': 'dist/\n.husky/_/\n' },
      turns: [
        turnsOf('1', write('1.txt', '1'), {
          bash: 'echo .husky/_/ > .gitignore; mkdir dist; echo 1 > dist/out',
        }),
        turnsOf('2', write('2.txt', '2'), { bash: 'mkdir dist; echo 2 > dist/out' }, { think: 3_000 }),
      ],
      cast,
    });
    const { repo } = scene;
    await repo.write('.husky/_/pre-commit', '#!/bin/sh\nls >> "$HOME/hooked"\n');
    await repo.git('config', 'core.hooksPath', '.husky/_');
    const ended = await expectExit(0, scene.run('--jobs', '2'));
    expect([...closedOf(ended)].sort()).toEqual(['1', '2']);
    expect(await repo.git('show', 'HEAD:dist/out')).toBe('1');
    const hooked = await readFile(path.join(scene.home, 'hooked'), 'utf8');
    expect(hooked.split('\n').filter((line) => line === 'check.sh')).toHaveLength(2);
  },
);

inSoak('`clean` takes what was left behind of lanes, and keeps what a run still needs', async () => {
  await using scene = await makeScene({
    plan: planOf(['1', '2']),
    files: { 'check.sh': 'true\n' },
    turns: ['1', '2'].map((id) => turnsOf(id, write(`${id}.txt`, id), { think: 30_000 })),
    env: settings,
  });
  const running = scene.startRun('--jobs', '2');
  await running.until('session-ready', ({ session }) => session === 2);
  const { folder } = await running.until('lane-opened');
  await until(() => existsSync(path.join(folder, '1.txt')));
  running.child.kill('SIGINT');
  await running.ended;
  // A lane of a run whose own folder is gone.
  const left = path.join(path.dirname(path.dirname(folder)), 'forgotten', path.basename(folder));
  await cp(folder, left, { recursive: true });
  // One that git cannot read was set aside.
  const aside = `${left}.aside`;
  await cp(folder, aside, { recursive: true });
  await rm(path.join(aside, '.git/HEAD'));
  const cleaned = await scene.pawl('clean', '--days', '1');
  expect(cleaned.stdout).toContain(`kept  ${folder}`);
  expect(cleaned.stdout).toContain(`removed  ${left}  (`);
  expect(cleaned.stdout).toContain(`kept  ${aside}  (`);
  expect(await readFile(path.join(aside, '1.txt'), 'utf8')).toBe('1\n');
});

/** A life of pawl, with its process where a session or a check finds it. */
async function liveOf(scene: Scene, jobs: string): Promise<Ended> {
  const running = scene.startRun('--jobs', jobs);
  await writeFile(path.join(scene.home, 'pawl'), String(running.child.pid));
  return running.ended;
}

/** Resolves once it holds. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

test('three lanes wait once for a usage limit, share the budget, and pause together; a command says which task it means', async () => {
  // The first one's wait begins while the others work, and outlasts theirs; a person ends it.
  const limited = (id: string): Turn => ({
    ...turnsOf(id),
    once: true,
    steps:
      id === '1'
        ? [waitFor('open-2'), waitFor('open-3'), { limit: { resetsInS: 900 } }]
        : [reach(`open-${id}`), waitFor('limited'), { limit: { resetsInS: 300 } }],
  });
  await using scene = await makeMine({
    plan: planOf(['1', '2', '3', '4']),
    turns: [
      ...['1', '2', '3'].map(limited),
      ...['1', '2', '3'].map((id) => turnsOf(id, reach(`at-${id}`), waitFor('go'), write(`${id}.txt`, id))),
      turnsOf('4', write('4.txt', '4')),
    ],
    cast,
    auth: 'oauth',
  });
  const running = scene.startRun('--jobs', '3', '--max-cost', '9');
  await running.until('waiting');
  await writeFile(path.join(scene.home, 'limited'), '');
  for (const id of ['1', '2', '3']) await running.until('round-ended', ({ task }) => task === id);
  await scene.pawl('continue');
  await until(() => ['1', '2', '3'].every((id) => existsSync(path.join(scene.home, `at-${id}`))));
  const skipped = await scene.pawl('skip');
  expect(skipped).toMatchObject({ exit: 2, stderr: expect.stringMatching(/tasks 1, 2 and 3 are in work/) });
  const told = await scene.pawl('steer', '--now', 'Be quick.');
  expect(told).toMatchObject({ exit: 2, stderr: expect.stringContaining('--task') });
  const paused = await scene.pawl('pause');
  expect(paused.stdout, paused.stderr).toContain('may finish its turn');
  await writeFile(path.join(scene.home, 'go'), '');
  await running.until('paused');
  await scene.pawl('continue');
  const ended = await expectExit(0, running.ended);
  expect(factsOf(ended, 'waiting')).toHaveLength(1);
  expect(factsOf(ended, 'paused')).toHaveLength(1);
  expect(factsOf(ended, 'round-ended').filter(({ counts }) => counts)).toEqual([]);
  const before = ended.events.findIndex(({ type }) => type === 'paused');
  expect([...closedOf({ ...ended, events: ended.events.slice(0, before) })].sort()).toEqual(['1', '2', '3']);
  const [first, second, third] = factsOf(ended, 'session-started').map(({ maxCostUsd }) => maxCostUsd);
  expect([first, second, third]).toEqual([3, 3, 3]);
});

const disks = [
  { room: 'one lane', kb: 1_800, lanes: [1, undefined] },
  { room: 'no lane', kb: 1_000, lanes: [undefined] },
];

test.runIf(isSoak && has('mounts of its own (unshare)')).each(disks)(
  'a disk with room for $room lets the run go on in what there is',
  async ({ kb, lanes }) => {
    using state = makeTempFolder();
    const all = path.join(state.path, 'pawl/grounds');
    await mkdir(all, { recursive: true });
    await using mounts = await makeMounts();
    await mounts.limit(all, kb);
    await using scene = await makeMine({
      plan: planOf(numbers),
      files: { 'big.txt': 'x'.repeat(600_000) },
      turns: numbers.map((id) => turnsOf(id, { think: 1_000 }, write(`${id}.txt`, id))),
      enter: mounts.enter,
      cast,
      env: { XDG_STATE_HOME: state.path },
    });
    const ended = await expectExit(0, scene.run('--jobs', '3'));
    expect([...closedOf(ended)].sort()).toEqual(numbers);
    // Whether the last is left to the run's own tree depends on which task ends first.
    expect(lanes).toEqual(expect.arrayContaining([...lanesOf(ended)]));
    expect(factsOf(ended, 'noticed').map(({ text }) => text)).toEqual([
      expect.stringMatching(/No more lanes than \d can be made: (git|cannot write) /),
    ]);
    expect(await mounts.sh('find . -type f', all)).toBe('');
    expect(await redCommits(scene.repo)).toEqual([]);
  },
);

test('what is installed and cannot be copied into a lane only prevents that lane', async () => {
  const home = '$(tr "\\0" "\\n" < /proc/$PPID/environ | sed -n s/^HOME=//p)';
  const removed = `rm -r ${home}/.local/state/pawl/grounds/*/run-*/*/node_modules`;
  await using scene = await makeMine({
    plan: planOf(numbers),
    files: { '.gitignore': 'node_modules\n' },
    more: 'git switch -qc mine; mkdir node_modules; echo x > node_modules/x',
    turns: numbers.map((id) => turnsOf(id, write(`${id}.txt`, id))),
    env: faultAt('file clone node_modules#3', removed),
  });
  const ended = await expectExit(0, scene.run('--jobs', '2'));
  expect(factsOf(ended, 'noticed')).toMatchObject([{ code: 'no-lanes' }]);
});

inSoak('what takes pawl down again and again stops the run until a person has mended it', async () => {
  await using scene = await makeMine({
    plan: planOf(numbers),
    files: { 'check.sh': `test ! -e 2.txt || { kill -9 "$(cat "$HOME/pawl")"; sleep 30; }\n` },
    turns: numbers.map((id) => turnsOf(id, write(`${id}.txt`, id))),
    cast,
    env: { FIXED_BACKOFF_MS: '100' },
  });
  const live = () => liveOf(scene, '1');
  const lives = [await live(), await live(), await live()];
  expect(lives.map(({ signal }) => signal)).toEqual(Array(3).fill('SIGKILL'));
  const last = await expectExit(1, live());
  expect(factsOf(last, 'run-ended')[0]?.reasons[0]?.text).toContain('killed 3 times in a row');
  expect(lives.flatMap(closedOf)).toEqual(['1']);
  // A person who starts it again has looked at it.
  await scene.repo.write('check.sh', 'true\n');
  await scene.repo.git('commit', '-qam', 'mended');
  expect(closedOf(await live())).toEqual(['2', '3']);
  expect(await redCommits(scene.repo)).toEqual([]);
});
