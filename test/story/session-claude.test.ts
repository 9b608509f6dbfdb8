import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ClaudePlan, startClaude as start } from '../helpers/claude-session.ts';
import { has } from '../helpers/needs.ts';
import { inSoak, share } from '../helpers/share.ts';
import { makeRepo } from '../helpers/temp-repo.ts';

/** A session that ends with its test. */
async function startClaude(plan: ClaudePlan) {
  const started = await start(plan);
  onTestFinished(() => started[Symbol.asyncDispose]());
  return started;
}

/** Foreground `sleep` is refused by the CLI. */
const waitS = (seconds: number) => `perl -e 'select undef,undef,undef,${seconds}'`;

describe('a session with the real Claude Code CLI', () => {
  it('holds a conversation of two turns in one process, stopped for 3 s between them', async () => {
    const { test } = await startClaude({
      turns: [
        {
          when: 'Do it',
          steps: [{ bash: 'echo one > one.txt' }, { say: 'Ready.\n{{marker TASK_DONE first}}' }],
        },
        {
          when: 'red',
          steps: [{ bash: 'echo two > two.txt' }, { say: 'Fixed.\n{{marker TASK_DONE second}}' }],
        },
      ],
    });
    const first = await test.session.firstTurn();
    expect(first).toMatchObject({
      outcome: { kind: 'done', reason: 'first' },
      canCorrect: true,
    });
    expect(first.contextShare).toBeGreaterThan(0);
    await test.session.hold();
    const held = await test.processes();
    expect(readFileSync(`/proc/${held[0]?.pid}/stat`, 'utf8')).toContain(') T ');
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const second = await test.session.correct('The check is red.');
    expect(second.outcome).toEqual({ kind: 'done', reason: 'second' });
    const end = await test.session.close();
    expect(end).toMatchObject({ exitCode: 0, costAtLeast: false });
    const costs = test.events.flatMap((event) => (event.type === 'session-cost' ? [event.costUsd] : []));
    expect(end.costUsd).toBeGreaterThan(costs[0] ?? Number.POSITIVE_INFINITY);
    expect(end.costUsd).toBe(costs.at(-1));
    expect(test.facts()).not.toContain('leftovers-ended');
    expect(test.facts().filter((type) => type === 'session-ready')).toHaveLength(1);
    expect(await test.processes()).toEqual([]);
  });

  inSoak('asks for the cost while a tool runs', async () => {
    const { test } = await startClaude({
      turns: [{ steps: [{ bash: waitS(2) }, { say: '{{marker TASK_DONE}}' }] }],
      clocks: { costEveryMs: 300 },
    });
    await test.session.firstTurn();
    const ends = ['tool-started', 'tool-ended'].map((type) =>
      test.events.findIndex((event) => event.type === 'activity' && event.event.type === type),
    );
    const during = test.events.slice(...ends).filter(({ type }) => type === 'session-cost');
    expect(during).not.toEqual([]);
  });

  it.each(
    share(
      [
        { prompt: '/cost @secret.txt\nsee @secret.txt', kept: 'pawl: /cost @secret.txt\nsee @secret.txt' },
        { prompt: '@secret.txt', kept: 'pawl: @secret.txt' },
      ],
      2,
    ),
  )('sends $prompt as text: no command is run, no file attached', async ({ prompt, kept }) => {
    await using folder = await makeRepo({ files: { 'secret.txt': 'hidden-in-the-file' } });
    const { test, model } = await startClaude({
      turns: [{ steps: [{ say: 'ok' }] }],
      prompt,
      cwd: folder.path,
    });
    expect((await test.session.firstTurn()).text).toBe('ok');
    const sent = JSON.stringify(model.requests.map(({ body }) => body?.messages));
    expect(sent).toContain(JSON.stringify(kept).slice(1, -1));
    expect(sent).not.toContain('hidden-in-the-file');
  });

  it('ends what a turn left running with setsid, and keeps the CLI for a correction', async () => {
    const { test } = await startClaude({
      turns: [
        {
          when: 'Do it',
          steps: [{ bash: 'setsid sleep 300 >/dev/null 2>&1 & echo left' }, { say: 'first' }],
        },
        { when: 'go on', steps: [{ say: '{{marker TASK_DONE}}' }] },
      ],
    });
    await test.session.firstTurn();
    const strays = await test.session.hold();
    expect(strays.map(({ command }) => command)).toContainEqual(expect.stringContaining('sleep 300'));
    expect(test.facts()).toContain('leftovers-ended');
    expect((await test.session.correct('go on')).outcome.kind).toBe('done');
    expect((await test.session.close()).exitCode).toBe(0);
    expect(await test.processes()).toEqual([]);
  });
});

describe('a real session that goes wrong', () => {
  inSoak('rings the api clock although retry notices keep coming', async () => {
    const { test } = await startClaude({
      turns: [{ steps: [{ api: { status: 529 } }] }],
      clocks: { silenceMs: 20_000, apiMs: 3_000 },
    });
    const { outcome } = await test.session.firstTurn();
    expect(outcome).toMatchObject({
      kind: 'timed-out',
      clock: 'api',
      reason: expect.stringContaining('529'),
    });
  });

  it('is interrupted in the middle of a command, with its cost known', async () => {
    const controller = new AbortController();
    const { test } = await startClaude({
      turns: [{ steps: [{ bash: waitS(120) }] }],
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === 'activity' && event.event.type === 'tool-started') controller.abort('Ctrl-C');
      },
    });
    expect((await test.session.firstTurn()).outcome).toEqual({ kind: 'interrupted', reason: 'Ctrl-C' });
    const end = await test.session.close();
    expect(end).toMatchObject({ costAtLeast: false, outcome: 'interrupted' });
    expect(await test.processes()).toEqual([]);
  });

  it.runIf(has('root'))('is refused as root without a sandbox, with remedies', async () => {
    const { test } = await startClaude({
      turns: [{ steps: [{ say: 'ok' }] }],
      cliEnv: { IS_SANDBOX: '' },
    });
    const { outcome } = await test.session.firstTurn();
    expect(outcome).toMatchObject({
      kind: 'refused',
      remedies: [expect.any(String), expect.any(String), expect.any(String)],
    });
  });
});
