import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClaudeSettings, claudeAgent } from '../../src/agent/claude.ts';
import type { Turn as ScriptTurn } from '../../src/demo/script.ts';
import { nonce, startSession, type TestPlan } from '../agent/session-setup.ts';
import { claudeEnvironment, claudePath, makeHome } from '../helpers/claude-home.ts';
import { type Model, startModel } from '../helpers/messages-api.ts';
import { makeRepo } from '../helpers/temp-repo.ts';

let home: Awaited<ReturnType<typeof makeHome>>;
const models: Model[] = [];

beforeAll(async () => {
  home = await makeHome();
});

afterAll(async () => {
  for (const model of models) await model[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

type ClaudePlan = Omit<TestPlan, 'agent'> & {
  turns: readonly ScriptTurn[];
  settings?: Partial<ClaudeSettings>;
  auth?: 'key' | 'oauth';
};

async function startClaude({ turns, settings, auth = 'key', ...plan }: ClaudePlan) {
  const model = await startModel({ turns });
  models.push(model);
  const agent = claudeAgent({
    command: claudePath,
    args: [],
    permissions: 'bypass',
    apiKey: 'keep',
    input: 'stream',
    otherLogin: false,
    clocks: { silenceMs: 600_000, apiMs: 900_000, toolMs: 3_600_000 },
    ...settings,
  });
  const env = claudeEnvironment({ home: home.path, apiUrl: model.url, auth });
  return { test: await startSession({ agent, env, ...plan }), model };
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
    await using _ = test;
    const first = await test.session.firstTurn();
    expect(first).toMatchObject({
      outcome: { kind: 'done', reason: 'first' },
      alive: true,
      canCorrect: true,
    });
    expect(first.contextShare).toBeGreaterThan(0);
    await test.session.hold();
    const held = await test.processes();
    expect(held.length).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const second = await test.session.correct('The check is red.');
    expect(second.outcome).toEqual({ kind: 'done', reason: 'second' });
    expect(second.costUsd).toBeGreaterThan(first.costUsd ?? Number.POSITIVE_INFINITY);
    const end = await test.session.close();
    expect(end).toMatchObject({ exitCode: 0, costAtLeast: false, costUsd: second.costUsd, leftovers: [] });
    expect(test.facts().filter((type) => type === 'session-ready')).toHaveLength(1);
    expect(await test.processes()).toEqual([]);
  });

  it('asks for the cost while a tool runs', async () => {
    const { test } = await startClaude({
      turns: [{ steps: [{ bash: waitS(2) }, { say: '{{marker TASK_DONE}}' }] }],
      clocks: { costEveryMs: 300 },
    });
    await using _ = test;
    await test.session.firstTurn();
    const ends = ['tool-started', 'tool-ended'].map((type) =>
      test.events.findIndex((event) => event.type === 'activity' && event.event.type === type),
    );
    const during = test.events.slice(...ends).filter(({ type }) => type === 'session-cost');
    expect(during).not.toEqual([]);
  });

  it.each([
    { prompt: '/cost', kept: 'pawl: /cost' },
    { prompt: '@secret.txt\nsee @secret.txt', kept: 'pawl: @secret.txt\nsee @secret.txt' },
  ])('sends $prompt as text: no command is run, no file attached', async ({ prompt, kept }) => {
    await using folder = await makeRepo({ files: { 'secret.txt': 'hidden-in-the-file' } });
    const { test, model } = await startClaude({
      turns: [{ steps: [{ say: 'ok' }] }],
      prompt,
      cwd: folder.path,
    });
    await using _ = test;
    expect((await test.session.firstTurn()).text).toBe('ok');
    const sent = JSON.stringify(model.requests.map(({ body }) => body?.messages));
    expect(sent).toContain(JSON.stringify(kept).slice(1, -1));
    expect(sent).not.toContain('hidden-in-the-file');
  });

  it.each([
    { trusted: true, ran: true },
    { trusted: false, ran: false },
  ])('runs a SessionStart hook of the repository only when trusted: $trusted', async ({ trusted, ran }) => {
    const hook = { type: 'command', command: 'touch hook-ran' };
    const settings = JSON.stringify({ hooks: { SessionStart: [{ hooks: [hook] }] } });
    await using repo = await makeRepo({ files: { '.claude/settings.json': settings } });
    const { test } = await startClaude({
      turns: [{ steps: [{ say: 'ok' }] }],
      cwd: repo.path,
      request: { trusted },
    });
    await using _ = test;
    await test.session.firstTurn();
    expect(existsSync(path.join(repo.path, 'hook-ran'))).toBe(ran);
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
    await using _ = test;
    await test.session.firstTurn();
    const strays = await test.session.hold();
    expect(strays.map(({ command }) => command)).toContainEqual(expect.stringContaining('sleep 300'));
    expect((await test.session.correct('go on')).outcome.kind).toBe('done');
    expect((await test.session.close()).exitCode).toBe(0);
    expect(await test.processes()).toEqual([]);
  });

  it('takes a steer at once, in the running turn', async () => {
    const { test } = await startClaude({
      turns: [
        { when: 'left instead', steps: [{ say: '{{marker TASK_DONE left}}' }] },
        {
          when: 'Do it',
          steps: [{ bash: waitS(2) }, { bash: waitS(20) }, { say: '{{marker TASK_DONE right}}' }],
        },
      ],
      onEvent: (event) => {
        if (event.type === 'activity' && event.event.type === 'tool-started')
          void test.session.steer('left instead');
      },
    });
    await using _ = test;
    expect((await test.session.firstTurn()).outcome).toEqual({ kind: 'done', reason: 'left' });
  });

  it('takes one prompt as plain text and ends', async () => {
    const { test, model } = await startClaude({
      turns: [{ steps: [{ say: 'ok\n{{marker TASK_DONE}}' }] }],
      settings: { input: 'text' },
      prompt: `/cost <<<PAWL:TASK_DONE ${nonce}>>>`,
    });
    await using _ = test;
    const turn = await test.session.firstTurn();
    expect(turn).toMatchObject({ outcome: { kind: 'done' }, alive: false, canCorrect: false });
    expect(JSON.stringify(model.requests.map(({ body }) => body?.messages))).toContain('pawl: /cost');
  });
});

describe('a real session that goes wrong', () => {
  it('is limited until the reset the stream names', async () => {
    const { test } = await startClaude({
      turns: [{ steps: [{ limit: { resetsInS: 3_600 } }] }],
      auth: 'oauth',
    });
    await using _ = test;
    const { outcome } = await test.session.firstTurn();
    expect(outcome).toMatchObject({ kind: 'limited', window: 'five_hour', until: expect.any(Number) });
    expect(test.facts()).toContain('limit-seen');
  });

  it.each([403, 404])('is refused by %i at once', async (status) => {
    const { test } = await startClaude({ turns: [{ steps: [{ api: { status } }] }] });
    await using _ = test;
    expect((await test.session.firstTurn()).outcome.kind).toBe('refused');
  });

  it('rings the silence clock on a model that says nothing, and leaves no process', async () => {
    const { test } = await startClaude({
      turns: [{ steps: [{ hang: true }] }],
      clocks: { silenceMs: 1_500 },
    });
    await using _ = test;
    const turn = await test.session.firstTurn();
    expect(turn).toMatchObject({ outcome: { kind: 'timed-out', clock: 'silence' }, alive: false });
    expect(test.facts()).toContain('clock-rang');
    await test.session.close();
    expect(await test.processes()).toEqual([]);
  });

  it('rings the api clock although retry notices keep coming', async () => {
    const { test } = await startClaude({
      turns: [{ steps: [{ api: { status: 529 } }] }],
      clocks: { silenceMs: 20_000, apiMs: 3_000 },
    });
    await using _ = test;
    const { outcome } = await test.session.firstTurn();
    expect(outcome).toMatchObject({
      kind: 'timed-out',
      clock: 'api',
      reason: expect.stringContaining('529'),
    });
  });

  it('rings the tool clock on one endless command and ends it', async () => {
    const { test } = await startClaude({
      turns: [{ steps: [{ bash: waitS(120) }] }],
      clocks: { toolMs: 1_500 },
    });
    await using _ = test;
    expect((await test.session.firstTurn()).outcome).toMatchObject({ kind: 'timed-out', clock: 'tool' });
    await test.session.close();
    expect(await test.processes()).toEqual([]);
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
    await using _ = test;
    expect((await test.session.firstTurn()).outcome).toEqual({ kind: 'interrupted', reason: 'Ctrl-C' });
    const end = await test.session.close();
    expect(end).toMatchObject({ costAtLeast: false, outcome: { kind: 'interrupted' } });
    expect(await test.processes()).toEqual([]);
  });

  it.skipIf(process.getuid?.() !== 0)('is refused as root without a sandbox, with remedies', async () => {
    const { test } = await startClaude({
      turns: [{ steps: [{ say: 'ok' }] }],
      env: {
        ...claudeEnvironment({ home: home.path, apiUrl: 'http://127.0.0.1:9', auth: 'key' }),
        IS_SANDBOX: '',
      },
    });
    await using _ = test;
    const { outcome } = await test.session.firstTurn();
    expect(outcome).toMatchObject({
      kind: 'refused',
      remedies: [expect.any(String), expect.any(String), expect.any(String)],
    });
  });
});
