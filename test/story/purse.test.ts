// One window and one purse: runs of several machines that share an account, by a real PostgreSQL.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { done, honest, letterPlan, onTask, write } from '../helpers/letters.ts';
import { has } from '../helpers/needs.ts';
import { makeNight, storyOf } from '../helpers/night.ts';
import { factsOf, tell } from '../helpers/pawl.ts';
import { type Postgres, startPostgres } from '../helpers/postgres.ts';
import { inSoak } from '../helpers/share.ts';

const gate: Step = { bash: 'until test -e "$HOME/go"; do sleep 0.1; done' };

describe.skipIf(!has('PostgreSQL (postgresql)'))('by a real PostgreSQL', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  }, 60_000);
  afterAll(() => postgres[Symbol.asyncDispose]());

  /** The built pawl lies apart from what it would be installed beside. */
  const shared = (url: string) => ({
    PAWL_FLEET_URL: url,
    PAWL_FLEET_ACCOUNT: 'team',
    PAWL_FLEET_SHARE: '1',
    PAWL_FLEET_PATIENCE: '1s',
    NODE_PATH: path.join(import.meta.dirname, '../../node_modules'),
  });

  inSoak('a limit that one run meets holds another until its reset', async () => {
    const env = shared(postgres.createDatabase());
    const limited = onTask('a', [{ limit: { resetsInS: 8 } }], true);
    await using first = await makeNight({ plan: letterPlan('a'), env, turns: [limited, ...honest('a')] });
    await using second = await makeNight({
      env,
      turns: [onTask('a', [gate, write('a'), done]), ...honest('b')],
    });
    const other = second.startRun();
    await other.until('session-started');
    const meets = first.startRun();
    const { until } = await meets.until('waiting');
    const why = () => postgres.sql(env.PAWL_FLEET_URL, 'select agent from pawl.window');
    await expect.poll(why, { timeout: 60_000, interval: 200 }).toBe('claude');
    await writeFile(path.join(second.home, 'go'), '');
    const [met, held] = await Promise.all([meets.ended, other.ended]);
    expect([met.exit, held.exit], tell(held)).toEqual([0, 0]);
    const [waiting] = factsOf(held, 'waiting');
    expect(waiting).toMatchObject({
      why: 'fleet',
      text: expect.stringContaining('claude is at its usage limit'),
    });
    const [seen] = factsOf(met, 'limit-seen').filter(({ status }) => status === 'rejected');
    const begun = [met, held].flatMap((one) => factsOf(one, 'session-started').slice(1));
    expect(begun).toHaveLength(2);
    for (const { at } of begun) expect(Date.parse(at)).toBeGreaterThanOrEqual(seen?.resetsAt ?? until);
    expect(storyOf(held)).toEqual(['done', '1 checked', 'waiting fleet', 'waited', 'done', '2 checked']);
  });

  test('a cap ends what would pass it; without the database nothing is begun that was not reserved', async () => {
    const url = postgres.createDatabase();
    const ninety: Step = { usage: { input: 0, output: 45_000 } };
    const free: Step = { usage: { input: 0, output: 0 } };
    const paid = (letter: string, ...before: Step[]) =>
      onTask(letter, [...before, ninety, write(letter), free, done]);
    await using scene = await makeNight({
      plan: letterPlan('a', 'b', 'c', 'd'),
      env: shared(url),
      turns: [paid('a'), paid('b'), paid('c', gate), paid('d')],
    });
    const spent = () => postgres.sql(url, 'select sum(usd) from pawl.spend');
    const cap = await scene.pawl('cap', 'team', '1.84');
    expect(cap.stdout, tell(cap)).toBe('team: $0.00 of $1.84 a day are spent, $0.00 are reserved\n');
    const stopped = await scene.run();
    expect(stopped.exit, tell(stopped)).toBe(5);
    expect(storyOf(stopped)).toEqual(['done', '1 checked', 'done', '2 checked']);
    expect(factsOf(stopped, 'session-started').map(({ maxCostUsd }) => maxCostUsd)).toEqual([1, 0.94]);
    expect(factsOf(stopped, 'run-ended')[0]?.reasons).toMatchObject([
      { code: 'budget', text: '$1.80 of $1.84 a day for team are spent (pawl cap)' },
    ]);
    expect(Number(spent())).toBeCloseTo(1.8);
    expect((await scene.pawl('cap', 'team', '20')).exit).toBe(0);
    const cut = scene.startRun();
    await cut.until('session-started');
    await postgres.crash();
    await writeFile(path.join(scene.home, 'go'), '');
    const ended = await cut.ended;
    await postgres.start();
    expect(ended.exit, tell(ended)).toBe(5);
    expect(storyOf(ended)).toEqual(['done', '3 checked', 'waiting fleet', 'waited']);
    expect(factsOf(ended, 'run-ended')[0]?.reasons).toMatchObject([
      {
        code: 'budget',
        text: expect.stringMatching(/^no leave to spend: .*, for longer than fleet\.patience$/),
      },
    ]);
    const last = await scene.run();
    expect(last.exit, tell(last)).toBe(0);
    expect(storyOf(last)).toEqual(['done', '4 checked']);
    expect(Number(spent())).toBeCloseTo(3.6);
    expect(postgres.sql(url, 'select reserved from pawl.hold')).toBe('0');
  });

  inSoak('a cap of $20 that 24 sessions of eight runs at once share is never exceeded', async () => {
    const url = postgres.createDatabase();
    const paid: Step = { usage: { input: 0, output: 45_450 } };
    const turns = ['a', 'b', 'c'].map((letter) =>
      onTask(letter, [paid, write(letter), { usage: { input: 0, output: 0 } }, done]),
    );
    await using stack = new AsyncDisposableStack();
    const nights = await Promise.all(
      Array.from({ length: 8 }, () =>
        makeNight({ plan: letterPlan('a', 'b', 'c'), env: shared(url), turns }),
      ),
    );
    for (const night of nights) stack.use(night);
    expect((await nights[0]?.pawl('cap', 'team', '20'))?.exit).toBe(0);
    let most = 0;
    const look = setInterval(() => {
      const sql = (table: string, column: string) =>
        `(select coalesce(sum(${column}), 0) from pawl.${table})`;
      most = Math.max(
        most,
        Number(postgres.sql(url, `select ${sql('spend', 'usd')} + ${sql('hold', 'reserved')}`)),
      );
    }, 200);
    const ended = await Promise.all(nights.map((night) => night.run()));
    clearInterval(look);
    expect(most).toBeLessThanOrEqual(20);
    expect(Number(postgres.sql(url, 'select sum(usd) from pawl.spend'))).toBeCloseTo(19.998, 3);
    expect(ended.flatMap((one) => factsOf(one, 'session-started'))).toHaveLength(22);
    expect(ended.map(({ exit }) => exit).sort()).toEqual([0, 0, 0, 0, 0, 0, 5, 5]);
  });
});
