// The conversation over ACP, line by line: the handshake, prompts, what an agent asks, how it counts, how it ends.
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type AcpSettings, acpAgent } from '../../../src/agent/acp/adapter.ts';
import type { AgentRequest, Conversation } from '../../../src/agent/agent.ts';
import type { AcpName } from '../../../src/agent-name.ts';
import type { AgentEvent } from '../../../src/event/activity.ts';
import { answered, linesOf } from '../session/session-setup.ts';

const line = (value: object) => JSON.stringify({ jsonrpc: '2.0', ...value });
const update = (kind: string, fields: object = {}) =>
  line({ method: 'session/update', params: { sessionId: 's1', update: { sessionUpdate: kind, ...fields } } });
const chunk = (text: string, more: object = {}) =>
  update('agent_message_chunk', { content: { type: 'text', text }, ...more });

type Talk = Readonly<{
  talk: Conversation;
  /** Methods of the handshake, and the first prompt. */
  sent: readonly { method: string; params: object }[];
  /** What the handshake told. */
  began: readonly AgentEvent[];
  /** Answers the open prompt. */
  end(result: object): readonly AgentEvent[];
  fail(error: object): readonly AgentEvent[];
}>;

function open(
  name: AcpName = 'acp',
  {
    request = {},
    settings = {},
  }: Readonly<{ request?: Partial<AgentRequest>; settings?: Partial<AcpSettings> }> = {},
): Talk {
  const agent = acpAgent(name, { command: name, args: [], env: {}, ...settings });
  const talk = agent.open({ request: { trusted: true, promptFile: '/p', ...request }, cwd: '/repo' });
  const sent = linesOf(talk.write({ type: 'prompt', text: 'Do it.' }));
  const replies: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: 1,
      agentInfo: { version: '9' },
    },
    'session/new': { sessionId: 's1', configOptions: [{ id: 'llm', category: 'model', currentValue: 'm0' }] },
  };
  const began: AgentEvent[] = [];
  for (let at = 0; sent[at].method !== 'session/prompt'; at += 1) {
    const reading = talk.read(line({ id: sent[at].id, result: replies[sent[at].method] ?? {} }));
    began.push(...reading.events);
    sent.push(...answered(reading));
  }
  const { id } = sent.at(-1);
  return {
    talk,
    sent,
    began,
    end: (result) => talk.read(line({ id, result })).events,
    fail: (error) => talk.read(line({ id, error })).events,
  };
}

/** One that has said its first prompt, and is not answered yet. */
function begin(name: AcpName, request: Partial<AgentRequest> = {}): Conversation {
  const agent = acpAgent(name, { command: 'x', args: [], env: {} });
  const talk = agent.open({ request: { trusted: true, promptFile: '/p', ...request }, cwd: '/repo' });
  talk.write({ type: 'prompt', text: 'Do it.' });
  return talk;
}

const resultOf = (events: readonly AgentEvent[]) => events.find(({ type }) => type === 'result');

describe('the command', () => {
  test.each<[AcpName, Partial<AcpSettings>, readonly string[]]>([
    ['gemini', { model: 'flash' }, ['--acp', '--skip-trust', '--approval-mode=yolo', '-m', 'flash']],
    ['opencode', { args: ['--x'], model: 'a/b' }, ['--x', 'acp']],
    ['acp', { args: ['serve'] }, ['serve']],
  ])('%s', (name, settings, args) => {
    const agent = acpAgent(name, { command: name, args: [], env: { A: '1' }, ...settings });
    const command = agent.command({ trusted: true, promptFile: '/p' });
    expect(command).toMatchObject({ file: name, args, env: { A: '1' } });
  });

  it('gives opencode all permissions, unless the user says otherwise', () => {
    const env = (own: Record<string, string>) =>
      acpAgent('opencode', { command: 'o', args: [], env: own }).command({ trusted: true, promptFile: '/p' })
        .env;
    expect(env({})['OPENCODE_PERMISSION']).toBe('{"*":"allow"}');
    expect(env({ OPENCODE_PERMISSION: '{}' })['OPENCODE_PERMISSION']).toBe('{}');
  });
});

describe('the handshake', () => {
  it('offers neither files nor terminals, sets mode and model, and prompts then', () => {
    const { sent } = open('kimi', { request: { model: 'm1' } });
    expect(sent).toMatchObject([
      {
        method: 'initialize',
        params: { protocolVersion: 1, clientCapabilities: { session: { notices: {} } } },
      },
      { method: 'session/new', params: { cwd: '/repo', mcpServers: [] } },
      { method: 'session/set_mode', params: { sessionId: 's1', modeId: 'yolo' } },
      { method: 'session/set_config_option', params: { configId: 'llm', value: 'm1' } },
      { method: 'session/prompt', params: { sessionId: 's1', prompt: [{ type: 'text', text: 'Do it.' }] } },
    ]);
    expect(
      Object.keys((sent[0] as { params: { clientCapabilities: object } }).params.clientCapabilities),
    ).toEqual(['session']);
  });

  it('sets no model in the session of a program that was started with it', () => {
    const { sent } = open('gemini', { request: { model: 'm1' } });
    expect(sent[2]).toMatchObject({ method: 'session/prompt' });
  });

  test.each<[AcpName, string]>([
    ['opencode', 'session/resume'],
    ['copilot', 'session/load'],
    ['gemini', 'session/new'],
  ])('%s takes up a conversation by %s', (name, method) => {
    const { sent, began } = open(name, { request: { resume: 's0' } });
    expect(sent[1]).toMatchObject({ method });
    expect(acpAgent(name, { command: 'x', args: [], env: {} }).can.resume).toBe(method !== 'session/new');
    expect(began[0]).toMatchObject({
      type: 'started',
      agentSession: method === 'session/new' ? 's1' : 's0',
    });
  });

  it('is over where a mode or a model is refused', () => {
    const talk = begin('kimi');
    talk.read(line({ id: 1, result: { protocolVersion: 1 } }));
    const [{ id, method, params }] = answered(talk.read(line({ id: 2, result: { sessionId: 's1' } })));
    expect([method, params.modeId]).toEqual(['session/set_mode', 'yolo']);
    expect(talk.read(line({ id, error: { code: -32602, message: 'not available' } })).events).toMatchObject([
      { isError: true, text: 'session/set_mode: not available', apiError: 'permission_error' },
      { type: 'idle' },
    ]);
  });

  it('passes over the past that a loaded session tells', () => {
    const talk = begin('copilot', { resume: 's0' });
    talk.read(line({ id: 1, result: { protocolVersion: 1 } }));
    expect(talk.read(chunk('old words')).events).toEqual([]);
  });

  test.each<[string, object, string, RegExp]>([
    ['another version', { result: { protocolVersion: 2 } }, 'protocol_mismatch', /version 2 of ACP, pawl/],
    ['no version', { result: {} }, 'protocol_mismatch', /version unknown/],
    ['no login', { error: { code: -32000, message: 'No' } }, 'authentication_error', /initialize: No/],
  ])('ends badly by %s', (_, reply, apiError, says) => {
    expect(begin('acp').read(line({ id: 1, ...reply })).events).toMatchObject([
      { type: 'result', isError: true, text: expect.stringMatching(says), apiError },
      { type: 'idle' },
    ]);
  });
});

describe('a prompt', () => {
  it('says its words whole, with the tool calls between', () => {
    const { talk, end } = open();
    const tool = { toolCallId: 't', kind: 'execute', title: 'shell', rawInput: {} };
    const events = [
      ...[chunk('Crea'), chunk('ting.'), update('tool_call', { ...tool, status: 'pending' })],
      update('tool_call_update', { ...tool, status: 'in_progress', rawInput: { command: 'ls' } }),
      update('tool_call_update', { toolCallId: 't', status: 'completed' }),
      update('tool_call_update', { toolCallId: 't' }),
      ...[chunk('Done', { messageId: 'b' }), chunk('.', { messageId: 'b' })],
    ].flatMap((text) => talk.read(text).events);
    const told = [...events, ...end({ stopReason: 'end_turn' })].filter(
      ({ type }) => type !== 'thought' && type !== 'heartbeat',
    );
    expect(told).toMatchObject([
      { type: 'said', text: 'Creating.' },
      { type: 'tool-started', tool: 'Bash', detail: 'ls', runs: true },
      { type: 'tool-ended', isError: false },
      { type: 'said', text: 'Done.' },
      { type: 'result', text: 'Creating.\n\nDone.', isError: false, reason: 'completed' },
      { type: 'idle' },
    ]);
  });

  it('names the files that a tool writes', () => {
    const { talk } = open();
    const edit = update('tool_call_update', {
      toolCallId: 'e',
      kind: 'edit',
      status: 'completed',
      locations: [{ path: '/repo/a' }],
      content: [{ type: 'diff', path: '/repo/b' }],
    });
    expect(talk.read(edit).events.at(-1)).toMatchObject({
      type: 'tool-ended',
      writes: ['/repo/b', '/repo/a'],
    });
  });

  const retrying = chunk('Info: Request failed due to a transient API error. Retrying...');
  const failedBy = (says: string) => [chunk(`Error: ${says}`)];
  const lastTry = 'Failed to get response from the AI model; retried 5 times Last error: 429 no';
  const retryLimit = chunk('exceeded retry limit, last status: 429 Too Many Requests');
  const used = { usage: { inputTokens: 5, outputTokens: 2 } };
  const quota = failedBy('You have exceeded your monthly quota (status 429)');
  const call = update('tool_call', { toolCallId: 't', status: 'completed' });
  const isError = true;
  test.each<[string, readonly string[], object, object?]>([
    [
      'without anything',
      [],
      { isError, apiError: 'suspected_limit', text: expect.stringContaining('limit') },
    ],
    ['that is an error only', failedBy('no login'), { isError, text: 'Error: no login' }],
    [
      'after words on retries',
      [retrying, retrying, ...failedBy('no (HTTP 401).')],
      { apiStatus: 401, text: 'Error: no (HTTP 401).' },
    ],
    ['with the last try', failedBy(lastTry), { isError, apiStatus: 429 }],
    ['of a used quota', quota, { isError, apiError: 'usage_limit_reached' }],
    ['of a limit', [retryLimit], { isError }, { usage: null }],
    ['with words', [chunk('I did it.')], { isError: false, text: 'I did it.' }],
    ['that used the model', failedBy('is what it said.'), { isError: false }, used],
    ['with a tool call', [call], { isError: false }],
    ['with a thought', [update('agent_thought_chunk')], { isError: false }],
    ['that counts as it goes', [chunk('', { _meta: used })], { isError: false }],
    ['that used nothing', [], { apiError: 'suspected_limit' }, { usage: { outputTokens: 0 } }],
  ])('end_turn %s', (_, lines, wanted, more = {}) => {
    const { talk, end } = open();
    for (const text of lines) talk.read(text);
    expect(resultOf(end({ stopReason: 'end_turn', ...more }))).toMatchObject(wanted);
  });

  test.each([
    ['max_tokens', { isError: true, apiError: 'max_output_tokens' }],
    ['max_turn_requests', { isError: true, reason: 'max_turns' }],
    ['refusal', { isError: true, apiError: 'refusal' }],
    ['cancelled', { isError: true, reason: 'aborted_by_cancel' }],
    ['new_reason', { isError: false, reason: 'new_reason' }],
  ])('stops by %s', (stopReason, wanted) => {
    const { talk, end } = open();
    talk.read(chunk('Words.'));
    expect(resultOf(end({ stopReason }))).toMatchObject(wanted);
  });

  const inner = { code: -32603, message: 'Internal error', data: { details: '401 Incorrect API key' } };
  test.each<[object, object]>([
    [{ code: 429, message: 'You have exhausted your daily quota.' }, { apiError: 'usage_limit_reached' }],
    [{ code: 401, message: 'no' }, { apiStatus: 401 }],
    [inner, { text: 'Internal error: 401 Incorrect API key', apiStatus: 401 }],
  ])('fails by %j', (error, wanted) => {
    expect(resultOf(open().fail(error))).toMatchObject({ isError: true, ...wanted });
  });

  test.each<[string, (talk: Talk) => readonly AgentEvent[]]>([
    ['its stop', ({ end }) => end({ stopReason: 'cancelled' })],
    ['an error', ({ fail }) => fail({ code: -32603, message: 'Request aborted' })],
  ])(
    'is steered by a cancel, answered by %s, and another prompt, and goes on as one turn',
    (_, cancelled) => {
      const opened = open();
      const { talk } = opened;
      expect(linesOf(talk.write({ type: 'steer', text: 'Blue.' }))).toMatchObject([
        { method: 'session/cancel' },
      ]);
      expect(cancelled(opened).map(({ type }) => type)).toEqual(['started']);
      expect(resultOf(talk.read(line({ id: 4, result: { stopReason: 'end_turn' } })).events)).toBeDefined();
    },
  );

  it('is interrupted by a cancel', () => {
    const methods = linesOf(open().talk.write({ type: 'interrupt' })).map(({ method }) => method);
    expect(methods).toEqual(['session/cancel']);
  });
});

describe('what an agent asks', () => {
  const options = [
    { optionId: 'always', kind: 'allow_always' },
    { optionId: 'once', kind: 'allow_once' },
    { optionId: 'switch', kind: 'allow_once' },
  ];
  const ask = (from: number) => ({
    method: 'session/request_permission',
    params: { options: options.slice(0, from) },
  });
  test.each<[string, object, object]>([
    ['a permission', ask(3), { result: { outcome: { outcome: 'selected', optionId: 'once' } } }],
    ['one for ever only', ask(1), { result: { outcome: { outcome: 'cancelled' } } }],
    ['a file', { method: 'fs/read_text_file', params: {} }, { error: { code: -32601 } }],
    ['what only it knows', { method: 'craft/drainMidTurnQueue' }, { error: { code: -32601 } }],
  ])('%s', (_, request, answer) => {
    const reply = answered(open().talk.read(line({ id: 'q', ...request })));
    expect(reply).toMatchObject([{ id: 'q', jsonrpc: '2.0', ...answer }]);
  });
});

describe('how it counts', () => {
  const usage = { inputTokens: 100, outputTokens: 20, cachedReadTokens: 10 };
  const quota = (input_tokens: number, output_tokens: number) => ({
    _meta: { quota: { token_count: { input_tokens, output_tokens } } },
  });
  test.each<[AcpName, readonly object[], object | undefined]>([
    ['gemini', [quota(5, 1), quota(7, 2)], { input: 12, output: 3 }],
    ['copilot', [{ usage }], undefined],
    ['opencode', [{ usage }], undefined],
    ['kimi', [{ usage }], undefined],
    ['acp', [{ usage }], undefined],
  ])('%s', (name, results, tokens) => {
    const { talk, end } = open(name);
    const [first = {}, ...rest] = results;
    let last = resultOf(end({ stopReason: 'end_turn', ...first }));
    for (const result of rest) {
      const [{ id }] = linesOf(talk.write({ type: 'correction', text: 'Again.' }));
      last = resultOf(talk.read(line({ id, result: { stopReason: 'end_turn', ...result } })).events);
    }
    if (tokens === undefined) expect(last).not.toHaveProperty('tokens');
    else expect(last).toMatchObject({ tokens });
    expect(acpAgent(name, { command: 'x', args: [], env: {} }).can.usage).toBe(tokens !== undefined);
  });

  test.each<[string, Partial<AgentRequest>, object, readonly string[]]>([
    ['a cost', {}, { amount: 0.5, currency: 'USD' }, ['context', 'cost']],
    ['one by no prices', {}, { amount: 0, currency: 'USD' }, ['context']],
    ['one of all processes', { resume: 's0' }, { amount: 0.5, currency: 'USD' }, ['context']],
    ['another currency', {}, { amount: 1, currency: 'EUR' }, ['context']],
  ])('%s', (_, request, cost, types) => {
    const { talk } = open('opencode', { request });
    const { events } = talk.read(update('usage_update', { used: 9, size: 100, cost }));
    expect(events.map(({ type }) => type)).toEqual(types);
    expect(events).toMatchObject([{ tokens: 9 }, { costUsd: 0.5 }].slice(0, types.length));
  });
});

describe('whatever comes', () => {
  test.each<[string, string]>([
    ['an unknown notification', line({ method: '_auth/status_update', params: {} })],
    ['an unknown update', update('new_kind', { x: 1 })],
    ['an answer to nothing', line({ id: 99, result: {} })],
    [
      'a line of a megabyte',
      update('available_commands_update', { availableCommands: 'x'.repeat(1_000_000) }),
    ],
  ])('%s is no event', (_, text) => expect(open().talk.read(text)).toEqual({ events: [] }));

  it('a line that is no JSON is noise', () => {
    expect(open().talk.read('Loaded cached credentials.').events.at(-1)).toMatchObject({ type: 'noise' });
  });

  it('never throws', () => {
    const { talk } = open('qwen');
    const kind = fc.constantFrom(
      'agent_message_chunk',
      'tool_call',
      'tool_call_update',
      'usage_update',
      'notice',
    );
    const fields = fc.dictionary(
      fc.constantFrom('content', 'status', 'toolCallId', 'rawInput', 'locations', 'cost', '_meta', 'used'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(kind, fields, (named, value) => Array.isArray(talk.read(update(named, value)).events)),
    );
    fc.assert(fc.property(fc.json(), (text) => Array.isArray(talk.read(text).events)));
  });
});
