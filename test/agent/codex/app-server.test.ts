// The conversation with codex's app server, line by line: the handshake, turns, limits, steering, what else may come.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { AgentRequest, Conversation } from '../../../src/agent/agent.ts';
import { codexAgent } from '../../../src/agent/codex/adapter.ts';
import { answered, linesOf } from '../session/session-setup.ts';

const agent = codexAgent({ command: 'codex', args: ['-p', 'x'] });
const line = (value: object) => JSON.stringify(value);
const notice = (method: string, params: object) => line({ method, params: { threadId: 't1', ...params } });

/** A conversation whose first turn runs; `sent`: the requests of its handshake. */
function open(request: Partial<AgentRequest> = {}): { talk: Conversation; sent: readonly object[] } {
  const talk = agent.open({ request: { trusted: true, promptFile: '/p', ...request }, cwd: '/repo' });
  const sent = [
    ...linesOf(talk.write({ type: 'prompt', text: 'Do it.' })),
    ...answered(talk.read(line({ id: 1, result: {} }))),
    ...answered(
      talk.read(line({ id: 2, result: { model: 'm', thread: { id: 't1', cliVersion: '0.169.0' } } })),
    ),
  ];
  talk.read(line({ id: 3, result: { turn: { id: 'u1' } } }));
  talk.read(notice('turn/started', { turn: { id: 'u1' } }));
  return { talk, sent };
}

const completed = (turn: object, threadId = 't1') =>
  notice('turn/completed', { threadId, turn: { id: 'u1', ...turn } });
const failed = (codexErrorInfo: unknown) =>
  completed({ status: 'failed', error: { message: 'no', codexErrorInfo } });
const tokens = (input: number, turnId = 'u1') =>
  notice('thread/tokenUsage/updated', {
    turnId,
    tokenUsage: {
      total: { inputTokens: input, cachedInputTokens: 10, outputTokens: 5 },
      last: { totalTokens: 77 },
      modelContextWindow: 1000,
    },
  });
const full = { primary: { usedPercent: 100, windowDurationMins: 300, resetsAt: 2000 } };

describe('the app server', () => {
  const trust = (trust_level: string) => ({ config: { projects: { '/repo': { trust_level } } } });
  const whole = { sandbox: 'danger-full-access', approvalPolicy: 'never', ...trust('trusted') };
  test.each<[string, Partial<AgentRequest>, object]>([
    ['a trusted repository', {}, { method: 'thread/start', params: whole }],
    ['one that nobody consented to', { trusted: false }, { params: trust('untrusted') }],
    ['one that it only reads', { readOnly: true }, { params: { sandbox: 'read-only' } }],
    [
      'an earlier conversation',
      { resume: 't0', model: 'm2' },
      { method: 'thread/resume', params: { threadId: 't0', model: 'm2' } },
    ],
  ])('opens a thread for %s', (_, request, thread) => {
    const { sent } = open(request);
    expect(sent).toMatchObject([
      { method: 'initialize' },
      { method: 'initialized' },
      thread,
      { method: 'turn/start', params: { threadId: 't1', input: [{ type: 'text', text: 'Do it.' }] } },
    ]);
  });

  it('is started with what keeps an untrusted repository out, and ended by the end of its input', () => {
    const request = { trusted: false, promptFile: '/p' };
    expect(agent.command(request)).toEqual({
      file: 'codex',
      args: ['-p', 'x', 'app-server', '-c', 'project_doc_max_bytes=0'],
      env: {},
    });
  });

  it('asks effort and schema of every turn', () => {
    const { talk } = open({ effort: 'high', schema: { type: 'object' } });
    expect(linesOf(talk.write({ type: 'correction', text: 'Again.' }))).toMatchObject([
      { method: 'turn/start', params: { effort: 'high', outputSchema: { type: 'object' } } },
    ]);
  });

  test.each<[unknown, object]>([
    ['unauthorized', { apiError: 'authentication_error' }],
    ['serverOverloaded', { apiError: 'overloaded_error' }],
    ['rateLimitExceeded', { apiError: 'rate_limit_error' }],
    ['contextWindowExceeded', { apiError: 'request_too_large' }],
    [{ httpConnectionFailed: { httpStatusCode: 503 } }, { apiStatus: 503 }],
    [{ responseStreamDisconnected: { httpStatusCode: null } }, { apiError: 'connection_failed' }],
    ['new word', {}],
    [undefined, {}],
  ])('a failure by %j, with the tokens of the turn', (info, wanted) => {
    const { talk } = open();
    talk.read(tokens(100));
    const tokensOfTurn = { input: 90, cacheRead: 10, output: 5 };
    const result = { type: 'result', isError: true, text: 'no', tokens: tokensOfTurn, ...wanted };
    expect(talk.read(failed(info)).events).toMatchObject([result, { type: 'idle' }]);
  });

  it('tells a limit with its reset', () => {
    const { talk } = open();
    talk.read(line({ method: 'account/rateLimits/updated', params: { rateLimits: full } }));
    talk.read(line({ method: 'account/rateLimits/updated', params: { rateLimits: { primary: null } } }));
    expect(talk.read(failed('usageLimitExceeded')).events).toMatchObject([
      { type: 'limit', status: 'rejected', window: '5_hour', resetsAt: 2_000_000 },
      { type: 'result', apiError: 'usage_limit_reached' },
      { type: 'idle' },
    ]);
  });

  test.each<[string, object, object]>([
    ['is told', { result: { rateLimits: full } }, { status: 'rejected', resetsAt: 2_000_000 }],
    ['is told to nobody', { error: { code: -32600, message: 'no login' } }, { status: 'rejected' }],
  ])('asks for the reset of a limit that came without one; it %s', (_, reply, limit) => {
    const { talk } = open();
    const reading = talk.read(failed('usageLimitExceeded'));
    expect([reading.events, answered(reading)]).toMatchObject([[], [{ method: 'account/rateLimits/read' }]]);
    const { id } = answered(reading)[0];
    expect(talk.read(line({ id, ...reply })).events).toMatchObject([
      limit,
      { type: 'result' },
      { type: 'idle' },
    ]);
  });

  it('steers the running turn, or begins the next one where it is over', () => {
    const { talk } = open();
    const [first] = linesOf(talk.write({ type: 'steer', text: 'Blue.' }));
    expect(first).toMatchObject({ method: 'turn/steer', params: { expectedTurnId: 'u1' } });
    expect(talk.read(line({ id: first.id, result: {} })).events).toMatchObject([{ type: 'started' }]);
    const [second] = linesOf(talk.write({ type: 'steer', text: 'Red.' }));
    expect(answered(talk.read(line({ id: second.id, error: { message: 'no active turn' } })))).toMatchObject([
      { method: 'turn/start', params: { input: [{ text: 'Red.' }] } },
    ]);
  });

  it('interrupts the turn and the command that it runs', () => {
    const { talk } = open();
    expect(linesOf(talk.write({ type: 'interrupt' })).map(({ method }) => method)).toEqual([
      'turn/interrupt',
      'thread/backgroundTerminals/clean',
    ]);
    expect(talk.read(completed({ status: 'interrupted' })).events[0]).toMatchObject({
      reason: 'aborted_by_interrupt',
    });
  });

  it('counts only its own share of a thread that another process began', () => {
    const { talk } = open({ resume: 't0' });
    talk.read(tokens(40, 'u0'));
    talk.read(tokens(100));
    expect(talk.read(completed({ status: 'completed' })).events[0]).toMatchObject({
      tokens: { input: 60, output: 0, cacheRead: 0 },
      contextWindows: { m: 1000 },
    });
  });

  it('is not ended by the turn of a sub-agent', () => {
    const { talk } = open();
    expect(talk.read(completed({ status: 'completed' }, 't2')).events).toEqual([]);
    const item = { type: 'commandExecution', id: 'c', command: 'ls' };
    expect(talk.read(notice('item/started', { threadId: 't2', item })).events).toMatchObject([
      { main: false },
    ]);
  });

  it.each<[object, string]>([
    [
      { command: "/bin/bash -lc 'npm test'", commandActions: [{ type: 'unknown', command: 'npm test' }] },
      'npm test',
    ],
    [
      { command: "/bin/bash -lc 'cat a; ls'", commandActions: [{ command: 'cat a' }, { command: 'ls' }] },
      "/bin/bash -lc 'cat a; ls'",
    ],
  ])('runs a command, named without the shell around it where codex says it: %j', (command, detail) => {
    const { talk } = open();
    const item = { type: 'commandExecution', id: 'c', ...command };
    expect(talk.read(notice('item/started', { threadId: 't', item })).events).toMatchObject([{ detail }]);
  });

  it.each(['Invalid request', 'Invalid request: unknown variant `danger-full-access`, expected'])(
    'is of a version that speaks otherwise: %s',
    (message) => {
      const talk = agent.open({ request: { trusted: true, promptFile: '/p' }, cwd: '/repo' });
      talk.write({ type: 'prompt', text: 'Do it.' });
      talk.read(line({ id: 1, result: {} }));
      const { events } = talk.read(line({ id: 2, error: { code: -32600, message } }));
      expect(events).toMatchObject([{ isError: true, apiError: 'protocol_mismatch' }, { type: 'idle' }]);
    },
  );

  it('is refused a thread', () => {
    const talk = agent.open({ request: { trusted: true, promptFile: '/p', resume: 'gone' }, cwd: '/repo' });
    talk.write({ type: 'prompt', text: 'Do it.' });
    talk.read(line({ id: 1, result: {} }));
    const refused = talk.read(line({ id: 2, error: { code: -32600, message: 'no rollout found' } }));
    expect(refused.events).toMatchObject([{ isError: true, text: 'no rollout found' }, { type: 'idle' }]);
  });

  const approval = line({ id: 9, method: 'item/commandExecution/requestApproval', params: {} });
  const retrying = {
    message: 'Reconnecting... 2/5',
    codexErrorInfo: { responseStreamDisconnected: { httpStatusCode: 502 } },
    additionalDetails: 'bad gateway',
  };
  const retry = { type: 'api-retry', attempt: 2, max: 5, status: 502, reason: 'bad gateway' };
  const change = { type: 'fileChange', id: 'f', status: 'completed', changes: [{ path: '/repo/a' }] };
  const command = { type: 'commandExecution', id: 'c', exitCode: 2 };
  test.each<[string, string, readonly object[], readonly object[]]>([
    ['a request for an approval', approval, [], [{ id: 9, error: { code: -32601 } }]],
    ['a retry', notice('error', { willRetry: true, error: retrying }), [retry], []],
    [
      'a change',
      notice('item/completed', { item: change }),
      [{ type: 'tool-ended', writes: ['/repo/a'] }],
      [],
    ],
    ['a failed command', notice('item/completed', { item: command }), [{ isError: true }], []],
    ['progress', notice('item/mcpToolCall/progress', {}), [{ type: 'heartbeat' }], []],
    ['a warning', 'WARN: path', [{ type: 'noise' }], []],
    ['an unknown notification', notice('new/thing', {}), [], []],
    ['an answer to nothing', line({ id: 77, result: {} }), [], []],
  ])('%s', (_, text, events, answer) => {
    const { talk } = open();
    const reading = talk.read(text);
    expect(reading.events).toMatchObject(events);
    expect(reading.events).toHaveLength(events.length);
    expect(answered(reading)).toMatchObject(answer);
  });

  it('never throws', () => {
    const { talk } = open();
    const methods = ['turn/completed', 'turn/started', 'item/completed', 'error'];
    const counts = ['thread/tokenUsage/updated', 'account/rateLimits/updated'];
    const method = fc.constantFrom(...methods, ...counts);
    const names = ['turn', 'item', 'error', 'tokenUsage', 'rateLimits', 'threadId'];
    const params = fc.dictionary(fc.constantFrom(...names), fc.jsonValue());
    fc.assert(
      fc.property(method, params, (named, value) =>
        Array.isArray(talk.read(line({ method: named, params: value })).events),
      ),
    );
    fc.assert(fc.property(fc.json(), (text) => Array.isArray(talk.read(text).events)));
  });
});
