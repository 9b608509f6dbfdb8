import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ClaudeSettings } from '../../../src/agent/claude/claude.ts';
import { scriptAgent } from '../../../src/agent/script/adapter.ts';
import type { Event } from '../../../src/event.ts';
import { Failure } from '../../../src/failure.ts';
import type { Step } from '../../fixtures/agents/scripted/script.ts';
import { makeAgent } from '../../helpers/script.ts';
import { nonce, plainClaude, startSession } from './session-setup.ts';

const claude = (command: string, more: Partial<ClaudeSettings> = {}) => plainClaude({ command, ...more });

/** A stand-in for the CLI in shell; pawl's own arguments follow and are ignored. */
const shell = (script: string, more: Partial<ClaudeSettings> = {}) =>
  claude('sh', { args: ['-c', script], ...more });

const plain = (script: string) =>
  scriptAgent({ command: 'sh', args: ['-c', script, 'sh'], reportsCost: false });

const resultLine = (text: string) =>
  JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: text });
const print = (...lines: readonly string[]) => lines.map((line) => `printf '%s\\n' '${line}'`).join('\n');
const done = `<<<PAWL:TASK_DONE ${nonce}>>> did it`;

const activity = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === 'activity' ? [event.event] : []));

describe('a conversation', () => {
  it('keeps every line of the stream', async () => {
    const lines = ['not json', '{"type":"unknown","a":"ü😀"}', resultLine(done)];
    await using test = await startSession({ agent: shell(`read x; ${print(...lines)}`) });
    expect((await test.session.firstTurn()).outcome.kind).toBe('done');
    await test.session.close();
    expect(await test.raw()).toBe(`${lines.join('\n')}\n`);
    expect(activity(test.events)).toContainEqual({ type: 'noise', text: 'not json' });
  });

  it('ends a turn without an idle event by a second of quiet', async () => {
    await using test = await startSession({
      agent: shell(`read x; ${print(resultLine(done))}; read y; read z`),
    });
    expect(await test.session.firstTurn()).toMatchObject({ outcome: { kind: 'done' }, canCorrect: true });
  });

  it('tells a limit only when it changes, and the windows’ use', async () => {
    const limit = (utilization: number) =>
      JSON.stringify({
        type: 'rate_limit_event',
        rate_limit_info: {
          status: 'allowed',
          rateLimitType: 'five_hour',
          unifiedWindows: { five_hour: { utilization } },
        },
      });
    const script = `read x; ${print(limit(0.1), limit(0.1), limit(0.2), resultLine(done))}`;
    await using test = await startSession({ agent: shell(script) });
    await test.session.firstTurn();
    const seen = test.events.filter((event) => event.type === 'limit-seen');
    expect(seen.map(({ utilization }) => utilization)).toEqual([0.1, 0.2]);
  });
});

describe('an agent that takes one prompt', () => {
  it('gets it on stdin and as a file’s name, and answers in plain text', async () => {
    await using test = await startSession({
      agent: plain(`cat > got.txt; echo "$1" >> got.txt; echo hello; echo '${done}'`),
      prompt: 'Do it',
    });
    const turn = await test.session.firstTurn();
    expect(turn).toMatchObject({
      outcome: { kind: 'done', reason: 'did it' },
      canCorrect: false,
    });
    expect(turn.text).toBe(`hello\n${done}`);
    expect(readFileSync(`${test.folder}/got.txt`, 'utf8')).toBe(`Do it\n${test.folder}/001.prompt.md\n`);
    expect((await test.session.close()).exitCode).toBe(0);
  });

  it('may be told a prompt of megabytes', async () => {
    const prompt = 'x'.repeat(5_000_000);
    await using test = await startSession({ agent: plain(`wc -c; echo '${done}'`), prompt });
    expect((await test.session.firstTurn()).text).toContain('5000001');
  });

  it('cannot be steered, and nobody waits for it', { timeout: 10_000 }, async () => {
    await using test = await startSession({ agent: plain('cat >/dev/null; sleep 60') });
    expect(await test.session.steer('now')).toBe(false);
    await test.session.stop('enough');
  });

  it('cannot be corrected: the turn is over at once', async () => {
    await using test = await startSession({ agent: plain(`cat >/dev/null; echo '${done}'`) });
    await test.session.firstTurn();
    const again = await test.session.correct('again');
    expect(again).toMatchObject({ canCorrect: false, outcome: { kind: 'crashed' } });
    expect(await test.session.steer('now')).toBe(false);
  });
});

describe('a process that goes wrong', () => {
  it('is judged by what is left of it, and its session ends as its turn did', async () => {
    await using test = await startSession({ agent: shell('read x; echo usage limit reached >&2; exit 1') });
    const { outcome } = await test.session.firstTurn();
    expect(outcome).toMatchObject({ kind: 'limited', reason: 'usage limit reached' });
    expect(await test.session.close()).toMatchObject({ outcome: outcome.kind, reason: outcome.reason });
  });

  it('a program that does not exist is refused, and said to have ended', async () => {
    await using test = await startSession({ agent: claude('no-such-agent') });
    expect((await test.session.firstTurn()).outcome).toMatchObject({
      kind: 'refused',
      reason: 'no-such-agent was not found',
    });
    expect(await test.session.close()).toMatchObject({ exitCode: null, costUsd: 0, costAtLeast: false });
    expect(test.facts()).toEqual(['session-started', 'turn-ended', 'session-ended']);
  });

  it('a record that cannot be written is a failure of the disk, and the agent is ended', async () => {
    await using test = await startSession({
      agent: shell(`read x; while echo x; do sleep 0.01; done`),
      rawFile: '/no/such/folder/001.ndjson',
    });
    const failure = { code: 'disk', message: expect.stringMatching(/^cannot open .*: it does not exist$/) };
    await expect(test.session.firstTurn()).rejects.toMatchObject(failure);
    await expect(test.session.close()).rejects.toMatchObject(failure);
    expect(await test.processes()).toEqual([]);
  });
});

describe('an event that cannot be kept', () => {
  it.each(['session-ready', 'turn-ended', 'activity', 'clock-rang'])(
    '%s: the turn fails and nothing is left',
    async (type) => {
      const script = `read x; ${print('{"type":"system","subtype":"init"}', resultLine(done))}; sleep 300`;
      await using test = await startSession({
        agent: shell(type === 'clock-rang' ? 'sleep 300' : script),
        clocks: { firstEventMs: 300, quietMs: 50 },
        onEvent: (event) => {
          if (event.type === type) throw new Failure('disk', 'the journal is full');
        },
      });
      await expect(test.session.firstTurn()).rejects.toMatchObject({ code: 'disk' });
      await expect(test.session.close()).rejects.toMatchObject({ code: 'disk' });
      expect(await test.processes()).toEqual([]);
    },
  );
});

describe('what a session leaves', () => {
  const stray = 'setsid sh -c "sleep 300" >/dev/null 2>&1 </dev/null &';

  it('is ended between turns although pawl was late to see the agent come up', async () => {
    await using agent = await makeAgent([{ steps: [{ bash: stray }, { say: 'x' }] }]);
    await using test = await startSession({
      agent: claude(agent.command),
      onEvent: (event) => {
        if (event.type !== 'activity' || event.event.type !== 'busy') return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
      },
    });
    await test.session.firstTurn();
    const strays = await test.session.hold();
    expect(strays.map(({ command }) => command)).toContainEqual(expect.stringContaining('sleep 300'));
  });

  it('is ended at the end, and a grandchild that holds stdout open hangs nothing', async () => {
    await using test = await startSession({ agent: plain(`cat >/dev/null; sleep 300 & echo '${done}'`) });
    expect((await test.session.firstTurn()).outcome.kind).toBe('done');
    await test.session.close();
    const leftovers = test.events.flatMap((event) =>
      event.type === 'leftovers-ended' ? event.processes : [],
    );
    expect(leftovers.map(({ command }) => command)).toContainEqual(expect.stringContaining('sleep 300'));
    expect(await test.processes()).toEqual([]);
  });

  it('is the same end for every close', async () => {
    await using test = await startSession({ agent: plain(`cat >/dev/null; echo '${done}'`) });
    expect(test.session.close()).toBe(test.session.close());
    await test.session.close();
    expect(test.facts().filter((type) => type === 'session-ended')).toHaveLength(1);
  });
});

describe('clocks', () => {
  const rows: readonly [string, Step[], Parameters<typeof startSession>[0]['clocks']][] = [
    ['silence', [{ hang: true }], { silenceMs: 500 }],
    ['api', [{ api: { status: 529, retryDelayMs: 300 } }], { apiMs: 500 }],
    ['tool', [{ bash: 'sleep 300' }], { toolMs: 500 }],
    ['session', [{ bash: 'sleep 300' }], { sessionMs: 500 }],
    ['silence', [{ silence: true }], { silenceMs: 500, interruptMs: 300 }],
    [
      'tool',
      [{ ignore: ['SIGTERM'] }, { say: 'x' }, { silence: true }, { bash: 'x' }],
      { silenceMs: 500, interruptMs: 300, termMs: 300 },
    ],
  ];

  it.each(rows)('%s rings, and no process is left: %j', async (clock, steps, clocks) => {
    await using agent = await makeAgent([{ steps }]);
    await using test = await startSession({ agent: claude(agent.command), ...(clocks && { clocks }) });
    const turn = await test.session.firstTurn();
    expect(turn).toMatchObject({ outcome: { kind: 'timed-out' }, canCorrect: false });
    const rang = test.events.find((event) => event.type === 'clock-rang');
    expect(rang?.clock).toBe(steps.length > 2 ? 'silence' : clock);
    await test.session.close();
    expect(await test.processes()).toEqual([]);
  });

  it('drain rings on an agent that does not end, which changes nothing about its turn', async () => {
    const script = `read x; ${print(resultLine(done))}; trap '' TERM; while :; do sleep 0.1; done`;
    await using test = await startSession({ agent: shell(script), clocks: { drainMs: 300, termMs: 300 } });
    expect((await test.session.firstTurn()).outcome.kind).toBe('done');
    expect(await test.session.close()).toMatchObject({ outcome: 'done', signal: 'SIGKILL' });
    expect(test.facts()).toContain('clock-rang');
  });
});

describe('an interrupt', () => {
  it('is TERM and then KILL at once for one that waits to try its API again, which hears nothing else', async () => {
    const retry = { type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 9, retry_delay_ms: 1 };
    const script = `read x; trap '' TERM; ${print(JSON.stringify(retry))}; while :; do sleep 0.1; done`;
    const controller = new AbortController();
    await using test = await startSession({
      agent: shell(script),
      signal: controller.signal,
      clocks: { interruptMs: 600_000, termMs: 600_000 },
      onEvent: (event) => {
        if (event.type === 'activity' && event.event.type === 'api-retry') controller.abort('Ctrl-C');
      },
    });
    expect((await test.session.firstTurn()).outcome).toEqual({ kind: 'interrupted', reason: 'Ctrl-C' });
    expect(await test.session.close()).toMatchObject({ outcome: 'interrupted', signal: 'SIGKILL' });
  });

  it('reaches an agent that is held', async () => {
    await using agent = await makeAgent([{ steps: [{ say: '{{marker TASK_DONE}}' }] }]);
    await using test = await startSession({ agent: claude(agent.command) });
    await test.session.firstTurn();
    await test.session.hold();
    await test.session.stop('enough');
    const end = await test.session.close();
    expect([end.exitCode, end.outcome]).toEqual([0, 'done']);
  });

  it('that came before the start: the prompt is not sent', async () => {
    await using test = await startSession({
      agent: plain('cat > got.txt; sleep 300'),
      signal: AbortSignal.abort('before'),
    });
    expect((await test.session.firstTurn()).outcome).toEqual({ kind: 'interrupted', reason: 'before' });
    await test.session.close();
    expect(
      existsSync(`${test.folder}/got.txt`) && readFileSync(`${test.folder}/got.txt`, 'utf8'),
    ).toBeFalsy();
  });
});
