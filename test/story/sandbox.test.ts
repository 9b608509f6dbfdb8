// Runs whose agents and checks work in a container: a story to its end, what an agent tries from there, and pawl's death.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { builtFile } from '../helpers/built-pawl.ts';
import { claudePath } from '../helpers/claude-home.ts';
import { serve } from '../helpers/dialect.ts';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { has } from '../helpers/needs.ts';
import { expectNoProcess, makeNight, type Night, processesOf, resultOf } from '../helpers/night.ts';
import { type Ended, expectExit, factsOf, startPawl, tell } from '../helpers/pawl.ts';
import { redCommits } from '../helpers/red-commits.ts';
import { reviewer } from '../helpers/review.ts';
import { emptyImage, hostPrograms, makeEmptyImage } from '../helpers/sandbox-image.ts';
import { inSoak, isSoak } from '../helpers/share.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

const secretKey = 'key-that-nobody-is-told-4711';
describe.runIf(has('a container engine (docker)'))('in a container', () => {
  beforeAll(makeEmptyImage);

  test('an agent reaches nothing but the working tree, and leaves nothing', async () => {
    using outside = makeTempFolder();
    writeFileSync(path.join(outside.path, 'secret'), 'secret');
    await using near = await listenNearby();
    await using scene = await makeInside({
      plan: letterPlan('a', 'b').replace('- check', '- files: a.txt, probes.txt, .husky/pre-commit\n- check'),
      files: hooks,
      turns: [
        onTask('a', [
          { bash: escapes({ outside: outside.path, port: new URL(near.url).port }) },
          write('a'),
          { bash: stay },
          done,
        ]),
        onTask('b', [{ bash: nestRepository(outside.path) }, write('b'), done], true),
        onTask('b', [{ bash: 'rm -rf sub; ln -s /etc/passwd link' }, write('b'), { bash: bomb }, done]),
      ],
      env: {
        PAWL_SANDBOX_MEMORY: '400m',
        FIXED_PIDS: '100',
        PAWL_TASK_CORRECTIONS: '0',
        // No check proves a link that leads out.
        PAWL_REQUIRE: 'unchecked',
        SECRET_OF_HOST: 'secret',
      },
    });
    const { repo } = scene;
    const { before, ended } = await runWithHooks(scene);
    expect((await repo.read('probes.txt')).trim().split('\n')).toEqual([
      ...reached.waysOut,
      'memory no',
      ...reached.within,
    ]);
    expect(await hostOf(scene)).toEqual(before);
    expect(readdirSync(outside.path)).toEqual(['secret']);
    // The hook was the agent's by then, and ran inside.
    expect(existsSync(path.join(repo.path, 'hook-ran'))).toBe(true);
    expect(new Set(factsOf(ended, 'file-refused').map(({ why }) => why))).toEqual(
      new Set(['nested-repository']),
    );
    const strays = factsOf(ended, 'act-found').filter(({ act }) => act === 'left-process');
    for (const left of [/\bsleep 1001\b/, /\bsleep 1002\b/, /^bash -c bomb.* processes\)$/])
      expect(strays.map(({ detail }) => detail)).toContainEqual(expect.stringMatching(left));
    expect(await resultOf(scene)).toMatchObject({
      log: ['Write b', 'Write a', 'start'],
      status: '',
    });
    expect(await repo.git('ls-files', '-s', 'link')).toMatch(/^120000 /);
    await expectNothingLeft(scene);
  });

  inSoak('the real CLI works through the proxy: a task and a review', async () => {
    const refused = `node -e "fetch('https://refused.invalid/')" 2> /dev/null || true`;
    const look: Step = { bash: 'git diff --stat pawl-base...HEAD' };
    await using scene = await makeInside({
      cast: 'claude',
      plan: letterPlan('a'),
      turns: [
        onTask('a', [{ bash: refused }, write('a'), done]),
        reviewer('quality', [], { before: [look] }),
        reviewer('testing', [], { before: [{ bash: 'rm -rf .git; mv .git x; echo x > written' }, look] }),
      ],
      env: { PAWL_REVIEW_STAGES: '[{name: one, reviewers: [quality, testing]}]' },
    });
    const ended = await expectExit(0, scene.run('--worktree'));
    expect(await scene.repo.git('log', '--format=%s', 'plan')).toBe('Write a\nstart');
    expect(factsOf(ended, 'egress-refused').map(({ host }) => host)).toContain('refused.invalid');
    expect(
      factsOf(ended, 'stage-ended').map(({ end }) => end),
      tell(ended),
    ).toEqual(['clean']);
    await expectNothingLeft(scene);
  });

  inSoak('after pawl’s death nothing goes on, and the next start finishes', async () => {
    await using scene = await makeInside({
      plan: letterPlan('a'),
      turns: [onTask('a', [{ bash: 'env -i setsid sleep 1003 & sleep 1004' }, done], true), ...honest('a')],
      env: { ANTHROPIC_API_KEY: secretKey },
    });
    const without = { ...scene.env, PAWL_AGENT_CLAUDE_COMMAND: 'no-claude' };
    const refused = await expectExit(
      7,
      startPawl(['run', '--trust'], { cwd: scene.repo.path, env: without }).ended,
    );
    expect(refused.stderr).toContain(`the agent’s program no-claude is missing in the image ${emptyImage}`);
    expect(await scene.repo.git('branch', '--format=%(refname:short)')).toBe('main');
    const running = scene.startRun();
    await running.until('session-ready');
    const sleepers = () => processesOf(scene).join('\n');
    await vi.waitFor(() => expect(sleepers()).toMatch(/sleep 1003[\s\S]*sleep 1004/), { timeout: 240_000 });
    const told = execFileSync('docker', ['inspect', ...containersOf(scene)]).toString();
    expect(told).toContain('"Env"');
    expect(told + execFileSync('ps', ['-eo', 'args']).toString()).not.toContain(secretKey);
    running.child.kill('SIGKILL');
    await running.ended;
    await expectNothingLeft(scene);
    const ended = await expectExit(0, scene.again());
    expect(tell(ended)).not.toContain(secretKey);
    expect(spawnSync('grep', ['-rl', secretKey, '.'], { cwd: scene.repo.path }).stdout.toString()).toBe('');
    expect(await resultOf(scene)).toMatchObject({ log: ['Write a', 'start'], status: '' });
    await expectNothingLeft(scene);
  });

  inSoak(
    'doctor starts a container; a plan’s folder that leads elsewhere ends the run, and nothing is written there',
    async () => {
      using outside = makeTempFolder();
      const link = `mv docs/plans docs/old; ln -s ${outside.path} docs/plans`;
      await using scene = await makeInside({
        plan: letterPlan('a'),
        turns: [onTask('a', [write('a'), { bash: link }, done])],
      });
      const doctor = await scene.pawl('doctor', '--json');
      expect(doctor.stdout).toMatch(/docker, image /);
      const ended = await scene.run();
      expect(reasonsOf(ended), tell(ended)).toMatch(/leads elsewhere/);
      expect(readdirSync(outside.path)).toEqual([]);
      await expectNothingLeft(scene);
    },
  );
});

describe.runIf(has('bubblewrap (bwrap)'))('in bubblewrap', () => {
  test('an agent reaches nothing but the working tree, and leaves nothing; the real CLI goes by the proxy', async () => {
    using outside = makeTempFolder();
    writeFileSync(path.join(outside.path, 'secret'), 'secret');
    await using near = await listenNearby();
    const refused = `node -e "fetch('https://refused.invalid/')" 2> /dev/null || true`;
    await using scene = await makeInside({
      kind: 'process',
      cast: 'claude',
      plan: letterPlan('a', 'b').replace('- check', '- files: a.txt, probes.txt, .husky/pre-commit\n- check'),
      files: hooks,
      turns: [
        onTask('a', [
          { bash: escapes({ outside: outside.path, port: new URL(near.url).port, bounded: false }) },
          { bash: refused },
          write('a'),
          { bash: stay },
          done,
        ]),
        onTask('b', [{ bash: 'git log -1 --format=%s > last.txt' }, write('b'), done]),
      ],
      env: { SECRET_OF_HOST: 'secret' },
    });
    const { repo } = scene;
    const { before, ended } = await runWithHooks(scene);
    expect((await repo.read('probes.txt')).trim().split('\n')).toEqual([
      ...reached.waysOut,
      ...reached.within,
    ]);
    expect(await hostOf(scene)).toEqual(before);
    expect(readdirSync(outside.path)).toEqual(['secret']);
    expect(factsOf(ended, 'egress-refused').map(({ host }) => host)).toContain('refused.invalid');
    const strays = factsOf(ended, 'act-found').filter(({ act }) => act === 'left-process');
    for (const left of [/\bsleep 1001\b/, /\bsleep 1002\b/])
      expect(strays.map(({ detail }) => detail)).toContainEqual(expect.stringMatching(left));
    expect(await resultOf(scene)).toMatchObject({ log: ['Write b', 'Write a', 'start'], status: '' });
    // Each session has a git folder of its own, as the repository is by then.
    expect(await repo.read('last.txt')).toBe('Write a\n');
    await expectNoProcess(scene);
  });
});

const kinds = [
  ['docker', 'a container engine (docker)'],
  ['process', 'bubblewrap (bwrap)'],
] as const;

test.runIf(has('bubblewrap (bwrap)'))(
  'what would make programs of this machine run is in no commit, unless the plan asks for it, which is told',
  async () => {
    const plants = ['.husky/post-merge', '.envrc', '.vscode/tasks.json', 'sub/.idea/x.xml'];
    const plant: Step = {
      bash: plants.map((file) => `mkdir -p "$(dirname ${file})"; echo x > ${file}`).join('; '),
    };
    await using scene = await makeInside({
      kind: 'process',
      plan: letterPlan('a', 'b')
        .replaceAll('- check', '- depends: none\n- check')
        .replace('2: Write b\n', '2: Write b\n- files: b.txt, .husky/post-checkout\n'),
      turns: [
        onTask('a', [plant, write('a'), done]),
        onTask('b', [{ bash: 'mkdir .husky; echo x > .husky/post-checkout' }, write('b'), done]),
      ],
      env: { PAWL_TASK_ATTEMPTS: '1' },
    });
    const ended = await expectExit(1, scene.run('--keep-going'));
    const refused = factsOf(ended, 'file-refused').filter(({ why }) => why === 'host-program');
    expect(new Set(refused.map(({ file }) => file)), tell(ended)).toEqual(new Set(plants));
    expect(factsOf(ended, 'task-closed')).toMatchObject([
      { task: '2', hostPrograms: ['.husky/post-checkout'] },
    ]);
    expect(await scene.repo.git('ls-files', '.husky', '.envrc', '.vscode', 'sub')).toBe(
      '.husky/post-checkout',
    );
    expect(await scene.repo.log()).toEqual(['Write b', 'start']);
  },
);

describe.each(kinds)('lanes in a sandbox (%s)', (kind, needed) => {
  beforeAll(() => {
    if (isSoak && kind === 'docker' && has(needed)) makeEmptyImage();
  });

  test.runIf(isSoak && has(needed))(
    'see their own tree alone, and git as it is after each landing',
    async () => {
      const free = letterPlan('a', 'b', 'c').replaceAll('- check', '- depends: none\n- check');
      const tries = `
try() { if eval "$2" > /dev/null 2>&1; then echo "$1 yes"; else echo "$1 no"; fi >> probes.txt; }
try plan 'echo more >> docs/plans/plan.md'
try tools 'touch .vscode/new'
try trunk 'ls "$TRUNK"/word.txt'
try others 'ls -d ../*-2'
try named 'ls "../$(basename "$PWD" 1)2"'
try clone 'test -e node_modules/own/index.js'
try lane 'test "$PAWL_LANE$PAWL_PORT_OFFSET" = 11100'
try commit 'git commit -q --allow-empty -m mine'`;
      const addLine = (letter: string): Step => ({ bash: `sed -i 's/first/first\\n${letter}/' word.txt` });
      await using scene = await makeInside({
        kind,
        cast: 'claude',
        plan: free.replace('3: Write c\n- depends: none', '3: Write c\n- depends: 1, 2'),
        files: {
          'word.txt': 'first\nlast\n',
          '.gitignore': 'node_modules/\n',
          '.vscode/tasks.json': '{}\n',
          '.husky/commit-msg': '#!/bin/sh\necho "Seen-in: $(test -e /opt/pawl && echo inside)" >> "$1"\n',
        },
        turns: [],
        more: 'git switch -qc mine\n',
        env: {
          PAWL_TASK_CORRECTIONS: '2',
          PAWL_WORKTREE_CLONE: 'node_modules',
          PAWL_SANDBOX_MEMORY: '400m',
          PAWL_BRANCH: 'mine',
        },
      });
      const { repo } = scene;
      await scene.rewrite([
        {
          when: 'Both sides are meant',
          steps: [
            { bash: 'git diff --name-only HEAD > seen.txt; git log -1 --format=%s >> seen.txt' },
            { bash: "printf 'first\\na\\nb\\nlast\\n' > word.txt" },
            done,
          ],
        },
        onTask('a', [{ bash: tries }, write('a'), addLine('a'), done]),
        onTask('b', [write('b'), addLine('b'), { think: 6_000 }, done]),
        onTask('c', [{ bash: 'git log --format=%s > log.txt' }, write('c'), done]),
      ]);
      await repo.git('config', 'core.hooksPath', '.husky');
      await repo.write('node_modules/own/index.js', '');
      Object.assign(scene.env, { PAWL_SANDBOX_ENV: `TRUNK=${repo.path}` });
      const ended = await expectExit(0, scene.run('--jobs', '2'));
      expect((await repo.read('probes.txt')).trim().split('\n')).toEqual(
        'plan no, tools no, trunk no, others no, named no, clone yes, lane yes, commit yes'.split(', '),
      );
      // Either of the first two may begin first.
      const lanes = factsOf(ended, 'task-started').map(({ task, lane }) => [task, lane]);
      expect(Object.fromEntries(lanes)).toMatchObject({ 1: 1, 2: 2 });
      // Who names another lane has not been there.
      expect(factsOf(ended, 'landing-given-back')).toMatchObject([{ task: '2', why: 'conflict' }]);
      expect(await repo.read('word.txt')).toBe('first\na\nb\nlast\n');
      // Not what others have landed, which is in HEAD there as well.
      expect(await repo.read('seen.txt')).toBe('word.txt\nWrite a\n');
      expect(await repo.read('log.txt')).toBe('Write b\nWrite a\nstart\n');
      const hooked = await repo.git('log', '-3', '--format=%(trailers:key=Seen-in,valueonly,separator=)');
      expect(hooked).toBe('inside\ninside\ninside');
      expect(await redCommits(repo)).toEqual([]);
      expect(await repo.git('status', '--porcelain')).toBe('');
      if (kind === 'docker') await expectNothingLeft(scene);
      else await expectNoProcess(scene);
    },
  );
});

/** What an agent's tries come to, in order; between the two halves a bound on memory, where there is one. */
const reached = {
  waysOut: [
    'home no',
    'outside yes',
    'socket no',
    'plan no',
    'unlink no',
    'tools no',
    'remove-git no',
    'host no',
    'network no',
    'root no',
  ],
  within: ['variable no', 'key yes', 'commit yes', 'branch yes'],
};

/** In the tree, as husky has them. */
const hooks = {
  '.gitignore': 'hook-ran\n',
  '.husky/pre-commit': '#!/bin/sh\ntrue\n',
  // The plan names none of these.
  '.vscode/tasks.json': '{}\n',
  '.claude/settings.json': '{}\n',
  '.husky/commit-msg': '#!/bin/sh\necho "Seen-in: $(test -e /opt/pawl && echo inside)" >> "$1"\n',
};

/** Every way out that is tried, and what must work; each writes a line. */
function escapes({
  outside,
  port,
  bounded = true,
}: Readonly<{ outside: string; port: string; bounded?: boolean }>): string {
  const connect = (host: string, to: string) =>
    `node -e "require('net').connect(${to}, '${host}', () => process.exit(0)).on('error', () => process.exit(1))"`;
  return `
try() { if eval "$2" > /dev/null 2>&1; then echo "$1 yes"; else echo "$1 no"; fi >> probes.txt; }
try home 'cat ${outside}/secret'
try outside 'mkdir -p ${outside} && touch ${outside}/written'
try socket 'test -e /var/run/docker.sock'
try plan 'echo more >> docs/plans/plan.md'
try unlink 'rm -f docs/plans/plan.md'
try tools 'echo x > .vscode/tasks.json || touch .vscode/new || rm -rf .claude || mv .claude x'
try remove-git 'rm -rf .git'
try host ${JSON.stringify(connect('127.0.0.1', port))}
try network ${JSON.stringify(connect('192.0.2.1', '80'))}
try root 'touch /usr/bin/new || mount -t tmpfs x /mnt || touch /etc/new'
${bounded ? `try memory 'node -e "const all = []; for (;;) all.push(Buffer.alloc(1e8, 1))"'` : ''}
try variable 'test -n "$SECRET_OF_HOST"'
try key 'test -n "$ANTHROPIC_API_KEY"'
try commit 'git init -q; git -c user.name=x -c user.email=x@example.invalid commit -q --allow-empty -m mine'
try branch 'git config core.fsmonitor "touch ${outside}/monitor #"; git update-ref refs/heads/mine HEAD'
printf '#!/bin/sh\\ntouch ${outside}/hook; touch hook-ran\\n' > .husky/pre-commit; chmod +x .husky/pre-commit
`;
}

/** Makes ever more of itself. */
const bomb = 'bomb() { bomb | bomb & }; bomb';

/** Programs that dropped all that tells whose they are. Ended at once, one may still be the shell that was about to become it. */
const stay = 'env -i setsid sleep 1001 > /dev/null 2>&1 & setsid nohup sleep 1002 > /dev/null 2>&1 &';

const nestRepository = (outside: string) =>
  `git init -q sub; git -C sub config core.fsmonitor 'touch ${outside}/nested'; echo x > sub/file`;

/** The run to its end, where the repository's hooks are files that an agent can write; and the host before it. */
async function runWithHooks(scene: Night) {
  await scene.repo.git('config', 'core.hooksPath', '.husky');
  await scene.repo.git('branch', 'mine');
  const before = await hostOf(scene);
  const ended = await expectExit(0, scene.run());
  const seen = await scene.repo.git('log', '-2', '--format=%(trailers:key=Seen-in,valueonly,separator=)');
  expect(seen).toBe('inside\ninside');
  return { before, ended };
}

/** What of the repository an agent must not change. */
async function hostOf({ repo }: Night): Promise<readonly string[]> {
  const config = await repo.read('.git/config');
  return [
    config,
    await repo.git('rev-parse', 'mine', 'main'),
    readdirSync(path.join(repo.path, '.git/hooks')).join(' '),
  ];
}

/** A server of the host's own loopback. */
const listenNearby = () => serve(createServer((_, response) => response.end('hello')));

/** A night inside; its agent and its Node are those of the tests. */
async function makeInside({
  kind = 'docker',
  ...options
}: Parameters<typeof makeNight>[0] & { kind?: 'docker' | 'process' }): Promise<Night> {
  const scene = await makeNight(options);
  const env = scene.env;
  env['PAWL_SANDBOX_KIND'] = kind;
  const agent = path.dirname(scene.env['PAWL_AGENT_CLAUDE_COMMAND'] ?? '');
  const ownPrograms = [path.dirname(builtFile('main')), `${agent}:rw`, path.dirname(process.execPath)];
  if (kind === 'process') {
    if (options.cast !== 'claude') env['PAWL_SANDBOX_MOUNTS'] = JSON.stringify(ownPrograms);
    return scene;
  }
  env['PAWL_SANDBOX_IMAGE'] = emptyImage;
  if (options.cast === 'claude') {
    env['PAWL_AGENT_CLAUDE_COMMAND'] = 'claude';
    env['PAWL_SANDBOX_MOUNTS'] = hostPrograms(`${realpathSync(claudePath)}:/opt/bin/claude`);
    return scene;
  }
  env['PAWL_SANDBOX_MOUNTS'] = hostPrograms(...ownPrograms);
  return scene;
}

function reasonsOf(ended: Ended): string {
  return factsOf(ended, 'run-ended')
    .flatMap(({ reasons }) => reasons.map(({ text }) => text))
    .join('\n');
}

async function expectNothingLeft(scene: Night): Promise<void> {
  await expectNoProcess(scene);
  await vi.waitFor(() => expect(containersOf(scene)).toEqual([]), { timeout: 240_000 });
}

function containersOf({ repo }: Night): readonly string[] {
  const label = `label=pawl.tree=${path.join(repo.path, '.git')}`;
  const listed = execFileSync('docker', ['ps', '--all', '--quiet', '--filter', label]).toString();
  return listed.split('\n').filter((id) => id !== '');
}
