// A fleet on a real PostgreSQL, a real git remote and real workers: plans in their order, jobs that nobody asked for, workers that
// drain, die, freeze, and lose the database.
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Fleet, type FleetWorker, makeFleet } from '../helpers/fleet.ts';
import { makeForge } from '../helpers/forge.ts';
import { done, honest, onTask, write } from '../helpers/letters.ts';
import { has } from '../helpers/needs.ts';
import { pidsOf } from '../helpers/night.ts';
import { expectExit, tell } from '../helpers/pawl.ts';
import { type Postgres, startPostgres } from '../helpers/postgres.ts';
import { isSoak } from '../helpers/share.ts';
import { randomOf } from '../soak/random.ts';

// They wait for signs of life most of the time.
const inFleet = has('PostgreSQL (postgresql)') ? test.concurrent : test.skip;

/** Of all whose database stays up. */
let postgres: Postgres;
beforeAll(async () => {
  if (has('PostgreSQL (postgresql)')) postgres = await startPostgres();
});
afterAll(() => postgres?.[Symbol.asyncDispose]());

/** Steps that leave a mark, and never end. */
const hangs = (letter: string) =>
  onTask(letter, [{ bash: `echo half > half-${letter}.txt` }, { hang: true }], true);

/** Steps that end once they may. */
const waits = (letter: string) =>
  onTask(letter, [{ bash: 'while [ ! -e "$HOME/go" ]; do sleep 0.2; done' }, write(letter), done]);

/** Puts a commit of somebody else’s onto a branch of the remote. */
const pushTo = (branch: string) =>
  `cd "$(git config remote.origin.url)" && git update-ref refs/heads/${branch} $(git -c user.name=x -c user.email=x@y commit-tree -m theirs -p ${branch} ${branch}^{tree})`;

/** Signals all of them; one that has ended meanwhile needs none. */
function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}

/** Waits until a look finds the words. */
async function untilTold(
  look: () => Promise<string | readonly string[]> | string,
  words: string,
): Promise<void> {
  await vi.waitFor(async () => expect(await look()).toContain(words), { timeout: 240_000, interval: 400 });
}

/** Waits until open work with this file is carried. */
async function untilCarried(fleet: Fleet, file: string): Promise<void> {
  const look = async () => {
    const refs = (await fleet.inRemote('for-each-ref', '--format=%(refname)', 'refs/pawl')).split('\n');
    const trees = refs.filter(Boolean).map((ref) => fleet.inRemote('ls-tree', '-r', '--name-only', ref));
    return (await Promise.all(trees)).join('\n');
  };
  await untilTold(look, `work/${file}`);
}

/** The journal of the job's run as it is carried, fact by fact. */
async function journalOf(fleet: Fleet, run = ''): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const text = await fleet.inRemote('cat-file', 'blob', `refs/pawl/${run}/carried:journal.ndjson`);
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** That each of its tasks was closed once, in order, and the branch is where the journal says. */
async function expectOnce(fleet: Fleet, run: string | undefined, subjects: readonly string[]) {
  const journal = await journalOf(fleet, run);
  const closed = journal.filter(({ type }) => type === 'task-closed');
  expect(closed.map(({ task }) => task)).toEqual(subjects.map((_, at) => String(at + 1)));
  const branch = String(journal.find(({ type }) => type === 'run-started')?.['branch']);
  expect((await fleet.inRemote('log', '--reverse', '--format=%s', `main..${branch}`)).split('\n')).toEqual(
    subjects,
  );
  expect(await fleet.inRemote('rev-parse', branch)).toBe(closed.at(-1)?.['oid']);
  return journal;
}

const pidsOfWorker = (fleet: Fleet, { home }: FleetWorker) => pidsOf({ ...fleet.scene, home });

inFleet('a job that is not as it was submitted runs nothing', async () => {
  await using fleet = await makeFleet({
    postgres,
    plans: { one: ['a'], two: ['c'] },
    turns: honest('a', 'c'),
  });
  const { repo, home } = fleet.scene;
  const bases = ['changed', 'armed', 'junk'];
  await repo.git('push', '-q', 'origin', ...bases.map((base) => `main:${base}`));
  const junk = await fleet.submit('one', '--base', 'junk', '--branch', 'one-junk');
  fleet.postgres.sql(
    fleet.url,
    `update pawl.job set data = data || '{"options": {"command": "touch /tmp/x"}}' where id = '${junk}'`,
  );
  // What a plan's checks and the repository's settings run is bound to what was submitted.
  const changed = await fleet.submit('one', '--base', 'changed', '--branch', 'one-changed');
  const armed = await fleet.submit('one', '--base', 'armed', '--branch', 'one-armed');
  const evil = path.join(home, 'evil');
  const pushChanged = async (base: string, file: string, text: string) => {
    await repo.write(file, text);
    await repo.commit(base);
    await repo.git('push', '-q', 'origin', `HEAD:${base}`);
    await repo.git('reset', '-q', '--hard', 'HEAD~1');
  };
  const plan = await repo.read('docs/plans/one.md');
  await pushChanged('changed', 'docs/plans/one.md', plan.replace('grep', `touch ${evil}; grep`));
  await pushChanged('armed', '.pawl/config.yaml', `checks: ['touch ${evil}']\n`);
  const held = await fleet.submit('two', '--base', 'changed', '--branch', 'held', '--after', changed);
  const worker = await expectExit(0, fleet.worker('w1', '--once').ended);
  const jobs = new Map((await fleet.jobs()).map((job) => [job.id, job]));
  expect(
    [junk, changed, armed].map((id) => jobs.get(id)?.result?.kind),
    tell(worker),
  ).toEqual([...['not-allowed', 'needs-trust', 'needs-trust']]);
  expect(jobs.get(held)).toMatchObject({ state: 'held', heldBy: 'needs-trust' });
  expect(await repo.exists(evil)).toBe(false);
});

(isSoak ? inFleet : test.skip)(
  'plans go in the order of their branch and after what they wait for',
  async () => {
    await using fleet = await makeFleet({
      postgres,
      plans: {
        one: ['a', 'b'],
        two: ['c'],
        four: ['e'],
        five: ['f'],
        six: ['g'],
        seven: ['h'],
        eight: ['i'],
      },
      turns: [
        ...honest('a', 'c', 'e', 'g'),
        // Somebody pushes to the base meanwhile, and to the branch that a run works on.
        onTask('b', [{ bash: pushTo('main') }, write('b'), done]),
        onTask('f', [{ bash: pushTo('five') }, write('f'), done]),
        ...[hangs('h'), onTask('h', [write('h'), done])],
        ...[onTask('i', [{ say: '{{marker NEEDS_INPUT How big?}}' }], true), ...honest('i')],
      ],
    });
    const { scene } = fleet;
    const { repo } = scene;
    // A person works on a plan by themselves, and leaves it to the fleet.
    const own = scene.start('run', 'docs/plans/seven.md', '--worktree', '--carry', 'origin', '--trust');
    const bases = ['other', 'fifth', 'sixth', 'seventh'];
    await repo.git('push', '-q', 'origin', ...bases.map((base) => `main:${base}`));
    const one = await fleet.submit('one');
    const two = await fleet.submit('two');
    const twin = await scene.pawl('fleet', 'submit', 'docs/plans/one.md', '--base', 'other', '--trust');
    expect([twin.exit, twin.stderr]).toEqual([2, expect.stringContaining(`in the queue, as ${one}`)]);
    // One plan on three bases, begun in the same second, is three runs.
    const same = [
      await fleet.submit('four', '--base', 'sixth', '--branch', 'four-sixth'),
      await fleet.submit('four', '--base', 'other', '--branch', 'four-other'),
    ];
    const parted = await fleet.submit('five', '--base', 'fifth');
    const asking = await fleet.submit('eight', '--base', 'seventh');
    await untilCarried(fleet, 'half-h.txt');
    own.child.kill('SIGINT');
    await own.ended;
    const seven = await fleet.submit('seven');
    const six = await fleet.submit('six', '--after', one);
    const worker = await expectExit(0, fleet.worker('w1', '--slots', '4', '--once').ended);
    const jobs = new Map((await fleet.jobs()).map((job) => [job.id, job]));
    const kindsOf = (ids: readonly string[]) => ids.map((id) => jobs.get(id)?.result?.kind);
    expect(kindsOf([one, two, ...same, seven, six]), tell(worker)).toEqual([
      ...['done', 'done', 'done', 'done', 'done', 'done'],
    ]);
    expect(kindsOf([parted, asking])).toEqual(['parted', 'asks']);
    // What is shown of a run is told once more at its end.
    expect(jobs.get(one)?.seen?.tasks).toMatchObject({ total: 2, closed: 2 });
    await expectOnce(fleet, jobs.get(one)?.run, ['Write a', 'Write b']);
    const told = worker.stderr.split('\n');
    const lineOf = (id: string, words: string) =>
      told.findIndex((line) => line.startsWith(id.slice(0, 8)) && line.includes(words));
    expect(lineOf(one, ': done')).toBeLessThan(lineOf(two, ': begun'));
    // What it came after is nowhere but on its branch, and the base has moved.
    const stands = await fleet.inRemote('log', '--format=%s', 'main..six');
    expect(stands.split('\n').sort()).toEqual(['Merge one into main', 'Write a', 'Write b', 'Write g']);
    // Who answers has the run gone on with.
    const answer = await fleet.pawl('fleet', 'answer', asking.slice(0, 8), '1', 'small');
    const offered = /in the queue again, as ([\w-]+)/.exec(answer.stdout)?.[1] ?? tell(answer);
    expect((await fleet.worker('w2', '--once').ended).exit).toBe(0);
    const answered = await fleet.job(offered);
    expect([answered.result?.kind, answered.run]).toEqual(['done', jobs.get(asking)?.run]);
  },
);

(isSoak ? inFleet : test.skip)(
  'a database that is gone, and restored from before, ends no worker, and has nothing done twice',
  async () => {
    await using fleet = await makeFleet({
      postgres,
      plans: { one: ['a', 'b'] },
      turns: [...honest('a'), waits('b')],
    });
    const one = await fleet.submit('one');
    const worker = fleet.worker('w1', '--slots', '2');
    const at = `select headline->'task'->>'id' from pawl.job where id = '${one}'`;
    await untilTold(() => fleet.postgres.sql(fleet.url, at), '2');
    const name = /\/(t\d+)\?/.exec(fleet.url)?.[1] ?? '';
    const other = fleet.url.replace(`/${name}?`, '/postgres?');
    const mend = (...changes: readonly string[]) => {
      for (const change of changes) fleet.postgres.sql(other, change);
    };
    const part = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`;
    const before = worker.said().length;
    mend(part, `alter database ${name} rename to gone`);
    await untilTold(() => worker.said().slice(before), 'does not exist');
    // It ends meanwhile, and the queue is told once it can be.
    await writeFile(path.join(worker.home, 'go'), '');
    mend('create database backup template gone', `alter database gone rename to ${name}`);
    const { result, run } = await fleet.over(one);
    expect(result, worker.said()).toMatchObject({ kind: 'done', exit: 0 });
    await vi.waitFor(() => mend(part, `alter database ${name} rename to late`), { timeout: 240_000 });
    mend(`alter database backup rename to ${name}`);
    expect((await fleet.over(one)).result, worker.said()).toMatchObject({ kind: 'done', exit: 0 });
    const journal = await expectOnce(fleet, run, ['Write a', 'Write b']);
    expect(journal.filter(({ type }) => type === 'session-started')).toHaveLength(2);
    expect(worker.said()).not.toContain('bug');
  },
);

inFleet('a worker that dies alone takes its pawl along', async () => {
  await using fleet = await makeFleet({ postgres, plans: { p: ['a'] }, turns: [hangs('a')] });
  await fleet.submit('p');
  const worker = fleet.worker('w');
  await untilCarried(fleet, 'half-a.txt');
  worker.child.kill('SIGKILL');
  await vi.waitFor(() => expect(pidsOfWorker(fleet, worker)).toEqual([]), { timeout: 60_000, interval: 400 });
});

inFleet(
  'a worker is killed, another frozen, a third ended, while the database dies and the remote refuses: each plan is done once',
  async () => {
    const plans = { killed: ['a', 'b'], frozen: ['c', 'd'], ended: ['e', 'f'] };
    await using fleet = await makeFleet({
      plans,
      turns: [
        ...honest('a', 'c', 'e'),
        ...['b', 'd', 'f'].flatMap((letter) => [hangs(letter), onTask(letter, [write(letter), done])]),
      ],
    });
    const names = Object.keys(plans) as (keyof typeof plans)[];
    for (const name of names) await fleet.scene.repo.git('push', '-q', 'origin', `main:on-${name}`);
    const ids: string[] = [];
    const workers: FleetWorker[] = [];
    for (const name of names) {
      const id = await fleet.submit(name, '--base', `on-${name}`);
      const worker = fleet.worker(`w-${name}`);
      await untilTold(() => tellsOf(worker, id), 'begun');
      ids.push(id);
      workers.push(worker);
    }
    for (const letter of ['b', 'd', 'f']) await untilCarried(fleet, `half-${letter}.txt`);
    const [killed, frozen, ended] = workers as [FleetWorker, FleetWorker, FleetWorker];
    const sleeping = pidsOfWorker(fleet, frozen);
    signalAll(sleeping, 'SIGSTOP');
    signalAll(pidsOfWorker(fleet, killed), 'SIGKILL');
    ended.child.kill('SIGTERM');
    const drained = await ended.ended;
    expect([drained.exit, drained.stderr], tell(drained)).toEqual([0, expect.stringContaining('given back')]);
    const hook = path.join(fleet.remote, 'hooks', 'pre-receive');
    await writeFile(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const last = fleet.worker('last', '--slots', '3');
    await untilTold(last.said, 'pre-receive hook declined');
    await fleet.postgres.crash();
    await untilTold(last.said, 'running plans continue');
    await fleet.postgres.start();
    await rm(hook);
    for (const [at, name] of names.entries()) {
      const { result, run } = await fleet.over(ids[at] ?? '');
      expect(result?.kind, last.said()).toBe('done');
      const subjects = plans[name].map((letter) => `Write ${letter}`);
      const journal = await expectOnce(fleet, run, subjects);
      const sessions = journal.filter(({ type }) => type === 'session-started');
      expect(sessions.map(({ task }) => task)).toEqual(['1', '2', '2']);
    }
    signalAll(sleeping, 'SIGCONT');
    frozen.child.kill('SIGTERM');
    const woken = await frozen.ended;
    expect(woken.stderr, tell(woken)).toMatch(/elsewhere|another worker has it now|the job is over/);
    await expectOnce(fleet, (await fleet.job(ids[1] ?? '')).run, ['Write c', 'Write d']);
  },
);

(isSoak ? inFleet : test.skip)(
  'a worker without a login at the forge says so and begins nothing; of one that is killed amid a stack nothing is published twice',
  async () => {
    using forge = makeForge('github', { login: false, jobs: [{ name: 'test', run: 'true' }] });
    await using fleet = await makeFleet({
      postgres,
      plans: { one: ['a', 'b'] },
      turns: honest('a', 'b'),
      address: 'https://github.com/team/work.git',
      env: forge.env,
    });
    forge.change({ bare: fleet.remote });
    const one = await fleet.submit('one', '--pr', '--push', '--stack');
    const first = fleet.worker('first');
    await untilTold(() => tellsOf(first, one), 'given back: ');
    expect(tellsOf(first, one)).toMatch(/gh .*log/i);
    expect(await fleet.inRemote('for-each-ref', 'refs/pawl', 'refs/heads/one')).toBe('');
    forge.change({ login: true });
    fleet.postgres.sql(fleet.url, 'update pawl.job set due = now()');
    await vi.waitFor(() => expect(forge.read().requests, first.said()).not.toEqual([]), {
      timeout: 240_000,
      interval: 20,
    });
    signalAll(pidsOfWorker(fleet, first), 'SIGKILL');
    const second = fleet.worker('second');
    const { result, run } = await fleet.over(one);
    expect(result, second.said()).toMatchObject({ kind: 'done', exit: 0 });
    await expectOnce(fleet, run, ['Write a', 'Write b']);
    expect(forge.read().requests).toMatchObject([
      { source: 'one-task-1', target: 'main' },
      { source: 'one', target: 'one-task-1' },
    ]);
  },
);

inFleet('a person steers, stops and cancels what works on another machine', async () => {
  await using fleet = await makeFleet({
    postgres,
    plans: { halted: ['g'] },
    turns: [hangs('g'), hangs('g')],
  });
  const worker = fleet.worker('w1');
  const halted = await fleet.submit('halted');
  await untilCarried(fleet, 'half-g.txt');
  for (const words of [
    ['steer', halted, 'Mind the gap.'],
    ['stop', halted.slice(0, 8)],
  ]) {
    await expectExit(0, fleet.pawl('fleet', ...words));
  }
  const asked = JSON.parse((await fleet.pawl('fleet', halted, '--json')).stdout).requests;
  expect(asked).toMatchObject([
    { wish: 'steer', reply: { ok: true } },
    { wish: 'stop', reply: { ok: true } },
  ]);
  expect((await fleet.over(halted)).result).toMatchObject({ kind: 'stopped', exit: 130 });
  const again = await fleet.submit('halted');
  await untilTold(() => tellsOf(worker, again), 'begun');
  const cancel = await fleet.pawl('fleet', 'cancel', again.slice(0, 8));
  expect([cancel.exit, cancel.stdout], tell(cancel)).toEqual([
    0,
    expect.stringContaining('cancelled, exit 130'),
  ]);
  await untilTold(() => tellsOf(worker, again), 'stopped here, as the job is over as cancelled');
});

/** What a worker said of a job. */
const tellsOf = (worker: FleetWorker, id: string): string =>
  worker
    .said()
    .split('\n')
    .filter((line) => line.startsWith(id.slice(0, 8)))
    .join('\n');

// Alone: `SOAK=1 STROKES=200 PLANS=12 WORKERS=4 npx vitest run --config test/vitest.config.ts test/story/fleet.test.ts -t strokes`
const strokes = Number(process.env['STROKES'] ?? 20);
const plansWanted = Number(process.env['PLANS'] ?? 12);
const workersWanted = Number(process.env['WORKERS'] ?? 4);
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

(isSoak && has('PostgreSQL (postgresql)') ? test : test.skip)(
  `${strokes} strokes at random (SEED=${seed}) on ${workersWanted} workers and ${plansWanted} plans: killed, frozen, the database and the remote away; each task is closed once`,
  async () => {
    const names = Array.from({ length: plansWanted }, (_, at) => `plan-${at + 1}`);
    // Work for as long as the strokes take: some three tasks are done from one to the next.
    const tasks = Math.max(plansWanted > 12 ? 1 : 4, Math.ceil((strokes * 3) / plansWanted));
    const letters = (at: number) => Array.from({ length: tasks }, (_, task) => `p${at + 1}-t${task + 1}`);
    const plans = Object.fromEntries(names.map((name, at) => [name, letters(at)]));
    const slowly = (letter: string) =>
      onTask(letter, [{ bash: 'sleep 3' }, write(letter), { bash: 'sleep 2' }, done]);
    const turns = names.flatMap((_, at) => letters(at).map(slowly));
    // Three strokes in a row on one task are nobody's fault here.
    await using fleet = await makeFleet({ plans, turns, env: { FIXED_CUT_OFFS: '10000' } });
    const { repo } = fleet.scene;
    // Each plan on a base of its own: none waits for another.
    await repo.git('push', '-q', 'origin', ...names.map((name) => `main:base-${name}`));
    const ids: string[] = [];
    for (const name of names) ids.push(await fleet.submit(name, '--base', `base-${name}`));
    const random = randomOf(seed);
    const one = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    let born = 0;
    const start = () => {
      born += 1;
      return fleet.worker(`worker-${born}`, '--slots', '2');
    };
    const workers = Array.from({ length: workersWanted }, start);
    const woken: Promise<void>[] = [];
    const strike = async () => {
      const at = Math.floor(random() * workers.length);
      const worker = workers[at] as FleetWorker;
      const kind = one(['killed', 'killed', 'killed', 'frozen', 'frozen', 'database', 'remote'] as const);
      if (kind === 'killed') {
        signalAll(pidsOfWorker(fleet, worker), 'SIGKILL');
        workers[at] = start();
      } else if (kind === 'frozen') {
        const pids = pidsOfWorker(fleet, worker);
        signalAll(pids, 'SIGSTOP');
        woken.push(pause(5_000 + random() * 20_000).then(() => signalAll(pids, 'SIGCONT')));
      } else if (kind === 'database') {
        await fleet.postgres.crash();
        await pause(random() * 12_000);
        await fleet.postgres.start();
      } else {
        await rename(fleet.remote, `${fleet.remote}-away`);
        await pause(random() * 8_000);
        await rename(`${fleet.remote}-away`, fleet.remote);
      }
    };
    const isOver = async () => (await fleet.jobs()).every(({ result }) => result !== undefined);
    for (let struck = 0; struck < strokes && !(await isOver()); struck += 1) {
      await strike();
      await pause((500 + random() * 4_000) * Math.max(1, plansWanted / 12));
    }
    await Promise.all(woken);
    const over = [];
    for (const id of ids) over.push(await fleet.over(id));
    expect(
      over.map(({ result }) => result?.kind ?? result),
      `SEED=${seed}`,
    ).toEqual(ids.map(() => 'done'));
    // Closed once each, nothing lost, nothing parted.
    for (const at of ids.keys()) {
      const subjects = letters(at).map((letter) => `Write ${letter}`);
      await expectOnce(fleet, over[at]?.run, subjects);
    }
  },
  10_800_000,
);
