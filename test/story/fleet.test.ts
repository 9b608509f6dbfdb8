// A fleet on a real PostgreSQL, a real git remote and real workers: plans in their order, jobs that nobody asked for, workers that
// drain, die, freeze, and lose the database.
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { openBrowser, openPage, serveWeb, shoot } from '../helpers/dashboard.ts';
import { type Fleet, type FleetWorker, makeFleet } from '../helpers/fleet.ts';
import { done, honest, onTask, write } from '../helpers/letters.ts';
import { has } from '../helpers/needs.ts';
import { pidsOf } from '../helpers/night.ts';
import { tell } from '../helpers/pawl.ts';
import { isSoak } from '../helpers/share.ts';
import { type Waited, watchTakeOvers } from '../helpers/take-overs.ts';
import { randomOf } from '../soak/random.ts';

// They wait for signs of life most of the time.
const inFleet = has('PostgreSQL (postgresql)') ? test.concurrent : test.skip;

/** Steps that leave a mark, and never end. */
const hangs = (letter: string) =>
  onTask(letter, [{ bash: `echo half > half-${letter}.txt` }, { hang: true }], true);

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
  await vi.waitFor(async () => expect(await look()).toContain(words), { timeout: 90_000, interval: 400 });
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
  const ref = `refs/pawl/${run}/carried`;
  const names = (await fleet.inRemote('ls-tree', '--name-only', ref, 'journal/')).split('\n');
  const texts = await Promise.all(names.map((name) => fleet.inRemote('cat-file', 'blob', `${ref}:${name}`)));
  return texts.flatMap((text) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  );
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

inFleet(
  'plans go in the order of their branch and after what they wait for; a job that is not as it was submitted runs nothing',
  async () => {
    await using fleet = await makeFleet({
      plans: {
        one: ['a', 'b'],
        two: ['c'],
        three: ['d'],
        four: ['e'],
        five: ['f'],
        six: ['g'],
        seven: ['h'],
        eight: ['i'],
      },
      turns: [
        ...honest('a', 'c', 'd', 'e', 'g'),
        // Somebody pushes to the base meanwhile, and to the branch that a run works on.
        onTask('b', [{ bash: pushTo('main') }, write('b'), done]),
        onTask('f', [{ bash: pushTo('five') }, write('f'), done]),
        ...[hangs('h'), onTask('h', [write('h'), done])],
        ...[onTask('i', [{ say: '{{marker NEEDS_INPUT How big?}}' }], true), ...honest('i')],
      ],
    });
    const { scene } = fleet;
    await scene.repo.git('push', '-q', 'origin', 'main:other');
    const one = await fleet.submit('one');
    const two = await fleet.submit('two');
    const after = await fleet.submit('three', '--base', 'other', '--after', two);
    const elsewhere = await fleet.submit(
      'one',
      '--repo',
      'https://git.example.invalid/none.git',
      '--base',
      'other',
    );
    const junk = await fleet.submit('four', '--base', 'other', '--label', 'gpu');
    fleet.postgres.sql(
      fleet.url,
      `update pawl.job set data = data || '{"options": {"command": "touch /tmp/x"}}' where id = '${junk}'`,
    );
    // What a plan's checks and the repository's settings run is bound to what was submitted.
    await scene.repo.git('push', '-q', 'origin', 'main:changed', 'main:armed');
    const twin = await scene.pawl('fleet', 'submit', 'docs/plans/one.md', '--base', 'changed', '--trust');
    expect([twin.exit, twin.stderr]).toEqual([2, expect.stringContaining(`in the queue as ${one}`)]);
    const changed = await fleet.submit('four', '--base', 'changed', '--branch', 'four-changed');
    const armed = await fleet.submit('four', '--base', 'armed', '--branch', 'four-armed');
    const evil = path.join(scene.home, 'evil');
    await scene.repo.write(
      'docs/plans/four.md',
      (await scene.repo.read('docs/plans/four.md')).replace('grep', `touch ${evil}; grep`),
    );
    await scene.repo.git('commit', '-qam', 'evil');
    await scene.repo.git('push', '-q', 'origin', 'HEAD:changed');
    await scene.repo.git('reset', '-q', '--hard', 'HEAD~1');
    await scene.repo.write('.pawl/config.yaml', `checks: ['touch ${evil}']\n`);
    await scene.repo.git('add', '-A');
    await scene.repo.git('commit', '-qm', 'armed');
    await scene.repo.git('push', '-q', 'origin', 'HEAD:armed');
    await scene.repo.git('reset', '-q', '--hard', 'HEAD~1');
    const unpushed = await scene.pawl('fleet', 'submit', 'docs/plans/one.md', '--base', 'nowhere', '--trust');
    expect([unpushed.exit, unpushed.stderr]).toEqual([
      2,
      expect.stringContaining('origin has no branch nowhere'),
    ]);
    const itself = await scene.pawl('fleet', 'submit', 'docs/plans/one.md', '--base', 'one', '--trust');
    expect([itself.exit, itself.stderr]).toEqual([2, expect.stringContaining('would work on one itself')]);
    const held = await fleet.submit('two', '--base', 'changed', '--branch', 'held', '--after', changed);
    await scene.repo.git('push', '-q', 'origin', 'main:fifth', 'main:sixth');
    const parted = await fleet.submit('five', '--base', 'fifth');
    const asking = await fleet.submit('eight', '--base', 'fifth');
    // Somebody has the branch already, with work of their own.
    const late = await fleet.submit('five', '--base', 'sixth', '--branch', 'late');
    const theirs = await scene.repo.git('commit-tree', 'main^{tree}', '-p', 'main', '-m', 'theirs');
    await scene.repo.git('push', '-q', 'origin', `${theirs}:refs/heads/late`, `${theirs}:refs/heads/theirs`);
    const taken = await scene.pawl('fleet', 'submit', 'docs/plans/six.md', '--branch', 'theirs', '--trust');
    expect([taken.exit, taken.stderr]).toEqual([
      2,
      expect.stringContaining('origin already has a branch theirs'),
    ]);
    // A person works on a plan by themselves.
    const own = scene.start('run', 'docs/plans/seven.md', '--worktree', '--carry', 'origin', '--trust');
    await untilCarried(fleet, 'half-h.txt');
    const living = await scene.pawl('fleet', 'submit', 'docs/plans/seven.md', '--trust');
    expect([living.exit, living.stderr]).toEqual([
      2,
      expect.stringContaining('is working on docs/plans/seven.md'),
    ]);
    own.child.kill('SIGINT');
    await own.ended;
    const again = await scene.pawl(
      'fleet',
      'submit',
      'docs/plans/seven.md',
      '--base',
      'main',
      '--trust',
      '--json',
    );
    expect([again.exit, again.stderr]).toEqual([0, expect.stringContaining('It continues run')]);
    const seven = JSON.parse(again.stdout).id as string;
    const waiting = scene.start(
      'fleet',
      'submit',
      'docs/plans/six.md',
      '--after',
      one,
      '--trust',
      '--wait',
      '--priority',
      '1',
    );
    const worker = await fleet.worker('w1', '--slots', '3', '--labels', 'gpu', '--once').ended;
    expect(worker.exit, tell(worker)).toBe(0);
    const jobs = new Map((await fleet.jobs()).map((job) => [job.id, job]));
    expect(
      [one, two, after, elsewhere, junk, changed, armed, held, parted, late, seven, asking].map(
        (id) => jobs.get(id)?.result?.kind,
      ),
    ).toEqual([
      ...['done', 'done', 'done', undefined, 'not-allowed', 'needs-trust', 'needs-trust', undefined],
      ...['parted', 'parted', 'done', 'asks'],
    ]);
    expect([parted, late].map((id) => jobs.get(id)?.run !== undefined)).toEqual([true, false]);
    expect(await scene.repo.exists(evil)).toBe(false);
    await expectOnce(fleet, jobs.get(one)?.run, ['Write a', 'Write b']);
    const told = worker.stderr.split('\n').filter((line) => /: (?:begun|done)/.test(line));
    const orderOf = (id: string) =>
      told.findIndex((line) => line.startsWith(id.slice(0, 8)) && line.endsWith('begun'));
    const endOf = (id: string) =>
      told.findIndex((line) => line.startsWith(id.slice(0, 8)) && line.includes(': done'));
    expect(endOf(one)).toBeLessThan(orderOf(two));
    expect(endOf(two)).toBeLessThan(orderOf(after));
    const shown = await fleet.pawl('fleet');
    expect(shown.stdout).toMatch(
      /Finished in the last 24 hours\n {2}\w{8} docs\/plans\/one\.md on main – done/,
    );
    const waited = await waiting.ended;
    expect([waited.exit, waited.stdout], tell(waited)).toEqual([0, expect.stringContaining('done: ')]);
    // What it came after is nowhere but on its branch, and the base has moved.
    const stands = await fleet.inRemote('log', '--format=%s', 'main..six');
    expect(stands.split('\n').sort()).toEqual(['Merge one into main', 'Write a', 'Write b', 'Write g']);
    expect(jobs.get(held)).toMatchObject({ state: 'held', heldBy: 'needs-trust' });
    expect(shown.stdout).toMatch(/Held\n {2}\w{8} docs\/plans\/two\.md .* ended as needs-trust; `pawl fleet/);
    const released = await fleet.pawl('fleet', 'release', held, '--json');
    expect(JSON.parse(released.stdout), tell(released)).toMatchObject({ id: held, state: 'queued' });
    // Who answers has the run gone on with.
    const answer = await fleet.pawl('fleet', 'answer', asking.slice(0, 8), '1', 'small');
    const offered = /in the queue again, as ([\w-]+)/.exec(answer.stdout)?.[1] ?? tell(answer);
    expect((await fleet.worker('w2', '--once').ended).exit).toBe(0);
    const answered = await fleet.job(offered);
    expect([answered.result?.kind, answered.run]).toEqual(['done', jobs.get(asking)?.run]);
  },
);

inFleet('one plan on three bases, begun in the same second, is three runs that are done', async () => {
  await using fleet = await makeFleet({ plans: { one: ['a'] }, turns: honest('a') });
  const { repo } = fleet.scene;
  const bases = ['first', 'second', 'third'];
  for (const base of bases) await repo.git('push', '-q', 'origin', `main:${base}`);
  const ids = await Promise.all(
    bases.map((base) => fleet.submit('one', '--base', base, '--branch', `one-${base}`)),
  );
  const worker = fleet.worker('w1', '--slots', '3');
  const jobs = await Promise.all(ids.map((id) => fleet.over(id)));
  expect(
    jobs.map(({ result }) => result?.kind),
    worker.said(),
  ).toEqual(['done', 'done', 'done']);
  expect(new Set(jobs.map(({ run }) => run)).size).toBe(3);
});

inFleet(
  'a worker that is ended gives its plan back at once; one whose signs of life were late is left alone',
  async () => {
    await using fleet = await makeFleet({
      plans: { one: ['a', 'b'] },
      turns: [...honest('a'), hangs('b'), onTask('b', [write('b'), done])],
    });
    const one = await fleet.submit('one');
    const first = fleet.worker('first', '--slots', '2');
    await untilCarried(fleet, 'half-b.txt');
    // Its signs of life were late, and it is offered its own job: the session there is left alone.
    await vi.waitFor(
      () => {
        const late =
          "update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active'";
        // Not once more when it has its job again: it would be lost as it ends.
        if (!tellsOf(first, one).includes('offered again')) fleet.postgres.sql(fleet.url, late);
        expect(tellsOf(first, one)).toContain('still at work here');
      },
      { timeout: 60_000, interval: 1_000 },
    );
    first.child.kill('SIGTERM');
    const ended = await first.ended;
    expect(ended.exit, tell(ended)).toBe(0);
    expect(ended.stderr).toContain('given back');
    expect((await fleet.job(one)).state).toBe('queued');
    const second = await fleet.worker('second', '--slots', '2', '--once').ended;
    expect((await fleet.job(one)).result, tell(second)).toMatchObject({ kind: 'done', exit: 0 });
    const journal = await expectOnce(fleet, (await fleet.job(one)).run, ['Write a', 'Write b']);
    expect(journal.filter(({ type }) => type === 'taken-up')).toHaveLength(1);
  },
);

inFleet(
  'a database that becomes read-only, and is closed and gone for a while, ends no worker and no plan',
  async () => {
    await using fleet = await makeFleet({
      plans: { one: ['a', 'b'] },
      turns: [
        ...honest('a'),
        onTask('b', [
          { bash: 'echo half > half-b.txt; while [ ! -e "$HOME/go" ]; do sleep 0.2; done' },
          write('b'),
          done,
        ]),
      ],
    });
    const one = await fleet.submit('one');
    const worker = fleet.worker('w1', '--slots', '2');
    const at = `select headline->'task'->>'id' from pawl.job where id = '${one}'`;
    await vi.waitFor(() => expect(fleet.postgres.sql(fleet.url, at)).toBe('2'), {
      timeout: 90_000,
      interval: 300,
    });
    const name = /\/(t\d+)\?/.exec(fleet.url)?.[1] ?? '';
    const other = fleet.url.replace(`/${name}?`, '/postgres?');
    const strike = async (change: string, words: RegExp) => {
      const before = worker.said().length;
      const part = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`;
      fleet.postgres.sql(other, `${part}; ${change}; ${part};`);
      await vi.waitFor(() => expect(worker.said().slice(before)).toMatch(words), { timeout: 60_000 });
    };
    const mend = (change: string) => fleet.postgres.sql(other, change);
    await strike(`alter database ${name} set default_transaction_read_only = on`, /read-only transaction/);
    mend(`alter database ${name} reset default_transaction_read_only`);
    await strike(`alter database ${name} allow_connections false`, /not currently accepting connections/);
    mend(`alter database ${name} allow_connections true`);
    await strike(`alter database ${name} rename to gone`, /does not exist/);
    // It ends meanwhile, and the queue is told once it can be.
    await writeFile(path.join(worker.home, 'go'), '');
    mend(`alter database gone rename to ${name}`);
    const { result, run } = await fleet.over(one);
    expect(result, worker.said()).toMatchObject({ kind: 'done', exit: 0 });
    const journal = await expectOnce(fleet, run, ['Write a', 'Write b']);
    expect(journal.filter(({ type }) => type === 'session-started')).toHaveLength(2);
    expect(worker.said()).not.toContain('bug');
  },
);

// That the journal's rule fails such a task is told by test/work/judge/judge-cut-offs.test.ts, that it counts over machines by fold-cut-off.test.ts.
(isSoak ? inFleet : test.skip)(
  'a task, and a check at the end, that kill every worker’s pawl fail by the journal’s rule',
  async () => {
    await using fleet = await makeFleet({
      plans: { two: ['c', 'd'], three: ['e'] },
      turns: [
        ...honest('c', 'e'),
        // The pawl that works on it dies without a word: the agent's own parent.
        onTask('d', [{ bash: 'kill -9 $(ps -o ppid= -p $PPID)' }, { hang: true }]),
      ],
    });
    const { repo } = fleet.scene;
    const deadly = (await repo.read('docs/plans/three.md')).replace(
      '## Overview',
      '## Validation Commands\n- `kill -9 $PPID` (at end)\n\n## Overview',
    );
    await repo.write('docs/plans/three.md', deadly);
    await repo.git('commit', '-qam', 'a check that kills pawl');
    await repo.git('push', '-q', 'origin', 'HEAD:main', 'HEAD:other');
    const poison = await fleet.submit('two');
    const beside = await fleet.submit('three', '--base', 'other');
    const second = fleet.worker('second', '--slots', '2');
    const dead = await fleet.over(poison);
    expect(dead.result, second.said()).toMatchObject({ kind: 'failed', exit: 1 });
    expect(dead.result?.says).toContain('pawl was killed 3 times in a row');
    const sessions = (await journalOf(fleet, dead.run)).filter(({ type }) => type === 'session-started');
    expect(sessions.map(({ task }) => task)).toEqual(['1', '2', '2', '2']);
    const never = await fleet.over(beside);
    expect(never.result, second.said()).toMatchObject({ kind: 'failed', exit: 1 });
    expect(never.result?.says).toContain('pawl was killed 3 times in a row while it worked on no task');
  },
);

inFleet(
  'a worker is killed, another frozen, the database goes away: each plan is done once; a person stops one, and cancels one',
  async () => {
    await using fleet = await makeFleet({
      plans: { killed: ['a', 'b'], frozen: ['c', 'd'], cut: ['e', 'f'], halted: ['g'] },
      turns: [
        ...honest('a', 'c', 'e'),
        ...['b', 'd'].flatMap((letter) => [hangs(letter), onTask(letter, [write(letter), done])]),
        onTask('f', [
          { bash: 'while ! test -e /tmp/none && ! test -e "$HOME/go"; do sleep 0.2; done' },
          write('f'),
          done,
        ]),
        ...[hangs('g'), hangs('g')],
      ],
    });
    const killed = await fleet.submit('killed');
    const first = fleet.worker('first');
    await untilTold(() => tellsOf(first, killed), 'begun');
    const second = fleet.worker('second');
    await untilCarried(fleet, 'half-b.txt');
    const from = Date.now();
    signalAll(pidsOfWorker(fleet, first), 'SIGKILL');
    await untilTold(() => tellsOf(second, killed), 'offered again');
    const tookMs = Date.now() - from;
    await fleet.over(killed);
    const journal = await expectOnce(fleet, (await fleet.job(killed)).run, ['Write a', 'Write b']);
    expect(journal.filter(({ type }) => type === 'session-started').map(({ task }) => task)).toEqual([
      '1',
      '2',
      '2',
    ]);
    console.info(`taken over after ${(tookMs / 1_000).toFixed(1)} s`);

    const frozen = await fleet.submit('frozen');
    await untilCarried(fleet, 'half-d.txt');
    const sleeping = pidsOfWorker(fleet, second);
    signalAll(sleeping, 'SIGSTOP');
    const third = fleet.worker('third');
    expect((await fleet.over(frozen)).result?.kind).toBe('done');
    signalAll(sleeping, 'SIGCONT');
    await expectOnce(fleet, (await fleet.job(frozen)).run, ['Write c', 'Write d']);
    second.child.kill('SIGTERM');
    const woken = await second.ended;
    expect(woken.stderr, tell(woken)).toMatch(/elsewhere|another worker has it now|the job is over/);

    const waiting = fleet.scene.start('fleet', 'submit', 'docs/plans/cut.md', '--trust', '--wait');
    const cut = await vi.waitFor(
      async () => {
        const open = (await fleet.jobs()).find(({ result }) => !result);
        if (!open) throw new Error('it was not submitted');
        return open.id;
      },
      { timeout: 60_000, interval: 500 },
    );
    await untilTold(() => tellsOf(third, cut), 'begun');
    await untilTold(async () => (await fleet.inRemote('log', '--format=%s', '--all')).split('\n'), 'Write e');
    await using view =
      isSoak && has('a browser (chromium-headless-shell)') ? await viewFleet(fleet) : undefined;
    for (const words of [
      /third/,
      /1 of 1 slot at work/,
      /1 of 2 tasks, at 2: Write f/,
      /\$0\.00 of \$20\.00/,
    ])
      await view?.sees(words);
    await view?.shoot('fleet');
    await fleet.postgres.crash();
    await view?.sees(/No database answers at/);
    await view?.sees(/1 of 2 tasks, at 2: Write f/);
    await view?.shoot('fleet-away');
    // A database that is back before a worker has asked it was not away to that worker.
    await untilTold(third.said, 'running plans continue');
    // It is back after longer than a heartbeat: nobody could give signs of life meanwhile, and nobody is taken for gone.
    await fleet.postgres.start();
    const beat = `update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`;
    fleet.postgres.sql(fleet.url, beat);
    const kept = `select count(*) from pgboss.job where state = 'active' and heartbeat_on > now() - interval '1 minute'`;
    await untilTold(() => fleet.postgres.sql(fleet.url, kept), '1');
    expect(tellsOf(third, cut)).not.toMatch(/offered again|no longer/);
    await fleet.postgres.crash();
    await writeFile(path.join(third.home, 'go'), '');
    await untilTold(async () => (await fleet.inRemote('log', '--format=%s', '--all')).split('\n'), 'Write f');
    await fleet.postgres.start();
    expect((await fleet.over(cut)).result?.kind).toBe('done');
    await view?.sees(/^done$/);
    expect(view?.page.complaints ?? []).toEqual([]);
    const whole = await expectOnce(fleet, (await fleet.job(cut)).run, ['Write e', 'Write f']);
    expect(whole.filter(({ type }) => type === 'session-started')).toHaveLength(2);
    const told = await waiting.ended;
    expect([told.exit, told.stderr], tell(told)).toEqual([0, expect.stringContaining('pawl keeps trying')]);

    const halted = await fleet.submit('halted');
    await untilCarried(fleet, 'half-g.txt');
    const note = await fleet.pawl('fleet', 'steer', halted, 'Mind the gap.');
    expect(note.exit, tell(note)).toBe(0);
    const stop = await fleet.pawl('fleet', 'stop', halted.slice(0, 8));
    expect(stop.exit, tell(stop)).toBe(0);
    const asked = JSON.parse((await fleet.pawl('fleet', halted, '--json')).stdout).requests;
    expect(asked).toMatchObject([
      { wish: 'steer', reply: { ok: true } },
      { wish: 'stop', reply: { ok: true } },
    ]);
    expect((await fleet.over(halted)).result).toMatchObject({ kind: 'stopped', exit: 130 });
    expect((await fleet.pawl('fleet', halted)).stdout).toContain(
      '`pawl fleet submit docs/plans/halted.md --base main` continues it',
    );
    const cancelled = await fleet.submit('halted');
    await untilTold(() => tellsOf(third, cancelled), 'begun');
    const cancel = await fleet.pawl('fleet', 'cancel', cancelled.slice(0, 8));
    expect([cancel.exit, cancel.stdout], tell(cancel)).toEqual([
      0,
      expect.stringContaining('cancelled, exit 130'),
    ]);
    await untilTold(() => tellsOf(third, cancelled), 'stopped here, as the job is over as cancelled');
    expect((await fleet.pawl('fleet', 'cancel', cancelled)).stderr).toContain('is already over');
  },
);

/** The fleet as the dashboard shows it. */
async function viewFleet({ scene }: Fleet) {
  const stack = new AsyncDisposableStack();
  const web = await serveWeb(scene);
  const page = await openPage(stack.use(await openBrowser()), web.link);
  await page.getByRole('link', { name: 'Fleet' }).click();
  return {
    page,
    sees: (words: RegExp) => page.getByText(words).first().waitFor({ timeout: 60_000 }),
    shoot: (name: string) => shoot(page, name),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** What a worker said of a job. */
const tellsOf = (worker: FleetWorker, id: string): string =>
  worker
    .said()
    .split('\n')
    .filter((line) => line.startsWith(id.slice(0, 8)))
    .join('\n');

// Alone: `SOAK=1 STROKES=200 npx vitest run --config test/vitest.config.ts test/story/fleet.test.ts -t strokes`
const strokes = Number(process.env['STROKES'] ?? 200);
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

(isSoak && has('PostgreSQL (postgresql)') ? test : test.skip)(
  `${strokes} strokes at random (SEED=${seed}) on four workers and twelve plans: killed, frozen, the database and the remote away; each task is closed once`,
  async () => {
    const names = Array.from({ length: 12 }, (_, at) => `plan-${at + 1}`);
    // Work for as long as the strokes take: some three tasks are done from one to the next.
    const tasks = Math.max(4, Math.ceil(strokes / 4));
    const letters = (at: number) => Array.from({ length: tasks }, (_, task) => `p${at + 1}-t${task + 1}`);
    const plans = Object.fromEntries(names.map((name, at) => [name, letters(at)]));
    const slowly = (letter: string) =>
      onTask(letter, [{ bash: 'sleep 3' }, write(letter), { bash: 'sleep 2' }, done]);
    const turns = names.flatMap((_, at) => letters(at).map(slowly));
    // Three strokes in a row on one task are nobody's fault here.
    await using fleet = await makeFleet({ plans, turns, env: { FIXED_CUT_OFFS: '10000' } });
    const { repo } = fleet.scene;
    // Each plan on a base of its own: none waits for another.
    for (const name of names) await repo.git('push', '-q', 'origin', `main:base-${name}`);
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
    const workers = Array.from({ length: 4 }, start);
    const counts = { killed: 0, frozen: 0, database: 0, remote: 0 };
    const woken: Promise<void>[] = [];
    const killedAt = new Map<string, number>();
    const frozen = new Set<FleetWorker>();
    let isRemoteAway = false;
    const watch = watchTakeOvers({
      url: fleet.url,
      living: () => workers.filter((each) => each.child.exitCode === null && !frozen.has(each)),
      isRemoteAway: () => isRemoteAway,
    });
    const strike = async () => {
      const at = Math.floor(random() * workers.length);
      const worker = workers[at] as FleetWorker;
      const kind = one(['killed', 'killed', 'killed', 'frozen', 'frozen', 'database', 'remote'] as const);
      counts[kind] += 1;
      if (kind === 'killed') {
        signalAll(pidsOfWorker(fleet, worker), 'SIGKILL');
        killedAt.set(worker.name, Date.now());
        workers[at] = start();
      } else if (kind === 'frozen') {
        const pids = pidsOfWorker(fleet, worker);
        signalAll(pids, 'SIGSTOP');
        frozen.add(worker);
        woken.push(
          pause(5_000 + random() * 20_000).then(() => {
            signalAll(pids, 'SIGCONT');
            frozen.delete(worker);
          }),
        );
      } else if (kind === 'database') {
        await fleet.postgres.crash();
        await pause(random() * 12_000);
        await fleet.postgres.start();
      } else {
        await rename(fleet.remote, `${fleet.remote}-away`);
        isRemoteAway = true;
        await pause(random() * 8_000);
        await rename(`${fleet.remote}-away`, fleet.remote);
        isRemoteAway = false;
      }
    };
    const isOver = async () => (await fleet.jobs()).every(({ result }) => result !== undefined);
    let struck = 0;
    for (; struck < strokes && !(await isOver()); struck += 1) {
      await strike();
      if (struck % 10 === 9) console.info(`${struck + 1} strokes: ${JSON.stringify(counts)}`);
      await pause(500 + random() * 4_000);
    }
    await Promise.all(woken);
    const ends: string[] = [];
    const tally = { tasks: 0, closedTwice: 0, parted: 0, lost: 0, done: 0 };
    const takeOvers: (Readonly<Record<Waited, number>> & Readonly<{ s: number; job: string }>)[] = [];
    for (const id of ids) {
      const { result, run } = await fleet.over(id);
      ends.push(result?.kind === 'done' ? 'done' : JSON.stringify(result));
      if (result?.kind === 'done') tally.done += 1;
      const journal = run === undefined ? [] : await journalOf(fleet, run);
      const closed = journal.filter(({ type }) => type === 'task-closed');
      const branch = String(journal.find(({ type }) => type === 'run-started')?.['branch']);
      const head = journal.length > 0 ? await fleet.inRemote('rev-parse', branch) : undefined;
      tally.tasks += closed.length;
      tally.closedTwice += closed.length - new Set(closed.map(({ task }) => task)).size;
      tally.parted += head === closed.at(-1)?.['oid'] ? 0 : 1;
      tally.lost += journal.length === 0 ? 1 : 0;
      for (const { at, from } of journal.filter(({ type }) => type === 'taken-up')) {
        const since = killedAt.get((from as Readonly<{ host: string }>).host);
        const takenAt = Date.parse(String(at));
        // One that was frozen before it was killed was taken over for that.
        if (since === undefined || takenAt < since) continue;
        takeOvers.push({
          ...{ s: (takenAt - since) / 1_000, job: id.slice(0, 8) },
          ...watch.waitedOf(id, since, takenAt),
        });
      }
    }
    await watch.end();
    takeOvers.sort((one, other) => one.s - other.s);
    const figures = {
      least: takeOvers[0]?.s,
      median: takeOvers[Math.floor(takeOvers.length / 2)]?.s,
      most: takeOvers.at(-1)?.s,
    };
    console.info(
      `${struck} strokes, SEED=${seed}: ${JSON.stringify({ ...counts, ...tally, takeOvers: takeOvers.length, secondsAfterKill: figures })}`,
    );
    console.table(takeOvers);
    expect(ends, `SEED=${seed}`).toEqual(ids.map(() => 'done'));
    expect(tally).toMatchObject({ closedTwice: 0, parted: 0, lost: 0, done: ids.length });
    for (const [at, id] of ids.entries()) {
      const subjects = letters(at).map((letter) => `Write ${letter}`);
      await expectOnce(fleet, (await fleet.job(id)).run, subjects);
    }
  },
  10_800_000,
);
