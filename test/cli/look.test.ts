// The commands that read a run: status, logs and report, on journals and raw streams made by hand.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { showLogs } from '../../src/cli/logs.ts';
import { readStatusLine } from '../../src/cli/read-status-line.ts';
import { showReport, showStats } from '../../src/cli/report.ts';
import { showStatus } from '../../src/cli/status.ts';
import { steering } from '../../src/cli/steer.ts';
import type { Fact } from '../../src/event.ts';
import { acquireLock } from '../../src/journal/lock.ts';
import { journalFile } from '../../src/journal/run-files.ts';
import { formatClock } from '../../src/report/text/figure.ts';
import { byPerson, fact, setAside, stampAll } from '../helpers/facts.ts';
import { writeRun } from '../helpers/write-run.ts';
import { eachWorld } from './world.ts';

const world = eachWorld({ git: true });
const begun = new Date('2026-01-02T03:00:00Z');

type Made = ReturnType<typeof makeRunOf>;

/** A run with its first two facts. */
const makeRun = (...facts: readonly Fact[]) => makeRunOf('docs/plans/auth.md', ...facts);

function makeRunOf(plan: string, ...facts: readonly Fact[]) {
  const gitDir = path.join(world.cwd, '.git');
  const { run, folder, append } = writeRun(gitDir, { at: begun, plan }, fact('plan-read'), ...facts);
  const appendLater = (minutes: number, ...more: readonly Fact[]) =>
    append(more, new Date(begun.getTime() + minutes * 60_000));
  return { run, folder, gitDir, append: (...more: readonly Fact[]) => append(more), appendLater };
}

const begin = [
  fact('task-started'),
  fact('attempt-started', { attempt: 1 }),
  fact('session-started', { session: 1 }),
];
const end = fact('session-ended', { session: 1, outcome: 'done', reason: '' });
const say = (text: string) =>
  JSON.stringify({
    type: 'assistant',
    message: { content: [{ type: 'text', text }] },
    parent_tool_use_id: null,
  });
const idle = JSON.stringify({ type: 'system', subtype: 'session_state_changed', state: 'idle' });

function writeRaw({ folder }: Made, session: number, ...lines: readonly string[]): void {
  appendFileSync(path.join(folder, 'sessions', `00${session}.ndjson`), lines.join('\n'));
}

describe('status', () => {
  const standing = async (...args: readonly string[]) =>
    JSON.parse((await world.run(showStatus, { json: true }, args)).stdout);

  it('of nothing is nothing, and no error', async () => {
    expect(await world.run(showStatus, {})).toMatchObject({
      exit: 0,
      stdout: 'There is no run in this repository yet.\n',
    });
    expect(await standing()).toBeNull();
  });

  it.each<[object, readonly Fact[], isHeld?: true]>([
    [{ state: 'working', inWork: [{ id: '2', attempt: 1, session: 1 }] }, [...begin], true],
    [{ state: 'waiting', waitingUntil: '2026-11-22T02:30:00.000Z' }, [...begin, fact('waiting')], true],
    [{ state: 'died', inWork: [{ id: '2' }] }, [...begin]],
    [{ state: 'stopped', exit: 1 }, [...begin, end, setAside('failed'), fact('run-ended')]],
    // What a person has seen to since the stop is told no more.
    [{ state: 'stopped', inWork: [{ id: '2' }] }, [...begin, end, fact('run-ended')]],
    [
      { state: 'finished', tasks: { proven: 1, before: 1, open: 0, total: 2 } },
      [fact('task-closed'), fact('run-ended', { exit: 0, finished: true })],
    ],
    [
      { questions: [{ task: '2', question: 'which?' }], tasks: { parked: 1 } },
      [...begin, end, setAside('parked', { reason: 'which?' }), fact('run-ended', { exit: 3 })],
    ],
  ])('%j', async (expected, facts, isHeld) => {
    const { run, gitDir } = makeRun(...facts);
    using _lock = isHeld ? acquireLock(gitDir, run, begun) : undefined;
    const seen = await standing();
    expect(seen).toMatchObject({ run, ...expected });
    expect(seen.holder?.pid).toBe(isHeld ? process.pid : undefined);
    expect(seen.waitingUntil !== undefined).toBe(seen.state === 'waiting');
  });

  it('tells of each other live run of the repository in a line, and not of those that stand still', async () => {
    const stopped = makeRunOf('docs/plans/still.md', ...begin, end, fact('run-ended'));
    const there = makeRunOf('docs/plans/there.md', ...begin);
    const own = makeRun(...begin);
    const other = path.join(own.gitDir, 'worktrees/other');
    mkdirSync(other, { recursive: true });
    using _own = acquireLock(own.gitDir, own.run, begun);
    using _there = acquireLock(other, there.run, begun);
    const lines = (await world.run(showStatus, {})).stdout.split('\n');
    // Ids of one second differ by a number at their end.
    const of = ({ run }: Made) => lines.filter((line) => new RegExp(`${run}(?!-)`).test(line));
    expect(of(own)).toHaveLength(1);
    expect(of(there)).toEqual([expect.stringMatching(/^ {2}also .* \d\/2 /)]);
    expect(of(stopped)).toEqual([]);
  });

  it('for a person', async () => {
    makeRun(
      ...begin,
      end,
      setAside('parked', { reason: 'which?' }),
      fact('run-ended', { exit: 3, reasons: [{ exit: 3, code: 'needs-person', text: 'task 2 asks' }] }),
    );
    expect(
      (await world.run(showStatus, {})).stdout.replace(/(-auth)-\w+, begun/, '$1, begun'),
    ).toMatchInlineSnapshot(`
      "Add user authentication (docs/plans/auth.md)
        state    stopped 4m 05s ago, not finished: needs a person
                 task 2 asks
        tasks    0 of 2 proven, 1 closed before, 1 asks you
        asks     task 2: which?
                 pawl answer 2 "…"
        spent    at least $0.42 in 1 session (what the API would charge; a subscription pays)
        budget   no cost limit
        branch   auth
        run      20260102-030000-auth, begun 4m 05s ago
        next     pawl answer 2 "…" && git switch auth && pawl run docs/plans/auth.md
      "
    `);
  });

  it('after Ctrl-C, says so once', async () => {
    const reasons = [{ exit: 130, code: 'interrupted', text: 'interrupted' }];
    makeRun(
      ...begin,
      fact('round-ended', { reason: 'interrupted' }),
      fact('run-ended', { exit: 130, reasons }),
    );
    const { stdout } = await world.run(showStatus, {});
    expect(stdout.match(/interrupted/g)).toHaveLength(1);
  });

  it('of one plan, and of all runs', async () => {
    makeRun(fact('run-ended', { finished: true, exit: 0 }));
    const second = makeRun(...begin);
    mkdirSync(path.join(world.cwd, 'docs/plans'), { recursive: true });
    expect((await standing('docs/plans/auth.md')).run).toBe(second.run);
    const there = { cwd: path.join(world.cwd, 'docs/plans') };
    expect((await world.run(showStatus, {}, ['auth.md'], there)).stdout).toContain(second.run);
    expect((await world.run(showStatus, {}, ['other.md'])).stdout).toBe(
      'There is no run in this repository that “other.md” names.\n',
    );
    writeFileSync(path.join(makeRun().folder, journalFile), 'not a journal\n');
    const all = await world.run(showStatus, { all: true });
    expect(all.stdout.split('\n')).toHaveLength(4);
    expect(all.stderr).toBe('Left out: 1 run without a readable journal.\n');
    expect(JSON.parse((await world.run(showStatus, { all: true, json: true })).stdout)).toHaveLength(2);
  });
});

describe('without a plan', () => {
  const named = async () =>
    await Promise.all(
      ([showStatus, showReport, showStats] as const).map(
        async (command) => JSON.parse((await world.run(command, { json: true })).stdout).run,
      ),
    );

  it('the run worked on last is meant, not the one begun last', async () => {
    const first = makeRunOf('docs/plans/first.md', ...begin);
    const second = makeRun(...begin);
    second.appendLater(1, end);
    first.appendLater(2, end);
    expect(new Set(await named())).toEqual(new Set([first.run]));
    second.appendLater(3, fact('noticed', { text: 'x'.repeat(200_000) }));
    appendFileSync(path.join(first.folder, journalFile), '{"at":"2026-01-02T09:00:00Z", torn');
    expect(new Set(await named())).toEqual(new Set([second.run]));
  });

  it('of one plan it is the newest, whatever the clock said', async () => {
    const first = makeRun(...begin);
    const second = makeRun(...begin);
    first.appendLater(2, end);
    expect(new Set(await named())).toEqual(new Set([second.run]));
  });

  it('the run that goes on in this working tree comes before others', async () => {
    const first = makeRun(...begin);
    makeRun(...begin).appendLater(1, end);
    using _lock = acquireLock(first.gitDir, first.run, begun);
    expect(new Set(await named())).toEqual(new Set([first.run]));
  });
});

describe('logs', () => {
  it('puts what agents said where it belongs', async () => {
    const made = makeRun(...begin);
    writeRaw(made, 1, say('first turn'), idle, say('second turn'), 'noise without an end');
    made.append(
      fact('turn-ended', { session: 1, turn: 1 }),
      fact('correction-sent', { session: 1, reason: 'red' }),
      end,
      fact('run-ended'),
    );
    const { stdout } = await world.run(showLogs, {});
    const order = [
      'Task 2: Add login',
      'first turn',
      'correction',
      'second turn',
      'noise without an end',
      'Run stopped',
    ];
    const places = order.map((text) => stdout.indexOf(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  it('names a task that there is not, and what there is', async () => {
    makeRun(...begin, end);
    await expect(world.run(showLogs, { task: '9' })).rejects.toMatchObject({
      message: 'there is no task 9 in docs/plans/auth.md',
      hint: 'It has 1, 2.',
    });
  });

  it('shows events as lines of JSON', async () => {
    const made = makeRun(...begin, fact('session-started', { session: 2 }));
    writeRaw(made, 1, say('one'), '');
    writeRaw(made, 2, say('two'), '');
    const json = await world.run(showLogs, { json: true, verbose: true });
    const types = json.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect(types).toEqual([
      'run-started',
      'plan-read',
      'task-started',
      'attempt-started',
      'session-started',
      'session-started',
      'activity',
      'activity',
    ]);
    expect((await world.run(showLogs, { json: true })).stdout).not.toContain('activity');
  });

  it('shows one task, what is younger than a moment', async () => {
    const made = makeRun(...begin);
    writeRaw(made, 1, say('one'), '');
    made.append(
      fact('session-started', { session: 2, task: '3' }),
      fact('task-started', { task: '3', title: 'Other' }),
      byPerson('answer', { task: '3', said: 'late' }),
      fact('session-cost', { session: 1 }),
      fact('session-cost', { session: 2 }),
    );
    writeRaw(made, 2, say('two'), '');
    const facts = (await world.run(showLogs, { task: '3', json: true })).stdout;
    expect(facts.match(/"session":\d/g)).toEqual(['"session":2', '"session":2']);
    const two = (await world.run(showLogs, { task: '3' })).stdout;
    expect(two).toMatch(/Task 3: Other[\s\S]*late[\s\S]*two/);
    expect(two).not.toMatch(/Plan:|Task 2:|one/);
    expect((await world.run(showLogs, { since: '1d' })).stdout).toContain('Plan:');
  });

  it('puts the time at which it came before what an agent said', async () => {
    const made = makeRun(...begin);
    writeRaw(made, 1, say('one'), say('two'), '');
    const second = Buffer.byteLength(say('one')) + 1;
    const stamp = (hour: number) => new Date(begun.getTime() + hour * 3_600_000).toISOString();
    writeFileSync(
      path.join(made.folder, 'sessions', '001.ndjson.times'),
      `0 ${stamp(1)}\n${second} ${stamp(2)}\n`,
    );
    const clock = (hour: number) => formatClock(stamp(hour));
    expect((await world.run(showLogs, {})).stdout).toMatch(
      new RegExp(`^${clock(1)} +one\\n${clock(2)} +two$`, 'm'),
    );
  });

  it('follows a run to its end, over torn lines', async () => {
    const made = makeRun(...begin);
    using _lock = acquireLock(made.gitDir, made.run, begun);
    const text = say('said late');
    const [closing] = stampAll([fact('task-closed')]);
    const line = `${JSON.stringify(closing)}\n`;
    const file = path.join(made.folder, journalFile);
    const following = world.run(showLogs, { follow: true });
    writeRaw(made, 1, text.slice(0, 20));
    await wait(400);
    writeRaw(made, 1, `${text.slice(20)}\n`);
    appendFileSync(file, line.slice(0, 30));
    await wait(400);
    appendFileSync(file, line.slice(30));
    made.append(end, fact('run-ended'));
    const { exit, stdout } = await following;
    expect(exit).toBe(0);
    expect(stdout.match(/said late/g)).toHaveLength(1);
    expect(stdout.match(/✓ Task 2 closed/g)).toHaveLength(1);
    expect(stdout).toContain('Run stopped');
  });

  it('stops following when nobody works any more', async () => {
    makeRun(...begin);
    const { exit, stderr } = await world.run(showLogs, { follow: true });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: 'No pawl is working on this run any more.\n' });
  });
});

describe('report', () => {
  it('is Markdown for a pipe and lines for a terminal', async () => {
    makeRun(...begin, end, fact('task-closed'), fact('run-ended', { exit: 0, finished: true, reasons: [] }));
    const markdown = await world.run(showReport, {});
    expect(markdown.stdout).toMatch(/^\*\*Finished\*\*\n[\s\S]*## ✓ Task 2: Add login — proven/);
    const lines = await world.run(showReport, {}, [], { isTty: true });
    expect(lines.stdout).toMatch(/^Finished\n[\s\S]*\n✓ Task 2: Add login — proven\n/);
  });

  it('is of the run that is asked for, and honest about one that died', async () => {
    const first = makeRun(...begin);
    makeRun(fact('run-ended', { exit: 0, finished: true, reasons: [] }));
    expect((await world.run(showReport, {})).stdout).toContain('**Finished**');
    expect((await world.run(showReport, {}, [first.run])).stdout).toMatch(
      /^\*\*Not finished: pawl was killed/,
    );
  });

  it('an answer without words is asked for', async () => {
    await expect(world.run(steering('answer'), {}, ['2'])).rejects.toMatchObject({
      message: 'an answer needs the task that asked, and words',
      hint: expect.stringContaining('pawl answer alone shows the questions'),
    });
  });

  it('as JSON has one item a task', async () => {
    makeRun(...begin, end, fact('task-closed'));
    const report = JSON.parse((await world.run(showReport, { json: true })).stdout);
    expect(
      report.items.map((item: { id: string; standing: string }) => `${item.id} ${item.standing}`),
    ).toEqual(['1 before', '2 proven']);
    expect(report.items[1].spent).toMatchObject({ costUsd: 0.42, atLeast: true, sessions: 1 });
  });
});

describe('findings', () => {
  const reviewed = [
    fact('stage-started'),
    fact('review-round-started'),
    fact('opinion-given'),
    fact('review-round-ended', { verdict: 'end' }),
    fact('stage-ended', { end: 'open', open: ['F1'] }),
  ];

  it('as JSON, SARIF, Markdown and lines for a person', async () => {
    const { run } = makeRun(...reviewed);
    const json = await world.run(showReport, { findings: true, json: true });
    expect(JSON.parse(json.stdout)).toMatchObject({
      run,
      stages: [{ stage: 'first', end: 'open' }],
      findings: [{ id: 'F1', standing: 'open' }],
    });
    const sarif = await world.run(showReport, { sarif: true });
    expect(JSON.parse(sarif.stdout)).toMatchObject({
      version: '2.1.0',
      runs: [{ tool: { driver: { semanticVersion: '9.9.9' } }, results: [{ ruleId: 'quality' }] }],
    });
    const markdown = await world.run(showReport, { findings: true });
    expect(markdown.stdout).toContain('- Open: F1 major `src/auth.ts:12` ');
    const lines = await world.run(showReport, { findings: true }, [], { isTty: true });
    expect(lines.stdout).toContain('F1 major src/auth.ts:12 The token is compared with ==');
  });
});

describe('status --line', () => {
  const read = (word?: string, cwd = world.cwd) => readStatusLine(cwd, new Date(), word);

  it('tells of the run whose journal was written last, and whether a pawl works on it', () => {
    const made = makeRun(...begin);
    expect(read()).toMatch(/^pawl auth \d\/\d, died, can be resumed/);
    using _lock = acquireLock(made.gitDir, made.run, begun);
    expect(read()).toMatch(/^pawl auth \d\/\d, task 2/);
    expect(read('docs/plans/auth.md')).toMatch(/^pawl auth/);
    expect(read('other.md')).toBe('');
  });

  it('is empty where there is nothing to tell, and is never an error', () => {
    expect(read()).toBe('');
    const { folder } = makeRun();
    writeFileSync(path.join(folder, journalFile), 'no journal\n');
    expect(read()).toBe('');
    expect(read(undefined, '/')).toBe('');
  });
});
